import { tmpdir } from 'node:os';
import type { CommandModule } from 'yargs';
import type { DatasetId } from '../../../data/catalog.js';
import { removeLeftovers } from '../../../pipeline/run/leftovers.js';
import { takeLock } from '../../../pipeline/run/lock.js';
import { openDatabase } from '../../database.js';
import { RunError, UsageError } from '../../errors.js';
import { type Outputs, outputsIn } from '../../outputs.js';
import { diffSnapshots } from '../../snapshot/diff.js';
import { findServedBefore, readHistory } from '../../snapshot/history.js';
import { rollback } from '../../snapshot/rollback.js';
import { findCurrent, listSnapshots, prune, verifySnapshot } from '../../snapshot/snapshots.js';
import type { Context } from '../context.js';
import { datasetOption, parseDatasets, settingsOf, withSettings } from '../options.js';
import { diffText, historyText, listText, prunedText } from '../snapshots-text.js';

const ACTIONS = ['list', 'history', 'diff', 'verify', 'rollback', 'prune'] as const;

/** `fintext snapshots`: what is published. */
export const snapshots = (context: Context): CommandModule => ({
  command: 'snapshots <action> [ids..]',
  describe: 'published snapshots: list, history, diff, verify, rollback, prune',
  builder: (yargs) =>
    withSettings('outputs')(yargs)
      .positional('action', {
        choices: ACTIONS,
        demandOption: true,
        describe:
          'list them; say what was served when; compare two; compare hashes; point to an older one; delete old ones and what is left over',
      })
      .positional('ids', {
        type: 'string',
        array: true,
        describe: 'diff: two snapshots, or one to compare with the current one [the one served before]',
      })
      .option('dataset', { ...datasetOption, demandOption: true })
      .option('to', {
        type: 'string',
        requiresArg: true,
        describe: 'rollback: the snapshot to point to [what was served before]',
      })
      .option('reason', { type: 'string', requiresArg: true, describe: 'rollback: why, for the history' })
      .option('snapshot', { type: 'string', requiresArg: true, describe: 'verify: which one [all that are kept]' })
      .option('keep', {
        type: 'number',
        requiresArg: true,
        default: 14,
        describe: 'prune: how many to keep, besides the current one',
      })
      .option('json', { type: 'boolean', describe: 'list, history: a line of JSON each; diff: one line' })
      .example('$0 snapshots diff --dataset wcb', 'what the last night changed, and why')
      .example('$0 snapshots rollback --dataset wcb --reason "wrong model"', 'serve what was served before'),
  handler: async (flags) => {
    const outputs = outputsIn(settingsOf(flags).outputs);
    const [dataset] = parseDatasets(flags.dataset);
    if (dataset === undefined) throw new UsageError('--dataset is missing.');
    const action = ACTIONS.find((name) => name === flags.action);
    const json = flags.json === true;
    const ids = Array.isArray(flags.ids) ? flags.ids.map(String) : [];
    if (action !== 'diff' && ids.length > 0) {
      throw new UsageError(`snapshots ${String(flags.action)} takes no ids: ${ids.join(' ')}.`);
    }
    switch (action) {
      case 'list':
        return list(context, outputs, dataset, json);
      case 'history': {
        const history = await readHistory(outputs, dataset);
        if (json) for (const entry of history) await context.print(`${JSON.stringify(entry)}\n`);
        else await context.print(history.length === 0 ? nothingYet(dataset) : historyText(history));
        return;
      }
      case 'diff':
        return diff(context, outputs, dataset, ids, json);
      case 'verify':
        return verify(context, outputs, dataset, flags.snapshot);
      case 'rollback': {
        const text = (flag: string): string | undefined =>
          flags[flag] === undefined ? undefined : String(flags[flag]);
        const options = { to: text('to'), reason: text('reason'), now: context.now() };
        const id = await alone(context, outputs, dataset, () => rollback(outputs, dataset, options));
        return context.print(`${dataset} now serves ${id}. It stays until something changes and is rebuilt.\n`);
      }
      case 'prune': {
        const keep = Number(flags.keep);
        if (!Number.isInteger(keep) || keep < 1) throw new UsageError('--keep is a whole number from 1.');
        const [old, leftovers] = await alone(context, outputs, dataset, async () => [
          await prune(outputs, dataset, keep),
          await removeLeftovers(outputs, dataset, context.now()),
        ]);
        return context.print(prunedText(old, leftovers));
      }
      case undefined:
        throw new UsageError(`snapshots ${String(flags.action)}: the actions are ${ACTIONS.join(', ')}.`);
      default:
        return action satisfies never;
    }
  },
});

