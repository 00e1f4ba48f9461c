/** From the lines of pages to the text of their document. */
import { findTitle, keepText, type Paragraph } from '../matter.js';
import { countWords, endsSentence, needsMore, startsItem } from '../words.js';
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
  // The last paragraph of the text: what goes on in the next one stands behind the notes between them.
  let before: { readonly paragraph: Paragraph; readonly at: number } | undefined;
  for (const paragraph of paragraphs) {
    if (paragraph.isNote) {
      texts.push(paragraph.text);
      continue;
    }
    const open = before === undefined ? undefined : texts[before.at];
    if (before !== undefined && open !== undefined && isCut({ ...before.paragraph, text: open }, paragraph))
      texts[before.at] = joinTexts(open, paragraph.text, joinWords);
    else {
      before = { paragraph, at: texts.length };
      texts.push(paragraph.text);
    }
  }
  return { text: texts.join('\n\n'), title: findTitle(cover.length > 0 ? toParagraphs([cover], 0, joinWords) : front) };
};

/** A sentence that a chart, a table or a note between its halves had cut in two. */
const isCut = (before: Paragraph, after: Paragraph): boolean =>
  !before.isRows &&
  !after.isRows &&
  Math.abs(before.size - after.size) < before.size * 0.1 &&
  countWords(before.text).words >= 8 &&
  !endsSentence(before.text) &&
  ((/[\p{L},]$|\p{L}-$/u.test(before.text) && /^\p{Ll}{2}/u.test(after.text)) ||
    (needsMore(before.text) && /^[\p{L}$€£¥(“"]/u.test(after.text) && !startsItem(after.text)));
