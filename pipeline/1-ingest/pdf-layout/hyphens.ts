/** Lines of a paragraph as one text; words that were cut at a line's end are whole again. */
import type { Line } from './lines.js';

export type JoinWords = (head: string, tail: string) => string;

export const joinLines = (lines: readonly Line[], joinWords: JoinWords): string => {
  let text = '';
  for (const line of lines)
    if (text === '') text = line.text;
    else text = line.isRow ? `${text}\n${line.text}` : joinTexts(text, line.text, joinWords);
  return text.replaceAll('\u00ad', '');
};

/** What goes on in the next line, or behind what stood between. */
export const joinTexts = (head: string, tail: string, joinWords: JoinWords): string => {
  if (/\p{L}[-\u00ad‐]$/u.test(head) && /^\p{Ll}/u.test(tail)) return joinWords(head, tail);
  return /[–—/]$/.test(head) && !/\s[–—/]$/.test(head) ? head + tail : `${head} ${tail}`;
};

const LONGEST_WORD = 100;

/** Joins a word that is parted by a hyphen at a line's end, by how the same document writes it elsewhere. */
export const hyphenJoiner = (pages: readonly (readonly Line[])[]): JoinWords => {
  const words = wordsOf(pages.flat());
  return (head, tail) => {
    const first = /\p{L}+(?=[-\u00ad‐]$)/u.exec(head.slice(-LONGEST_WORD))?.[0].toLowerCase() ?? '';
    const second = /^\p{Ll}+/u.exec(tail)?.[0] ?? '';
    const bare = head.slice(0, -1);
    if (head.endsWith('\u00ad') || words.has(first + second)) return bare + tail;
    const isCompound = words.has(`${first}-${second}`) || (words.has(first) && words.has(second));
    return isCompound ? head + tail : bare + tail;
  };
};

/** Whole words: what a line end cut in two is left out. */
const wordsOf = (lines: readonly Line[]): ReadonlySet<string> => {
  const words = new Set<string>();
  let cut = false;
  for (const { text } of lines) {
    const found = text.toLowerCase().match(/\p{L}+(?:[-‐]\p{L}+)*/gu) ?? [];
    const ends = /\p{L}[-\u00ad‐]$/u.test(text);
    for (const word of found.slice(cut ? 1 : 0, ends ? -1 : undefined)) words.add(word);
    cut = ends;
  }
  return words;
};
