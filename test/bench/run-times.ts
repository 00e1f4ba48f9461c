import { BroadcastChannel } from 'node:worker_threads';

/** The channel on which test/bench/timed-worker.ts tells of every run of a session. */
export const TIMES = 'fintext-bench-run-times';

/** Of one run, and of what was tokenized since the one before. */
export interface RunTimes {
  /** Seconds in the tokenizer. */
  readonly tokenizing: number;
  /** Seconds from the call of the session to its results in main memory. */
  readonly running: number;
  /** Rows of the run, with those that fill it. */
  readonly rows: number;
}

export interface TotalTimes extends RunTimes {
  readonly runs: number;
}

export interface RunTimesHeard {
  /** What was told since the last time it was taken. */
  take(): Promise<TotalTimes>;
  close(): void;
}

const NONE: TotalTimes = { runs: 0, tokenizing: 0, running: 0, rows: 0 };

/** Adds up what all workers of this process tell. */
export const hearRunTimes = (): RunTimesHeard => {
  const channel = new BroadcastChannel(TIMES);
  let total = NONE;
  channel.onmessage = (event) => {
    const { data } = event as { readonly data: RunTimes };
    total = {
      runs: total.runs + 1,
      tokenizing: total.tokenizing + data.tokenizing,
      running: total.running + data.running,
      rows: total.rows + data.rows,
    };
  };
  return {
    take: async () => {
      // Messages of the last runs may come after the answers that they led to.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const taken = total;
      total = NONE;
      return taken;
    },
    close: () => channel.close(),
  };
};
