/**
 * Ends of pages that were run into one line with the text before and behind them, where a text lost its line breaks: a publisher's
 * footer, known by its form from its first words to its last, the number of the page, and the header of the next one; and the link back
 * that a site prints behind a note.
 */
import { isWhite, trimWhite } from './characters.js';
import type { Span } from './sentence.js';

/** A footer and a sentence beside it are longer. */
const SHORTEST = 400;
/** Every footer has it. */
const CERTAIN = ' STREETEVENTS | ';

const FOOTER =
  '(?<name>(?:THOMSON REUTERS|REFINITIV) STREETEVENTS \\| [^|©]{1,60} \\| [^|©]{1,30}?)' +
  '(?<notice>©[^©]{1,320} registered trademarks of [^.©]{1,80}\\.)';
const HEADER = '(?<header>\\p{Lu}{3,9} \\d{1,2}, \\d{4} / \\d{1,2}:\\d\\d ?[AP]M\\b.{0,10}, .{1,90}? Call\\b)';
/** The number stands before the footer or behind it, as the columns of the page were read. */
const PAGE_END = new RegExp(
  `(?:(?<=\\s)(?<before>\\d{1,3})\\s)?${FOOTER}(?:\\s?(?<behind>\\d{1,3})?\\s?${HEADER})?`,
  'dgu',
);

/** What pages print within the line of `text` from `start` to `end`, part by part, in order. */
export const findRunInPages = (text: string, start: number, end: number): readonly Span[] => {
  const link = findLink(text, start, end);
  if (end - start < SHORTEST) return link;
  const line = text.slice(start, end);
  if (!line.includes(CERTAIN)) return link;
  const pages = [...line.matchAll(PAGE_END)].flatMap(({ indices }) => {
    const { before, name, notice, behind, header } = indices?.groups ?? {};
    // Where a number stands behind the footer, one before it ends a sentence that goes on.
    const parts = [behind === undefined ? before : undefined, name, notice, behind, header];
    return parts.flatMap((part) => (part === undefined ? [] : [{ start: start + part[0], end: start + part[1] }]));
  });
  return [...pages, ...link];
};

const LINK = 'Return to text';

/** `Prices are at the end of the month.  Return to text` */
const findLink = (text: string, start: number, end: number): readonly Span[] => {
  const last = trimWhite(text, start, end);
  const at = last - LINK.length;
  return at > start && text.startsWith(LINK, at) && isWhite(text.charCodeAt(at - 1))
    ? [{ start: at, end: last }]
    : NONE;
};

const NONE: readonly Span[] = [];
