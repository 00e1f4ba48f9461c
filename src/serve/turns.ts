/** Long answers are made a few at a time, and what has come meanwhile is looked at between them: a short one waits for few. */
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';

/** Does the work when its turn comes, first come, first served. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export const createTurns = (atOnce: number): Turns => {
  const queue = new PQueue({ concurrency: atOnce });
  return (work) =>
    queue.add(async () => {
      await setImmediate();
      return work();
    });
};
