import { resolve, sep } from 'node:path';
import type { CommandModule } from 'yargs';
import { MODELS, type ModelId } from '../../../models/catalog.js';
import { messageOf, RunError, UsageError } from '../../errors.js';
import { planDevice, plannedProcessor } from '../../inference/device.js';
import { findFingerprints } from '../../inference/fingerprints.js';
import { type ImportedPackage, importPackage } from '../../inference/import.js';
import { describeModels, loadModels, resolveModel } from '../../inference/models.js';
import { variantOf } from '../../inference/variants.js';
import { packagePath } from '../../package-root.js';
import type { Settings } from '../../settings.js';
import { withModel } from '../asking.js';
import type { Context } from '../context.js';
import { evaluateModel } from '../evaluate-model.js';
import { fittingTable } from '../fitting-table.js';
import { settingsOf, withSettings } from '../options.js';

/** What each action takes beside --models. */
const ACTIONS = {
  list: ['json', 'device', 'variant'],
  verify: ['model', 'device', 'variant', 'workers'],
  import: ['folder', 'as', 'id2label', 'parity'],
  evaluate: ['model', 'labels', 'field', 'json', 'device', 'variant', 'workers'],
} as const;

type Action = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as readonly Action[];

/** `fintext models`: the catalog, and a user's own models in it. */
export const models = (context: Context): CommandModule => ({
  command: 'models [action] [folder]',
  describe: 'the catalog of models: list, verify, import, evaluate',
  builder: (yargs) =>
    withSettings(
      'models',
      'device',
      'variant',
      'workers',
    )(yargs)
      .positional('action', {
        choices: ACTION_NAMES,
        describe:
          'list: all, and who answers for each; verify: run each once; import: put your own in the place of one; evaluate: compare one with labels of people',
      })
      .positional('folder', { type: 'string', describe: 'import: the package, as optimum-cli export onnx writes it' })
      .option('as', { type: 'string', requiresArg: true, describe: 'import: the model that it answers for' })
      .option('id2label', {
        type: 'string',
        requiresArg: true,
        describe: 'import: its labels in the order of the logits, with commas, where config.json has LABEL_0…',
      })
      .option('parity', {
        type: 'string',
        requiresArg: true,
        describe: 'import: JSON lines with `text`, and the `label` and `score` that it gave where it came from',
      })
      .option('model', { type: 'string', requiresArg: true, describe: 'evaluate, verify: which model' })
      .option('labels', { type: 'string', requiresArg: true, describe: 'evaluate: JSON lines with `text` and a label' })
      .option('field', {
        type: 'string',
        requiresArg: true,
        describe: 'evaluate: where the label stands ["label"]',
      })
      .option('json', { type: 'boolean', describe: 'list, evaluate: JSON instead of tables' })
      .example('$0 models import ./my-finbert --as cb_stance_label', 'your own answers for it from now on')
      .example(
        '$0 models import ./fomc-roberta --as cb_stance_label --id2label Dovish,Hawkish,Neutral --parity sample.jsonl',
        'checked against what it said in Python',
      )
      .example(
        '$0 models evaluate --model cb_stance_label --labels fomc.jsonl --field stance',
        'accuracy, F1 with intervals, confusion matrix',
      )
      .epilogue(
        'import copies the package to <models folder>/<model id>, where it answers instead of the bundled one until that folder is deleted; the next rebuild asks that model again, and no other. The models folder is --models or FINTEXT_MODELS.',
      ),
  handler: async (flags) => {
    const action = ACTION_NAMES.find((name) => name === flags.action);
    if (action === undefined) {
      throw new UsageError(`Say what to do with the models: ${ACTION_NAMES.join(', ')}; see fintext models --help.`);
    }
    refuseOthers(action, flags);
    const settings = settingsOf(flags);
    const json = flags.json === true;
    const text = (name: string): string => {
      const value = flags[name];
      if (value === undefined)
        throw new UsageError(`models ${action} needs ${name === 'folder' ? 'a folder' : `--${name}`}; see --help.`);
      return String(value);
    };
    const ifGiven = (name: string): string | undefined => (flags[name] === undefined ? undefined : text(name));
    switch (action) {
      case 'list':
        return list(context, settings, json);
      case 'verify':
        return verify(context, settings, ifGiven('model'));
      case 'import': {
        const as = text('as');
        const imported = await importPackage(resolve(text('folder')), as, settings.models, {
          labels: ifGiven('id2label')
            ?.split(',')
            .map((label) => label.trim()),
          parity: ifGiven('parity'),
        });
        return context.print(importedText(as, imported, settings));
      }
      case 'evaluate':
        return evaluateModel(context, settings, {
          model: text('model'),
          labels: text('labels'),
          field: ifGiven('field') ?? 'label',
          json,
        });
      default:
        return action satisfies never;
    }
  },
});

/** What is said to another action would be passed over without a word. */
const refuseOthers = (action: Action, flags: Readonly<Record<string, unknown>>): void => {
  const takes: readonly string[] = ACTIONS[action];
  const all: readonly string[] = Object.values(ACTIONS).flat();
  const other = all.find((name) => flags[name] !== undefined && !takes.includes(name));
  if (other === undefined) return;
  const named = other === 'folder' ? `folder (${String(flags[other])})` : `--${other}`;
  throw new UsageError(`models ${action} takes no ${named}; see fintext models --help.`);
};

