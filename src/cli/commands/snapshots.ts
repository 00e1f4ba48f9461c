import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandModule } from 'yargs';
import type { DatasetId } from '../../../data/catalog.js';
import { openDatabase } from '../../database.js';
import { RunError, UsageError } from '../../errors.js';
import { outputsIn } from '../../outputs.js';
import type { Settings } from '../../settings.js';
import { diffSnapshots } from '../../snapshot/diff.js';
import { findServedBefore } from '../../snapshot/history.js';
import { parseStoreAddress } from '../../store/address.js';
import { openStore } from '../../store/open.js';
import type { Context } from '../context.js';
import { datasetOption, parseDatasets, settingsOf, withSettings } from '../options.js';
import { type Place, placeHere, placeInStore } from '../places.js';
import { diffText, historyText, listText, prunedText } from '../snapshots-text.js';

const ACTIONS = ['list', 'history', 'diff', 'verify', 'rollback', 'prune'] as const;

/** `fintext snapshots`: what is published. */
export const snapshots = (context: Context): CommandModule => ({
  command: 'snapshots <action> [ids..]',
  describe: 'published snapshots: list, history, diff, verify, rollback, prune',
  builder: (yargs) =>
    withSettings(
      'outputs',
      'published',
    )(yargs)
      .positional('action', {
        choices: ACTIONS,
        demandOption: true,
        describe:
          'list: which are kept; history: what was served when; diff: what differs between two; verify: whether every file is what was published; rollback: serve an older one; prune: delete old ones, what is left over, and raw files that nothing needs',
      })
      .positional('ids', {
        type: 'string',
        array: true,
        describe: 'diff: two snapshots, or one to compare with the current one [the one served before it]',
      })
      .option('dataset', { ...datasetOption, demandOption: true })
      .option('to', {
        type: 'string',
        requiresArg: true,
        describe: 'rollback: the snapshot to point to [what was served before]',
      })
      .option('reason', { type: 'string', requiresArg: true, describe: 'rollback: why, in words, for the history' })
      .option('snapshot', { type: 'string', requiresArg: true, describe: 'verify: which one [all that are kept]' })
      .option('keep', {
        type: 'number',
        requiresArg: true,
        default: 14,
        describe:
          'prune: how many of the newest to keep, by when they were published or last served; the current one stays in any case',
      })
      .option('dry-run', { type: 'boolean', describe: 'prune: say what would be deleted and what that frees' })
      .option('json', { type: 'boolean', describe: 'list, history: a line of JSON for each; diff: one line of JSON' })
      .example('$0 snapshots diff --dataset wcb', 'what the last night changed, and why')
      .example('$0 snapshots prune --dataset wcb --keep 30 --dry-run', 'what could be freed')
      .example('$0 snapshots rollback --dataset wcb --reason "wrong model"', 'serve what was served before')
      .example('$0 snapshots list --dataset wcb --published s3://bucket/prefix', 'what is published there'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const [dataset] = parseDatasets(flags.dataset);
    if (dataset === undefined) throw new UsageError('--dataset is missing.');
    const action = ACTIONS.find((name) => name === flags.action);
    const json = flags.json === true;
    const ids = Array.isArray(flags.ids) ? flags.ids.map(String) : [];
    if (action !== 'diff' && ids.length > 0) {
      throw new UsageError(`snapshots ${String(flags.action)} takes no ids: ${ids.join(' ')}.`);
    }
    const act = async (place: Place): Promise<void> => {
      switch (action) {
        case 'list':
          return list(context, place, dataset, settings, json);
        case 'history': {
          const history = await place.history();
          if (json) for (const entry of history) await context.print(`${JSON.stringify(entry)}\n`);
          else await context.print(history.length === 0 ? nothingYet(dataset, settings) : historyText(history));
          return;
        }
        case 'diff':
          return diff(context, place, dataset, ids, json);
        case 'verify':
          return verify(context, place, dataset, flags.snapshot);
        case 'rollback': {
          const text = (flag: string): string | undefined =>
            flags[flag] === undefined ? undefined : String(flags[flag]);
          const id = await place.rollback({ to: text('to'), reason: text('reason'), now: context.now() });
          const where = settings.published === '' ? '' : ` from ${settings.published}`;
          return context.print(
            `${dataset} now serves ${id}${where}. It stays until something changes and is rebuilt.\n`,
          );
        }
        case 'prune': {
          const keep = Number(flags.keep);
          if (!Number.isInteger(keep) || keep < 1) throw new UsageError('--keep is a whole number from 1.');
          const mode = flags['dry-run'] === true ? 'look' : 'delete';
          return context.print(prunedText(await place.prune({ keep, now: context.now(), mode }), mode));
        }
        case undefined:
          throw new UsageError(`snapshots ${String(flags.action)}: the actions are ${ACTIONS.join(', ')}.`);
        default:
          return action satisfies never;
      }
    };
    await withPlace(context, settings, dataset, act);
  },
});

