/** One request at a time to a host, with a gap after each: documents are fetched at night, their servers are others'. */
import { setTimeout } from 'node:timers/promises';

export interface Pace {
  /** Runs a task when it is its turn at this host. */
  readonly run: <T>(host: string, task: () => Promise<T>) => Promise<T>;
}

export interface PaceOptions {
  readonly gapMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export const openPace = ({ gapMs, now, signal }: PaceOptions): Pace => {
  const turns = new Map<string, Promise<unknown>>();
  const ended = new Map<string, number>();
  return {
    run: (host, task) => {
      const before = turns.get(host) ?? Promise.resolve();
      const turn = before.then(async () => {
        const since = now().getTime() - (ended.get(host) ?? Number.NEGATIVE_INFINITY);
        // A clock that was set back makes no wait longer than the gap.
        if (since < gapMs) await setTimeout(Math.min(gapMs, gapMs - since), undefined, { signal });
        signal.throwIfAborted();
        try {
          return await task();
        } finally {
          ended.set(host, now().getTime());
        }
      });
      turns.set(
        host,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
};
