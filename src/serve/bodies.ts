/** Room for the bodies of requests: without a bound, one key could fill the memory with bodies that are all within their own. */
import type { IncomingHttpHeaders } from 'node:http';
import { unavailable } from './http-error.js';

export interface Bodies {
  /**
   * Keeps room for a body before it arrives; the function returned gives it back.
   *
   * @param account who sends it: one account gets a share of the room, so that others are left some
   * @throws HttpError 503 where there is none
   */
  readonly hold: (account: string, bytes: number) => () => void;
}

export const createBodies = (most: { readonly all: number; readonly account: number }): Bodies => {
  const held = new Map<string, number>();
  let all = 0;
  return {
    hold: (account, bytes) => {
      const own = held.get(account) ?? 0;
      if (own + bytes > most.account || all + bytes > most.all) {
        throw unavailable('Too many bodies are arriving at once', 1);
      }
      all += bytes;
      held.set(account, own + bytes);
      return () => {
        all -= bytes;
        const rest = (held.get(account) ?? 0) - bytes;
        if (rest > 0) held.set(account, rest);
        else held.delete(account);
      };
    },
  };
};

/** The bytes that a body will take: as many as may be where they are not told before, none where it will be refused. */
export const bytesToCome = (headers: IncomingHttpHeaders, most: number): number => {
  if (headers['transfer-encoding'] !== undefined) return most;
  const told = Number(headers['content-length'] ?? 0);
  return told > most ? 0 : told;
};