const withPlace = async (
  { signal, now }: Context,
  { outputs, published }: Settings,
  dataset: DatasetId,
  act: (place: Place) => Promise<void>,
): Promise<void> => {
  if (published === '') return act(placeHere(outputsIn(outputs), dataset, now));
  const store = await openStore(parseStoreAddress('published', published), signal);
  try {
    await act(placeInStore(store, dataset, { outputs: outputsIn(outputs), signal }));
  } finally {
    store.close();
  }
};

const nothingYet = (dataset: DatasetId, { published }: Pick<Settings, 'published'>): string =>
  published === ''
    ? `Nothing of ${dataset} is published yet. Next: fintext rebuild --dataset ${dataset}\n`
    : `Nothing of ${dataset} is published in ${published} yet. Next: fintext rebuild --dataset ${dataset} --publish ${published}\n`;

const list = async (
  context: Context,
  place: Place,
  dataset: DatasetId,
  settings: Settings,
  json: boolean,
): Promise<void> => {
  const kept = await place.list();
  if (!json) return context.print(kept.length === 0 ? nothingYet(dataset, settings) : listText(kept));
  for (const { id, current, manifest } of kept) {
    const facts =
      typeof manifest === 'string' ? { fault: manifest } : { published_at: manifest.published_at, ...manifest.counts };
    await context.print(`${JSON.stringify({ snapshot: id, current, ...facts })}\n`);
  }
};

/** Documents and moves named in JSON; the text shows fewer. */
const NAMED = 1000;

/** The tables that are compared. */
const COMPARED = ['documents.parquet', 'sentences.parquet'];

const diff = async (
  context: Context,
  place: Place,
  dataset: DatasetId,
  ids: readonly string[],
  json: boolean,
): Promise<void> => {
  if (ids.length > 2) throw new UsageError('snapshots diff compares two snapshots; name two at most.');
  const history = await place.history();
  const before = ids[0] ?? findServedBefore(history);
  const after = ids[1] ?? (await place.findCurrent());
  if (after === undefined) throw new UsageError(`Nothing of ${dataset} is published yet.`);
  if (before === undefined) throw new UsageError(`${dataset} has served only ${after}: there is nothing to compare.`);
  const kept = (await place.list()).map(({ id }) => id);
  for (const id of [before, after]) {
    if (!kept.includes(id)) {
      throw new UsageError(`${dataset} has no snapshot ${id}. Kept: ${kept.join(', ') || 'none'}.`);
    }
  }
  const scratch = await mkdtemp(join(tmpdir(), 'fintext-diff-'));
  const database = await openDatabase({ memoryMb: 512, temporaryFolder: scratch, threads: 2 });
  try {
    const from = await place.bring(before, COMPARED, scratch);
    const to = before === after ? from : await place.bring(after, COMPARED, scratch);
    const difference = await diffSnapshots({ database, before: from, after: to, most: NAMED });
    await context.print(json ? `${JSON.stringify(difference)}\n` : diffText(difference));
  } finally {
    database.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

const verify = async (context: Context, place: Place, dataset: DatasetId, wanted: unknown): Promise<void> => {
  const kept = (await place.list()).map(({ id }) => id);
  const pointer = await place.readPointer();
  const current = 'id' in pointer ? pointer.id : undefined;
  if (wanted !== undefined && String(wanted) !== current && !kept.includes(String(wanted))) {
    throw new UsageError(`${dataset} has no snapshot ${String(wanted)}. Kept: ${kept.join(', ') || 'none'}.`);
  }
  const ids = wanted === undefined ? kept : [String(wanted)];
  const all = new Set([...ids, ...(current === undefined || wanted !== undefined ? [] : [current])]);
  if (all.size === 0) throw new UsageError(`Nothing of ${dataset} is published yet.`);
  const damaged: string[] = [];
  for (const id of all) {
    const faults = await place.verify(id);
    if (faults.length > 0) damaged.push(id);
    await context.print(
      `${id} ${faults.length === 0 ? 'whole' : `damaged: ${faults.join('; ')}`}${id === current ? ' (current)' : ''}\n`,
    );
  }
  const isLost = current === undefined && wanted === undefined;
  if (damaged.length === 0 && !isLost) return;
  const counted = all.size === 1 ? 'The snapshot is damaged' : `${damaged.length} of ${all.size} snapshots damaged`;
  const isMended = isLost || damaged.some((id) => id === current);
  const whole = kept.filter((id) => !damaged.includes(id));
  const sentences = [
    ...(damaged.length === 0 ? [] : [counted]),
    ...('fault' in pointer && isLost ? [`${pointer.fault}, so none of them is served`] : []),
    // What is served comes first; what is left to do about older ones is said when that is whole.
    ...(isMended ? [`To mend it: ${await place.mend(current, whole)}`] : damaged.map(place.mendOlder)),
  ];
  throw new RunError(sentences.map((sentence) => `${sentence}.`).join(' '));
};
