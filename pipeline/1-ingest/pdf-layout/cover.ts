/** First pages that only say what follows, and who made it. */
import type { Line } from './lines.js';

type Pages = readonly (readonly Line[])[];

/** Pages of a document short of this have no cover. */
const MIN_PAGES = 3;
/** Of the letters on a page of the document in the middle. */
const MAX_COVER_SHARE = 0.4;
const MAX_COVER_PAGES = 2;
/** As many full lines in a row are a paragraph of the text. */
const PARAGRAPH_LINES = 3;

export const splitCover = (pages: Pages): { readonly cover: readonly Line[]; readonly pages: Pages } => {
  if (pages.length < MIN_PAGES) return { cover: [], pages };
  const counts = pages.map(countLetters).sort((a, b) => a - b);
  const most = (counts[Math.floor(counts.length / 2)] ?? 0) * MAX_COVER_SHARE;
  const isText = (page: readonly Line[]) => countLetters(page) > most || longestParagraph(page) >= PARAGRAPH_LINES;
  const found = pages.slice(0, MAX_COVER_PAGES + 1).findIndex(isText);
  const count = Math.max(found, 0);
  return { cover: pages.slice(0, count).flat(), pages: pages.slice(count) };
};

const countLetters = (lines: readonly Line[]): number =>
  lines.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);

const longestParagraph = (lines: readonly Line[]): number => {
  const widest = lines.reduce((most, line) => Math.max(most, line.right - line.x), 0);
  let longest = 0;
  let count = 0;
  for (const line of lines) {
    count = line.right - line.x >= widest * 0.85 ? count + 1 : 0;
    longest = Math.max(longest, count);
  }
  return longest;
};
