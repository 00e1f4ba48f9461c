/** Which commands mend what is served, with the folders and the settings of the last run. */
import type { DatasetId } from '../../data/catalog.js';
import { readPublishedRun } from '../../pipeline/run/records/record.js';
import type { Outputs } from '../outputs.js';
import { rebuildCommand, rollbackCommand } from '../snapshot/commands.js';
import { readHistory, type Served } from '../snapshot/history.js';
import { howToMend } from '../snapshot/mend.js';
import type { ObjectStore } from '../store/object-store.js';

export interface Broken {
  readonly dataset: DatasetId;
  /** The damaged snapshot; undefined where none is pointed to. */
  readonly current: string | undefined;
  /** Of the kept snapshots, those that are whole as far as is known, newest first. */
  readonly whole: readonly string[];
}

export const mendHere = async (outputs: Outputs, { dataset, current, whole }: Broken): Promise<string> =>
  howToMend({
    history: await readHistory(outputs, dataset),
    current,
    whole,
    rebuild: await rebuildHere(outputs, dataset),
    rollback: rollbackCommand(outputs, dataset),
  });

export const rebuildHere = async (outputs: Outputs, dataset: DatasetId): Promise<string> =>
  rebuildCommand({ dataset, outputs, run: await readPublishedRun(outputs, dataset) });

/** @param outputs the folder of this machine, which may be another one than that of the machine that publishes there */
export const mendInStore = async (
  store: Pick<ObjectStore, 'address'>,
  outputs: Outputs,
  history: readonly Served[],
  { dataset, current, whole }: Broken,
): Promise<string> => {
  const last = history.at(-1)?.snapshot;
  const isOurs = (await readHistory(outputs, dataset)).some(({ snapshot }) => snapshot === last);
  return howToMend({
    history,
    current,
    whole,
    rebuild: rebuildCommand({
      dataset,
      outputs: isOurs ? outputs : undefined,
      run: isOurs ? await readPublishedRun(outputs, dataset) : undefined,
      publish: store.address,
      // What is there is never written over: damaged objects make room first.
      ...(current !== undefined && { once: `the damaged objects of ${current} are deleted` }),
    }),
    rollback: `fintext snapshots rollback --dataset ${dataset} --published ${store.address}`,
  });
};
