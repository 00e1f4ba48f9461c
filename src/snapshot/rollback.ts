import type { DatasetId } from '../../data/catalog.js';
import { RunError, UsageError } from '../errors.js';
import type { Outputs } from '../outputs.js';
import { findEarlier, readHistory, serve } from './history.js';
import { findCurrent, listSnapshots, verifySnapshot } from './snapshots.js';

export interface RollbackOptions {
  /** The one to point to; else the nearest that is kept of what was served before. */
  readonly to: string | undefined;
  readonly reason: string | undefined;
  readonly now: Date;
}

/** Points to another snapshot, verified first, and returns it. The caller holds the dataset's lock. */
export const rollback = async (
  outputs: Outputs,
  dataset: DatasetId,
  { to, reason, now }: RollbackOptions,
): Promise<string> => {
  const kept = (await listSnapshots(outputs, dataset)).map(({ id }) => id);
  const target = to ?? (await findTarget(outputs, dataset, kept));
  if (target === undefined) {
    const others = kept.length === 0 ? '' : ` Name one with --to: ${kept.join(', ')}.`;
    throw new UsageError(`${dataset} has no snapshot before the current one to roll back to.${others}`);
  }
  if (!kept.includes(target)) {
    throw new UsageError(`${dataset} has no snapshot ${target}. Kept: ${kept.join(', ') || 'none'}.`);
  }
  const faults = await verifySnapshot(outputs, dataset, target);
  if (faults.length > 0) {
    throw notWhole(target, faults, kept);
  }
  await serve(outputs, dataset, {
    snapshot: target,
    at: now.toISOString(),
    by: 'rollback',
    ...(reason === undefined ? {} : { reason }),
  });
  return target;
};

/** What a person can do about it is to name another one: of those that are kept. */
export const notWhole = (target: string, faults: readonly string[], kept: readonly string[]): RunError => {
  const others = kept.filter((id) => id !== target);
  const next = others.length === 0 ? '' : ` Name another one with --to: ${others.join(', ')}.`;
  return new RunError(`Snapshot ${target} is not whole: ${faults.join('; ')}. Nothing was changed.${next}`);
};

/** Where the pointer is damaged, what it named last. */
const findTarget = async (
  outputs: Outputs,
  dataset: DatasetId,
  kept: readonly string[],
): Promise<string | undefined> => {
  const history = await readHistory(outputs, dataset);
  const current = await findCurrent(outputs, dataset).catch(() => undefined);
  const last = history.at(-1)?.snapshot;
  const candidates = [...(current === undefined && last !== undefined ? [last] : []), ...findEarlier(history)];
  return candidates.find((id) => kept.includes(id));
};
