/** What somebody may have meant who made a slip of the pen. */

/** Slips at which a word is still taken for another: one for every three letters, at least one, at most three. */
const slipsAllowed = (word: string): number => Math.max(1, Math.min(3, Math.floor(word.length / 3)));

/** The known word that is the fewest slips away; undefined where none is near. */
export const findNearest = (word: string, known: readonly string[]): string | undefined => {
  const [nearest] = known
    // As many slips as letters more or less there are at the least: that is known without counting.
    .filter((other) => Math.abs(word.length - other.length) <= slipsAllowed(other))
    .map((other) => ({ other, slips: countSlips(word.toLowerCase(), other) }))
    .filter(({ other, slips }) => slips <= slipsAllowed(other))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.other;
};

/** The names that are the fewest slips away, however many, the nearest first; of equally near ones the first by name. */
export const nearestNames = (typed: string, names: readonly string[], most: number): readonly string[] =>
  [...new Set(names)]
    .map((name) => ({ name, slips: countSlips(typed.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);

/** Letters that are missing, too many, wrong, or in the place of their neighbour. */
const countSlips = (a: string, b: string): number => {
  let last: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (last[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [last, row] = [row, next];
  }
  return row[b.length] ?? 0;
};
