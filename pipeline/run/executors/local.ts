import PQueue from 'p-queue';
import type { Executor } from './executor.js';

/** This machine: as many partitions at a time as the stage allows. */
export const local: Executor = {
  name: 'local',
  runAll: async (partitions, stage, task, signal) => {
    const queue = new PQueue({ concurrency: stage.concurrency });
    let failure: { readonly error: unknown } | undefined;
    for (const partition of partitions) {
      void queue.add(async () => {
        if (failure !== undefined || signal.aborted) return;
        try {
          await task(partition);
        } catch (error) {
          failure ??= { error };
        }
      });
    }
    await queue.onIdle();
    signal.throwIfAborted();
    if (failure !== undefined) throw failure.error;
  },
};
