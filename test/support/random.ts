/** Chance that is the same each time: Mulberry32, which is small and good enough to choose words and places. */
export interface Random {
  /** From 0 to 1, 1 left out. */
  readonly next: () => number;
  /** A whole number from 0 up to `below`, left out. */
  readonly below: (below: number) => number;
  readonly of: <T>(choices: readonly T[]) => T;
}

export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    of: (choices) => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new RangeError('There is nothing to choose from.');
      return chosen;
    },
  };
};
