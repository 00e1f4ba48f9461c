/** Seconds for work that anybody can ask for: so many at once, after that a share of the time. */
export interface Budget {
  /** Seconds until there are some again; 0 where there are. */
  readonly wait: () => number;
  /** Work that was begun is always paid, also with seconds that are yet to come. */
  readonly spend: (seconds: number) => void;
}

export interface BudgetOptions {
  /** Seconds at once, and the most that can be owed: who comes next waits for no longer than these take to come back. */
  readonly seconds: number;
  /** Seconds that come back in a second. */
  readonly share: number;
  /** A clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

export const createBudget = ({ seconds, share, now = () => performance.now() }: BudgetOptions): Budget => {
  let left = seconds;
  let last = now();
  const refill = (): void => {
    const time = now();
    left = Math.min(seconds, left + ((time - last) / 1000) * share);
    last = time;
  };
  return {
    wait: () => {
      refill();
      return Math.max(0, -left / share);
    },
    spend: (taken) => {
      refill();
      left = Math.max(-seconds, left - taken);
    },
  };
};
