/** Enumerators, bullets and labels at the start of a line: `12.`, `(a)`, `ii.`, `A46`, `•`, `[Note 1]`, `*`. */

export interface Mark {
  readonly kind: MarkKind;
  /** Position behind the mark and the white space after it. */
  readonly end: number;
  /** The mark as it stands, without white space. */
  readonly text: string;
}

/**
 * `number`: 12. or 12); `bare`: 12 Text; `letter`: a. or A) or ii.; `paren`: (a); `bullet`: • or -; `note`: [1] or [Note 1] or 1);
 * `star`: an asterisk glued to the text it explains
 */
export type MarkKind = 'number' | 'bare' | 'letter' | 'paren' | 'bullet' | 'note' | 'star';

const EMPHASIS = '[*_#\\s]{0,6}';
const MARKS: readonly (readonly [MarkKind, RegExp])[] = [
  ['bullet', /(?:[•●○◦▪■□‣⁃◆◇►▶➢✓·∙\uf000-\uf0ff]\s*|[-–—*+o]\s+|[Ø§ü]\s+(?=\p{Lu}))(?=\S)/uy],
  ['number', new RegExp(`${EMPHASIS}\\d{1,3}(?:\\.\\d{1,2}){0,2}(?:\\.\\)|[.)])[*_]{0,3}\\s+(?=\\S)`, 'uy')],
  ['paren', new RegExp(`${EMPHASIS}\\((?:\\d{1,2}|[a-zA-Z]|[ivx]{1,5}|[IVX]{1,5})\\)[*_]{0,3}\\s+(?=\\S)`, 'uy')],
  [
    'note',
    new RegExp(
      `${EMPHASIS}(?:\\[(?:[Nn]ote )?\\d{1,3}\\)?\\]|\\d{1,2}/(?=\\s+\\p{Lu})|[\\u00b9\\u00b2\\u00b3\\u2070-\\u2079]{1,3})\\s*(?=\\S)`,
      'uy',
    ),
  ],
  [
    'letter',
    new RegExp(
      `${EMPHASIS}(?:[a-zA-Z]|[ivx]{1,5}|[IVX]{1,5}|[\\u2160-\\u217f])(?:\\.\\)|[.)])[*_]{0,3}\\s+(?=\\S)`,
      'uy',
    ),
  ],
  ['bare', new RegExp(`${EMPHASIS}(?:\\d{1,3}|[A-Z]\\d{1,3})[*_]{0,3}\\s+(?=[*_"“'‘(]{0,3}\\p{Lu})`, 'uy')],
  ['star', /\*{1,3}(?=\p{Lu})/uy],
];

/** The mark at `start`, if the line goes on behind it. */
export const readMark = (text: string, start: number, end: number): Mark | undefined => {
  if (!mayBeMark(text.charCodeAt(start))) {
    const second = text.charCodeAt(start + 1);
    // A lone letter can be a mark only when `.`, `)`, a digit or a space follows.
    if (
      second !== 0x2e &&
      second !== 0x29 &&
      second !== 0x20 &&
      !(second >= 0x30 && second <= 0x39) &&
      !isRoman(text, start)
    )
      return undefined;
  }
  for (const [kind, pattern] of MARKS) {
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    const markEnd = pattern.lastIndex;
    if (markEnd >= end) return undefined;
    return { kind, end: markEnd, text: text.slice(start, markEnd).trim() };
  }
  return undefined;
};

const LONE_MARK =
  /^[*_#]{0,3}(?:\d{1,3}(?:\.\d{1,2})?(?:\.\)|[.)])|[A-Z]\d{1,3}\.?|\((?:\d{1,2}|[a-z]|[ivx]{1,5})\)|[a-z][.)]|[IVX]{1,5}\.|[\u2160-\u217f]\.?|[•●○◦▪■□‣⁃◆◇►▶➢✓·∙\uf000-\uf0ff])[*_]{0,3}$/u;

/** Whether a line is a mark alone: what it introduces stands on the next line. */
export const isLoneMark = (line: string): boolean => LONE_MARK.test(line);

const mayBeMark = (unit: number): boolean => !((unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a));

const isRoman = (text: string, start: number): boolean => 'ivxIVX'.includes(text.charAt(start));