/** Under the dataset's lock: a run that publishes meanwhile and this would each undo what the other relies on. */
const alone = async <const T>(
  context: Context,
  outputs: Outputs,
  dataset: DatasetId,
  work: () => Promise<T>,
): Promise<T> => {
  const release = await takeLock(outputs.lock(dataset), context.now());
  try {
    return await work();
  } finally {
    await release();
  }
};

const nothingYet = (dataset: DatasetId): string =>
  `Nothing of ${dataset} is published yet. Next: fintext rebuild --dataset ${dataset}\n`;

const list = async (context: Context, outputs: Outputs, dataset: DatasetId, json: boolean): Promise<void> => {
  const kept = await listSnapshots(outputs, dataset);
  if (!json) return context.print(kept.length === 0 ? nothingYet(dataset) : listText(kept));
  for (const { id, current, manifest } of kept) {
    const facts =
      typeof manifest === 'string' ? { fault: manifest } : { published_at: manifest.published_at, ...manifest.counts };
    await context.print(`${JSON.stringify({ snapshot: id, current, ...facts })}\n`);
  }
};

/** Documents and moves named in JSON; the text shows fewer. */
const NAMED = 1000;

const diff = async (
  context: Context,
  outputs: Outputs,
  dataset: DatasetId,
  ids: readonly string[],
  json: boolean,
): Promise<void> => {
  if (ids.length > 2) throw new UsageError('snapshots diff compares two snapshots; name two at most.');
  const history = await readHistory(outputs, dataset);
  const before = ids[0] ?? findServedBefore(history);
  const after = ids[1] ?? (await findCurrent(outputs, dataset));
  if (after === undefined) throw new UsageError(`Nothing of ${dataset} is published yet.`);
  if (before === undefined) throw new UsageError(`${dataset} has served only ${after}: there is nothing to compare.`);
  const kept = (await listSnapshots(outputs, dataset)).map(({ id }) => id);
  for (const id of [before, after]) {
    if (!kept.includes(id)) {
      throw new UsageError(`${dataset} has no snapshot ${id}. Kept: ${kept.join(', ') || 'none'}.`);
    }
  }
  const database = await openDatabase({ memoryMb: 512, temporaryFolder: tmpdir(), threads: 2 });
  try {
    const [from, to] = [outputs.snapshot(dataset, before), outputs.snapshot(dataset, after)];
    const difference = await diffSnapshots({ database, before: from, after: to, most: NAMED });
    await context.print(json ? `${JSON.stringify(difference)}\n` : diffText(difference));
  } finally {
    database.close();
  }
};

const verify = async (context: Context, outputs: Outputs, dataset: DatasetId, wanted: unknown): Promise<void> => {
  const ids = wanted === undefined ? (await listSnapshots(outputs, dataset)).map(({ id }) => id) : [String(wanted)];
  const current = await findCurrent(outputs, dataset);
  const all = new Set([...ids, ...(current === undefined || wanted !== undefined ? [] : [current])]);
  if (all.size === 0) throw new UsageError(`Nothing of ${dataset} is published yet.`);
  let damaged = 0;
  for (const id of all) {
    const faults = await verifySnapshot(outputs, dataset, id);
    damaged += faults.length > 0 ? 1 : 0;
    await context.print(
      `${id} ${faults.length === 0 ? 'whole' : `damaged: ${faults.join('; ')}`}${id === current ? ' (current)' : ''}\n`,
    );
  }
  if (damaged > 0) {
    throw new RunError(
      `${damaged} of ${all.size} snapshots are damaged. fintext rebuild publishes again; fintext snapshots rollback points to a whole one.`,
    );
  }
};
