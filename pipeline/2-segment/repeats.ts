/**
 * Passages that a text holds more than once: a page that was taken twice, or part after part of it with all that follows. What is quoted,
 * such as a guideline in the minutes and in the statement below them, is shorter.
 */

const LEAST = { units: 10, characters: 1000 } as const;
/** Of what stands apart from its first place: a file of two meetings has what both decided in the same words, up to 14 sentences. */
const LEAST_APART = 30;

/** Units from `start` to before `end` that repeat others; `isBehind`: those that stand directly before them. */
interface Passage {
  readonly start: number;
  readonly end: number;
  readonly isBehind: boolean;
}

/** Places in `units` (the texts of a document's sentences, in order) that repeat what stands before, word for word. */
export const findRepeats = (units: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const close = (stretch: readonly Passage[]): void => {
    const [start, end] = [stretch[0]?.start ?? 0, stretch.at(-1)?.end ?? 0];
    if (end - start < LEAST_APART && !stretch.some(({ isBehind }) => isBehind)) return;
    for (let place = start; place < end; place += 1) found.add(place);
  };
  let stretch: Passage[] = [];
  for (const passage of findPassages(units)) {
    if (passage.start !== stretch.at(-1)?.end) {
      close(stretch);
      stretch = [];
    }
    stretch.push(passage);
  }
  close(stretch);
  return found;
};

/** In order. */
const findPassages = (units: readonly string[]): readonly Passage[] => {
  const passages: Passage[] = [];
  const first = new Map<string, number>();
  let at = 0;
  while (at < units.length) {
    const before = first.get(units[at] ?? '') ?? at;
    const length = repeatedAt(units, before, at);
    const characters = units.slice(at, at + length).reduce((sum, unit) => sum + unit.length, 0);
    if (length >= LEAST.units && characters >= LEAST.characters)
      passages.push({ start: at, end: at + length, isBehind: before + length === at });
    const next = at + Math.max(length, 1);
    for (; at < next; at += 1) {
      const unit = units[at] ?? '';
      if (!first.has(unit)) first.set(unit, at);
    }
  }
  return passages;
};

/** How many units from `at` on are those from `before` on, of those that stand before `at`. */
const repeatedAt = (units: readonly string[], before: number, at: number): number => {
  let length = 0;
  while (before + length < at && at + length < units.length && units[before + length] === units[at + length])
    length += 1;
  return length;
};
