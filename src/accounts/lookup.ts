import type { KeyRow } from './store.js';

/** How long a key that was found is not asked for again: a revocation elsewhere must be seen within a second. */
const FRESH_MS = 250;
const MOST_KNOWN = 10_000;

export interface Lookup {
  readonly find: (lookup: string) => Promise<readonly KeyRow[]>;
  /** Forgets everything: a key was changed here. */
  readonly forget: () => void;
}

/** Remembers for a moment the keys that were found, and asks once for those who ask together. */
export const openLookup = (ask: Lookup['find']): Lookup => {
  const known = new Map<string, { readonly at: number; readonly rows: Promise<readonly KeyRow[]> }>();

  return {
    find: async (lookup) => {
      // The age counts from before the question: what is changed while it is under way is seen in time.
      const at = performance.now();
      const found = known.get(lookup);
      if (found !== undefined && at - found.at < FRESH_MS) return found.rows;

      const entry = { at, rows: ask(lookup) };
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(lookup, entry);
      const drop = (): void => {
        if (known.get(lookup) === entry) known.delete(lookup);
      };
      try {
        const rows = await entry.rows;
        // Only what exists is remembered: a key just made works at once, and guesses take no room.
        if (rows.length === 0) drop();
        return rows;
      } catch (error) {
        drop();
        throw error;
      }
    },
    forget: () => known.clear(),
  };
};
