import { setImmediate } from 'node:timers/promises';
import type { Place, Store } from './store.js';

export interface Counter {
  /** Counts one request; `used` is the month's count with it, or the count that left no room. */
  readonly take: (place: Place) => Promise<{ readonly granted: boolean; readonly used: number }>;
  readonly giveBack: (place: Place) => Promise<void>;
  /** Resolves when nothing is under way. */
  readonly drain: () => Promise<void>;
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

interface Queue {
  readonly takes: Waiter<{ granted: boolean; used: number }>[];
  readonly returns: Waiter<void>[];
  running: Promise<void>;
}

/**
 * Requests of one account that come together are counted together: one transaction for all that arrived in a turn of
 * the event loop, and, while that is under way, one for all that came meanwhile. So an account is bound by how many
 * requests there are, not by how long a commit takes, and its row is not fought over.
 */
export const openCounter = (count: Store['count']): Counter => {
  const queues = new Map<string, Queue>();

  const serve = async (id: string, place: Place, queue: Queue): Promise<void> => {
    await setImmediate();
    while (queue.takes.length + queue.returns.length > 0) {
      const takes = queue.takes.splice(0);
      const returns = queue.returns.splice(0);
      try {
        const { granted, used } = await count(place, takes.length, returns.length);
        takes.forEach(({ resolve }, index) => {
          resolve(index < granted ? { granted: true, used: used - granted + index + 1 } : { granted: false, used });
        });
        for (const { resolve } of returns) resolve();
      } catch (error) {
        for (const { reject } of [...takes, ...returns]) reject(error);
      }
    }
    queues.delete(id);
  };

  const queueOf = (place: Place): Queue => {
    const id = `${place.accountId} ${place.day} ${place.limit}`;
    const known = queues.get(id);
    if (known !== undefined) return known;
    const queue: Queue = { takes: [], returns: [], running: Promise.resolve() };
    queues.set(id, queue);
    queue.running = serve(id, place, queue);
    return queue;
  };

  return {
    take: (place) => new Promise((resolve, reject) => queueOf(place).takes.push({ resolve, reject })),
    giveBack: (place) => new Promise((resolve, reject) => queueOf(place).returns.push({ resolve, reject })),
    drain: async () => {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ running }) => running));
    },
  };
};
