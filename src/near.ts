/** Names that somebody may have meant who typed another one. */

/** The names that are the fewest edits away, the nearest first; of equally near ones the first by name. */
export const nearestNames = (typed: string, names: readonly string[], most: number): readonly string[] =>
  [...new Set(names)]
    .map((name) => ({ name, distance: editsBetween(typed.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);

/** Levenshtein's distance: letters put in, left out or replaced. */
const editsBetween = (a: string, b: string): number => {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      now.push(Math.min(replaced, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
};
