import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import type { DatasetId } from '../../../data/catalog.js';
import { takeLock } from '../../../pipeline/run/lock.js';
import { RunError, UsageError } from '../../errors.js';
import { outputsIn } from '../../outputs.js';
import { findCurrent, listSnapshots, prune, rollback, verifySnapshot } from '../../snapshot/snapshots.js';
import type { Context } from '../context.js';
import { datasetOption, parseDatasets, settingsOf, withSettings } from '../options.js';

const ACTIONS = ['list', 'verify', 'rollback', 'prune'] as const;

/** `fintext snapshots`: what is published. */
export const snapshots = (context: Context): CommandModule => ({
  command: 'snapshots <action>',
  describe: 'published snapshots: list, verify, rollback, prune',
  builder: (yargs) =>
    withSettings('outputs')(yargs)
      .positional('action', {
        choices: ACTIONS,
        demandOption: true,
        describe: 'list them; compare hashes; point to an older one; delete old ones',
      })
      .option('dataset', { ...datasetOption, demandOption: true })
      .option('to', {
        type: 'string',
        requiresArg: true,
        describe: 'rollback: the snapshot to point to [the one before]',
      })
      .option('snapshot', { type: 'string', requiresArg: true, describe: 'verify: which one [all that are kept]' })
      .option('keep', {
        type: 'number',
        requiresArg: true,
        default: 14,
        describe: 'prune: how many to keep, besides the current one',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON a snapshot' }),
  handler: async (flags) => {
    const outputs = outputsIn(settingsOf(flags).outputs);
    const [dataset] = parseDatasets(flags.dataset);
    if (dataset === undefined) throw new UsageError('--dataset is missing.');
    const action = ACTIONS.find((name) => name === flags.action);
    switch (action) {
      case 'list':
        return list(context, outputs, dataset, flags.json === true);
      case 'verify':
        return verify(context, outputs, dataset, flags.snapshot);
      case 'rollback': {
        const to = flags.to === undefined ? undefined : String(flags.to);
        const id = await alone(context, outputs, dataset, () => rollback(outputs, dataset, to));
        return context.print(`${dataset} now serves ${id}. It stays until something changes and is rebuilt.\n`);
      }
      case 'prune': {
        const keep = Number(flags.keep);
        if (!Number.isInteger(keep) || keep < 1) throw new UsageError('--keep is a whole number from 1.');
        const gone = await alone(context, outputs, dataset, () => prune(outputs, dataset, keep));
        return context.print(gone.length === 0 ? 'Nothing to delete.\n' : gone.map((id) => `deleted ${id}\n`).join(''));
      }
      case undefined:
        throw new UsageError(`snapshots ${String(flags.action)}: the actions are ${ACTIONS.join(', ')}.`);
      default:
        return action satisfies never;
    }
  },
});

/** Under the dataset's lock: a run that publishes meanwhile and this would each undo what the other relies on. */
const alone = async <T>(context: Context, outputs: Outputs, dataset: DatasetId, work: () => Promise<T>): Promise<T> => {
  const release = await takeLock(outputs.lock(dataset), context.now());
  try {
    return await work();
  } finally {
    await release();
  }
};

type Outputs = ReturnType<typeof outputsIn>;

const list = async (context: Context, outputs: Outputs, dataset: DatasetId, json: boolean): Promise<void> => {
  const kept = await listSnapshots(outputs, dataset);
  if (json) {
    for (const { id, current, manifest } of kept) {
      const facts =
        typeof manifest === 'string'
          ? { fault: manifest }
          : { published_at: manifest.published_at, ...manifest.counts };
      await context.print(`${JSON.stringify({ snapshot: id, current, ...facts })}\n`);
    }
    return;
  }
  if (kept.length === 0)
    return context.print(`Nothing of ${dataset} is published yet. Next: fintext rebuild --dataset ${dataset}\n`);
  const table = new Table({
    head: ['', 'snapshot', 'published', 'documents', 'sentences', 'rejects'],
    style: { head: [], border: [], compact: true },
  });
  for (const { id, current, manifest } of kept) {
    const cells =
      typeof manifest === 'string'
        ? [{ colSpan: 4, content: manifest }]
        : [
            manifest.published_at,
            ...[manifest.counts.documents, manifest.counts.sentences, manifest.counts.rejects].map((n) =>
              n.toLocaleString('en'),
            ),
          ];
    table.push([current ? '→' : '', id, ...cells]);
  }
  return context.print(`${table.toString()}\n`);
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
