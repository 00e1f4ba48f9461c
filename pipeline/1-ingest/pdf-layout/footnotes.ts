/** The small print at a page's foot. */
import type { Line } from './lines.js';

const FOOTNOTE_SIZE = 0.92;

/** A page's text, and apart from it the small print at its foot that begins like a note. */
export const splitFootnotes = (
  lines: readonly Line[],
  bodySize: number,
): { readonly body: readonly Line[]; readonly notes: readonly Line[] } => {
  let start = lines.length;
  while (start > 0 && (lines[start - 1]?.size ?? bodySize) < bodySize * FOOTNOTE_SIZE) start -= 1;
  const first = lines.findIndex(
    (line, index) => index >= start && /^(?:\d{1,3}|[*†‡]{1,3})[\s)]*\p{L}/u.test(line.text),
  );
  if (first <= 0) return { body: lines, notes: [] };
  return { body: lines.slice(0, first), notes: lines.slice(first) };
};

/** The size of font that most characters have, to half a point. */
export const bodySizeOf = (pages: readonly (readonly Line[])[]): number => {
  const characters = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = Math.round(line.size * 2) / 2;
    characters.set(size, (characters.get(size) ?? 0) + line.text.length);
  }
  return [...characters].reduce((best, each) => (each[1] > best[1] ? each : best), [10, -1])[0];
};
