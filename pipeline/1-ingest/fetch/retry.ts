/** When to ask again, and how long to wait before. */
import { setTimeout } from 'node:timers/promises';
import { FetchError } from './fetch-error.js';

export interface Retries {
  /** How often one address is asked at most. */
  readonly attempts: number;
  /** The first wait is about this long, each further one about twice the one before. */
  readonly firstMs: number;
  /** A server that asks for a longer wait than this is left alone until the next run. */
  readonly longestMs: number;
}

export const RETRIES: Retries = { attempts: 4, firstMs: 500, longestMs: 60_000 };

export interface RetryOptions {
  readonly retries: Retries;
  /** From 0 up to 1. Jitter keeps several machines from asking again in step. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Runs a task until it succeeds, fails for good, or has failed often enough. @throws its last FetchError */
export const withRetries = async <T>(task: () => Promise<T>, { retries, random, signal }: RetryOptions): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FetchError) || error.next === 'give up' || attempt >= retries.attempts) throw error;
      if ((error.waitMs ?? 0) > retries.longestMs) throw error;
      const pause = Math.min(retries.longestMs, waitBefore(attempt, retries.firstMs, random));
      await setTimeout(Math.max(pause, error.waitMs ?? 0), undefined, { signal });
    }
  }
};

/** Between half and the whole of 1, 2, 4… times the first wait. */
const waitBefore = (attempt: number, firstMs: number, random: () => number): number =>
  firstMs * 2 ** (attempt - 1) * (0.5 + random() / 2);

/** `Retry-After` in milliseconds: seconds, or a day and time. Undefined where it says neither. */
export const readRetryAfter = (header: string | undefined, now: Date): number | undefined => {
  const text = (header ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return text === '' || Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
};
