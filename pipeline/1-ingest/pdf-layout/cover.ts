/** First pages that only say what follows, and who made it. */
import { bodySizeOf } from './footnotes.js';
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
  const bodySize = bodySizeOf(pages);
  const isText = (page: readonly Line[], at: number) =>
    countLetters(page) > most ||
    (longestParagraph(page) >= PARAGRAPH_LINES && !isTitlePage(page, pages[at + 1] ?? [], bodySize));
  const found = pages.slice(0, MAX_COVER_PAGES + 1).findIndex(isText);
  const count = Math.max(found, 0);
  return { cover: pages.slice(0, count).flat(), pages: pages.slice(count) };
};

const LARGE = 1.4;
const NEAR_LARGEST = 0.8;
const MIN_TITLE_WORDS = 3;
/** Of the words of the title. */
const MIN_AGAIN = 0.7;
const HEADING_LINES = 4;

/** Does the page's title, set large, stand again above the text of the next? Then what is said under it is about the publication. */
const isTitlePage = (page: readonly Line[], next: readonly Line[], bodySize: number): boolean => {
  const largest = page.reduce((most, { size }) => Math.max(most, size), 0);
  const title = wordsOf(page.filter(({ size }) => size >= Math.max(bodySize * LARGE, largest * NEAR_LARGEST)));
  const heading = wordsOf(next.slice(0, HEADING_LINES));
  const again = [...title].filter((word) => heading.has(word)).length;
  return again >= MIN_TITLE_WORDS && again >= title.size * MIN_AGAIN;
};

const wordsOf = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []));

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
