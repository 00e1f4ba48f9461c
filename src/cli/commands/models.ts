import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { MODELS, type ModelId } from '../../../models/catalog.js';
import { codeOf, messageOf, RunError, UsageError } from '../../errors.js';
import { planDevice, plannedProcessor } from '../../inference/device.js';
import { type Evaluation, evaluate } from '../../inference/evaluate.js';
import { findFingerprints } from '../../inference/fingerprints.js';
import { importPackage } from '../../inference/import.js';
import { foldLabel, loadModels, resolveModel } from '../../inference/models.js';
import { openClassifier } from '../../inference/pool.js';
import { variantOf } from '../../inference/variants.js';
import type { Settings } from '../../settings.js';
import type { Context } from '../context.js';
import { settingsOf, withSettings } from '../options.js';

const ACTIONS = ['list', 'verify', 'import', 'evaluate'] as const;

/** `fintext models`: the catalog, and a user's own models in it. */
export const models = (context: Context): CommandModule => ({
  command: 'models <action> [folder]',
  describe: 'the catalog of models: list, verify, import, evaluate',
  builder: (yargs) =>
    withSettings(
      'models',
      'device',
      'variant',
      'workers',
    )(yargs)
      .positional('action', {
        choices: ACTIONS,
        demandOption: true,
        describe: 'list all; run each once; take in your own; compare one with people’s labels',
      })
      .positional('folder', { type: 'string', describe: 'import: the package, as optimum-cli export onnx writes it' })
      .option('as', { type: 'string', requiresArg: true, describe: 'import: the model that it answers for' })
      .option('model', { type: 'string', requiresArg: true, describe: 'evaluate, verify: which model' })
      .option('labels', { type: 'string', requiresArg: true, describe: 'evaluate: JSON lines with `text` and a label' })
      .option('field', {
        type: 'string',
        requiresArg: true,
        default: 'label',
        describe: 'evaluate: where the label stands',
      })
      .option('json', { type: 'boolean', describe: 'JSON instead of tables' })
      .example('$0 models import ./my-finbert --as cb_stance_label', 'your own model from now on')
      .example('$0 models evaluate --model cb_stance_label --labels fomc.jsonl --field stance', ''),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const json = flags.json === true;
    const text = (name: string): string => {
      const value = flags[name];
      if (value === undefined)
        throw new UsageError(
          `models ${String(flags.action)} needs ${name === 'folder' ? 'a folder' : `--${name}`}; see --help.`,
        );
      return String(value);
    };
    const action = ACTIONS.find((name) => name === flags.action);
    switch (action) {
      case 'list':
        return list(context, settings, json);
      case 'verify':
        return verify(context, settings, flags.model === undefined ? undefined : String(flags.model));
      case 'import': {
        const as = text('as');
        const { folder, variants, leftOut } = await importPackage(resolve(text('folder')), as, settings.models);
        const left = leftOut.map(({ file, reason }) => `Left out: ${file} ${reason}.\n`).join('');
        return context.print(
          `${left}${as} is now answered by ${folder} (${variants.join(', ')}). Delete that folder to have the bundled model back.\n`,
        );
      }
      case 'evaluate':
        return evaluateModel(context, settings, {
          model: text('model'),
          labels: text('labels'),
          field: text('field'),
          json,
        });
      case undefined:
        throw new UsageError(`models ${String(flags.action)}: the actions are ${ACTIONS.join(', ')}.`);
      default:
        return action satisfies never;
    }
  },
});

const list = async (context: Context, settings: Settings, json: boolean): Promise<void> => {
  const table = new Table({
    head: ['model', 'labels', 'package', 'variants (* answers)', 'fingerprint'],
    style: { head: [], border: [], compact: true },
  });
  for (const entry of MODELS) {
    const { fingerprint, variants, variant } = await findAnswerer(entry.id, settings);
    if (json) await context.print(`${JSON.stringify({ ...entry, variants, variant, fingerprint })}\n`);
    else
      table.push([
        entry.id,
        entry.labels.join(', '),
        entry.package,
        [...new Set([...variants, ...(variant === null ? [] : [variant])])]
          .map((name) => (name === variant ? `${name}*` : name))
          .join(', '),
        fingerprint.length === 64 ? fingerprint.slice(0, 16) : fingerprint,
      ]);
  }
  if (!json) await context.print(`${table.toString()}\n`);
};

