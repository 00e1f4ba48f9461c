import type { Refusal } from './accounts.js';
import { toSeconds } from './calendar.js';

export interface BurstLimit {
  readonly atOnce: number;
  readonly perSecond: number;
}

export interface Bursts {
  /** Takes one token of a key; a refusal where none is left. */
  readonly take: (keyId: string, limit: BurstLimit, now: Date) => Refusal | undefined;
  /** Keys that are remembered. */
  readonly size: () => number;
}

const SWEEP_ABOVE = 10_000;

/**
 * A token bucket a key, in memory: it protects this process, and need not be exact over several. Memory grows with
 * the keys in use, not with the keys there are.
 */
export const openBursts = (): Bursts => {
  const buckets = new Map<string, { tokens: number; at: number; fullAt: number }>();

  return {
    size: () => buckets.size,
    take: (keyId, { atOnce, perSecond }, now) => {
      const at = now.getTime();
      const known = buckets.get(keyId);
      // A clock set back gives nothing and takes nothing.
      const elapsed = known === undefined ? 0 : Math.max(0, at - known.at) / 1000;
      const tokens = known === undefined ? atOnce : Math.min(atOnce, known.tokens + elapsed * perSecond);
      const left = tokens < 1 ? tokens : tokens - 1;
      buckets.set(keyId, { tokens: left, at, fullAt: at + ((atOnce - left) / perSecond) * 1000 });
      if (buckets.size > SWEEP_ABOVE) sweep(buckets, at);
      if (tokens >= 1) return undefined;

      const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
      return {
        granted: false,
        which: 'burst',
        limit: atOnce,
        windowSeconds: Math.ceil(atOnce / perSecond),
        used: atOnce,
        resetsAt: toSeconds(new Date(at + retryAfterSeconds * 1000)),
        retryAfterSeconds,
      };
    },
  };
};

/** A full bucket is as good as none. */
const sweep = (buckets: Map<string, { fullAt: number }>, at: number): void => {
  for (const [keyId, { fullAt }] of buckets) if (fullAt <= at) buckets.delete(keyId);
};