const importedText = (as: string, imported: ImportedPackage, settings: Settings): string => {
  const { folder, variants, leftOut, neverGiven, parity, orderUnknown, copied } = imported;
  const installed = settings.models === packagePath('models') && settings.models.includes(`${sep}node_modules${sep}`);
  return [
    ...leftOut.map(({ file, reason }) => `Left out: ${file} ${reason}.`),
    ...parity.map(
      ({ file, texts, differing, worst }) =>
        `Parity of ${file}: ${differing === 0 ? `all ${texts} labels are those of the sample` : `${differing} of ${texts} labels are not those of the sample`}${worst === undefined ? '' : `, scores differ by at most ${worst.toPrecision(2)}`}.`,
    ),
    ...(orderUnknown
      ? [
          'The sample has the names that the labels had before: whether those of --id2label are in the right order it cannot tell. fintext models evaluate can, and the card of the model says it.',
        ]
      : []),
    ...(neverGiven.length > 0 ? [`It has no label ${neverGiven.join(', ')}, so it never gives that.`] : []),
    `${as} is now answered by ${folder} (${variants.join(', ')}). Delete that folder to have the bundled model back.`,
    ...(copied.length > 0
      ? [
          `For the other models the bundled ${copied.length === 1 ? 'package' : 'packages'} ${copied.join(' and ')} lie beside it now: use the folder with --models ${settings.models}, or FINTEXT_MODELS.`,
        ]
      : []),
    ...(installed
      ? [
          'That is in the installed package, and goes with the next installation: import into a folder of your own with --models, or FINTEXT_MODELS.',
        ]
      : []),
    '',
  ].join('\n');
};

const list = async (context: Context, settings: Settings, json: boolean): Promise<void> => {
  const rows: string[][] = [];
  for (const entry of describeModels(settings.models)) {
    const { fingerprint, folder, own, variants, variant } = await findAnswerer(entry.id, settings);
    if (json) {
      await context.print(`${JSON.stringify({ ...entry, own, folder, variants, variant, fingerprint })}\n`);
    } else
      rows.push([
        entry.id,
        entry.labels.join(', '),
        own ? `your own, ${folder}` : entry.package,
        [...new Set([...variants, ...(variant === null ? [] : [variant])])]
          .map((name) => (name === variant ? `${name}*` : name))
          .join(', '),
        fingerprint.length === 64 ? fingerprint.slice(0, 16) : fingerprint,
      ]);
  }
  if (json) return;
  const head = ['model', 'labels', 'package', 'variants (* answers)', 'fingerprint'];
  await context.print(fittingTable({ head, rows, dispensable: ['labels', 'fingerprint'], columns: context.columns }));
};

interface Answerer {
  readonly fingerprint: string;
  readonly folder: string;
  /** Is it a user's own package? */
  readonly own: boolean;
  readonly variants: readonly string[];
  readonly variant: string | null;
}

/** Who answers for a model with these settings: the variants that its package has and the one that is taken, null where it cannot be used. */
const findAnswerer = async (
  id: ModelId,
  { models: modelsFolder, device, variant: choice }: Settings,
): Promise<Answerer> => {
  let where: Pick<Answerer, 'folder' | 'own'> = { folder: modelsFolder, own: false };
  try {
    const { folder, own } = resolveModel(id, { modelsFolder });
    where = { folder, own };
    const loaded = (await loadModels([id], { modelsFolder, variant: choice })).get(id);
    const [found] = await findFingerprints([id], { modelsFolder, device, variant: choice });
    if (!loaded || !found) throw new Error(`Nothing was found for ${id}.`);
    const { variants, modelFiles } = loaded.package;
    return {
      ...where,
      fingerprint: found.fingerprint,
      variants,
      variant: variantOf(modelFiles[plannedProcessor(planDevice(device))]),
    };
  } catch (error) {
    return { ...where, fingerprint: `cannot be used: ${messageOf(error)}`, variants: [], variant: null };
  }
};

/** Opens every model and asks it something: a package that can be read may still not run. */
const verify = async (context: Context, settings: Settings, only: string | undefined): Promise<void> => {
  const ids =
    only === undefined ? MODELS.map(({ id }) => id) : [resolveModel(only, { modelsFolder: settings.models }).entry.id];
  let wrong = 0;
  for (const id of ids) {
    const said = await askOnce(context, settings, id).catch((error: unknown) => {
      wrong += 1;
      return `cannot be used: ${messageOf(error)}`;
    });
    await context.print(`${id} ${said}\n`);
  }
  if (wrong > 0) throw new RunError(`${wrong} of ${ids.length} models cannot be used.`);
};

const askOnce = async (context: Context, settings: Settings, id: ModelId): Promise<string> => {
  const { signal } = context;
  return withModel(id, { ...settings, workers: 1 }, signal, async (classifier) => {
    await classifier.classify([id], ['Inflation rose.', ''], { signal });
    return `runs on ${classifier.report.provider} (${[...classifier.report.variants.values()].join(', ')})`;
  });
};
