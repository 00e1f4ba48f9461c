import type { Place, Store } from './store.js';

export interface Counting {
  readonly count: Store['count'];
  /** Rejects while counting fails: where it failed last, no request is counted, which writes like any other. */
  readonly check: () => Promise<void>;
}

/**
 * Remembers where counting failed. A full disk can be read, so that a store that answers may still count nothing; and
 * whoever is told not to come while that lasts sends no request that would show that it is over.
 */
export const watchCounting = (ask: Store['count']): Counting => {
  let failed: Place | undefined;

  const count: Store['count'] = async (place, wanted, returned) => {
    try {
      const counted = await ask(place, wanted, returned);
      // A quota that is spent is read and refused: that shows nothing.
      if (counted.granted + returned > 0 || wanted === 0) failed = undefined;
      return counted;
    } catch (error) {
      failed = place;
      throw error;
    }
  };

  return {
    count,
    check: async () => {
      if (failed !== undefined) await count(failed, 0, 0);
    },
  };
};
