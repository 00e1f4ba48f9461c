/**
 * Passages that a text holds more than once: a page that was taken twice, or part after part of it with all that follows. What is quoted,
 * such as a guideline in the minutes and in the statement below them, is shorter.
 */

const LEAST = { units: 10, characters: 1000 } as const;

/** Places in `units` (the texts of a document's sentences, in order) that repeat what stands before, word for word. */
export const findRepeats = (units: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const first = new Map<string, number>();
  let at = 0;
  while (at < units.length) {
    const length = repeatedAt(units, first.get(units[at] ?? '') ?? at, at);
    const passage = units.slice(at, at + length);
    if (length >= LEAST.units && passage.reduce((sum, unit) => sum + unit.length, 0) >= LEAST.characters)
      for (let place = at; place < at + length; place += 1) found.add(place);
    const next = at + Math.max(length, 1);
    for (; at < next; at += 1) {
      const unit = units[at] ?? '';
      if (!first.has(unit)) first.set(unit, at);
    }
  }
  return found;
};

/** How many units from `at` on are those from `before` on, of those that stand before `at`. */
const repeatedAt = (units: readonly string[], before: number, at: number): number => {
  let length = 0;
  while (before + length < at && at + length < units.length && units[before + length] === units[at + length])
    length += 1;
  return length;
};