/** Who answers for a model with these settings: the variants that its package has and the one that is taken, null where it cannot be used. */
const findAnswerer = async (
  id: ModelId,
  { models: modelsFolder, device, variant: choice }: Settings,
): Promise<{ readonly fingerprint: string; readonly variants: readonly string[]; readonly variant: string | null }> => {
  try {
    const loaded = (await loadModels([id], { modelsFolder, variant: choice })).get(id);
    const [found] = await findFingerprints([id], { modelsFolder, device, variant: choice });
    if (!loaded || !found) throw new Error(`Nothing was found for ${id}.`);
    const { variants, modelFiles } = loaded.package;
    return {
      fingerprint: found.fingerprint,
      variants,
      variant: variantOf(modelFiles[plannedProcessor(planDevice(device))]),
    };
  } catch (error) {
    return { fingerprint: `cannot be used: ${messageOf(error)}`, variants: [], variant: null };
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
  const classifier = await openClassifier({
    models: [id],
    modelsFolder: settings.models,
    device: settings.device,
    variant: settings.variant,
    workers: 1,
    signal,
  });
  try {
    await classifier.classify([id], ['Inflation rose.', ''], { signal });
    return `runs on ${classifier.report.provider} (${[...classifier.report.variants.values()].join(', ')})`;
  } finally {
    await classifier.close();
  }
};

interface EvaluateRequest {
  readonly model: string;
  readonly labels: string;
  readonly field: string;
  readonly json: boolean;
}

const evaluateModel = async (context: Context, settings: Settings, request: EvaluateRequest): Promise<void> => {
  const { entry } = resolveModel(request.model, { modelsFolder: settings.models });
  const labelled = await readLabelled(request, entry.labels);
  const { signal } = context;
  const classifier = await openClassifier({
    models: [entry.id],
    modelsFolder: settings.models,
    device: settings.device,
    variant: settings.variant,
    workers: settings.workers,
    signal,
  });
  try {
    const answers = (
      await classifier.classify(
        [entry.id],
        labelled.map(({ text }) => text),
        { signal },
      )
    ).get(entry.id);
    const order: readonly string[] = entry.labels;
    const evaluation = evaluate(
      order,
      labelled.map(({ label }) => label),
      (answers?.labels ?? []).map((label) => order.indexOf(label)),
    );
    await context.print(
      request.json ? `${JSON.stringify({ model: entry.id, ...evaluation })}\n` : evaluationText(entry.id, evaluation),
    );
  } finally {
    await classifier.close();
  }
};

/** Lines without the field are passed over: a file may hold labels for several models. */
const readLabelled = async (
  { labels: file, field }: EvaluateRequest,
  labels: readonly string[],
): Promise<readonly { readonly text: string; readonly label: number }[]> => {
  const folded = labels.map(foldLabel);
  const found: { text: string; label: number }[] = [];
  let at = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      at += 1;
      if (line.trim() === '') continue;
      const record = parseLine(line);
      const value = record[field];
      if (value === undefined || value === null) continue;
      const label = folded.indexOf(foldLabel(String(value)));
      if (label < 0) throw new UsageError(`${file}, line ${at}: the label "${value}" is none of ${labels.join(', ')}.`);
      if (typeof record.text !== 'string') throw new UsageError(`${file}, line ${at}: "text" is missing.`);
      found.push({ text: record.text, label });
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file}, line ${at} is no JSON object: ${error.message}`);
    if (codeOf(error) === 'ENOENT') throw new UsageError(`There is no file ${file}.`);
    throw error;
  }
  if (found.length === 0)
    throw new UsageError(`${file} holds no line with the field "${field}"; name it with --field.`);
  return found;
};

const parseLine = (line: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(line);
  if (typeof parsed !== 'object' || parsed === null) throw new SyntaxError('an object is wanted');
  return parsed as Record<string, unknown>;
};

/** With fewer texts, those that are drawn again and again for an interval are too few to differ as others would. */
const FEW_TEXTS = 30;

const evaluationText = (model: string, evaluation: Evaluation): string => {
  const figure = (name: 'accuracy' | 'macroF1' | 'weightedF1'): string =>
    `${evaluation[name].toFixed(3)} (95%: ${evaluation.intervals[name].map((value) => value.toFixed(3)).join(' to ')})`;
  const style = { head: [], border: [], compact: true };
  const scores = new Table({
    head: ['label', 'texts', 'precision', 'recall', 'F1'],
    style,
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  for (const { label, support, precision, recall, f1 } of evaluation.labels) {
    scores.push([label, support, precision.toFixed(3), recall.toFixed(3), f1.toFixed(3)]);
  }
  const confusion = new Table({
    head: ['people ↓  model →', ...evaluation.order],
    style,
    colAligns: ['left', ...evaluation.order.map(() => 'right' as const)],
  });
  for (const [at, row] of evaluation.confusion.entries()) confusion.push([evaluation.order[at] ?? '', ...row]);
  return [
    `${model} on ${evaluation.texts.toLocaleString('en')} ${evaluation.texts === 1 ? 'text' : 'texts'}`,
    `  accuracy    ${figure('accuracy')}`,
    `  macro F1    ${figure('macroF1')}`,
    `  weighted F1 ${figure('weightedF1')}`,
    ...(evaluation.texts < FEW_TEXTS
      ? [
          `  The 95% intervals mean little with fewer than ${FEW_TEXTS} texts: they are made of these alone, and are narrow where the model happens to be right of all. Label more.`,
        ]
      : []),
    scores.toString(),
    confusion.toString(),
    '',
  ].join('\n');
};
