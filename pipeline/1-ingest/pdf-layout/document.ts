/** From the lines of pages to the text of their document. */
import { findTitle, keepText, type Paragraph } from '../matter.js';
import { countWords, endsSentence } from '../words.js';
import { splitCover } from './cover.js';
import { bodySizeOf } from './footnotes.js';
import { dropRunningLines } from './furniture.js';
import { hyphenJoiner, joinTexts } from './hyphens.js';
import type { Line } from './lines.js';
import { toParagraphs } from './paragraphs.js';

export interface DocumentText {
  /** Blank lines part its paragraphs. */
  readonly text: string;
  /** As it stands before the text, or null. */
  readonly title: string | null;
}

export const readDocumentText = (rawPages: readonly (readonly Line[])[]): DocumentText => {
  const { cover, pages } = splitCover(dropRunningLines(rawPages));
  const bodySize = bodySizeOf(pages);
  const joinWords = hyphenJoiner(pages);
  const all = toParagraphs(pages, bodySize, joinWords);
  const { paragraphs, front } = keepText(all, { bodySize, front: 'drop' });
  const texts: string[] = [];
  let before: Paragraph | undefined;
  for (const paragraph of paragraphs) {
    const open = texts.at(-1);
    if (open !== undefined && before !== undefined && isCut(before, paragraph))
      texts[texts.length - 1] = joinTexts(open, paragraph.text, joinWords);
    else texts.push(paragraph.text);
    before = paragraph;
  }
  return { text: texts.join('\n\n'), title: findTitle(cover.length > 0 ? toParagraphs([cover], 0, joinWords) : front) };
};

/** A sentence that a chart or a table between its halves had cut in two. */
const isCut = (before: Paragraph, after: Paragraph): boolean =>
  !before.isRows &&
  !after.isRows &&
  /[\p{Ll},]$|[\p{L}]-$/u.test(before.text) &&
  !endsSentence(before.text) &&
  /^\p{Ll}{2}/u.test(after.text) &&
  Math.abs(before.size - after.size) < before.size * 0.1 &&
  countWords(before.text).words >= 8;
