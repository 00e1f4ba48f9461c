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
  if (isSuspended(head, tail)) return `${head} ${tail}`;
  if (/\p{L}[-\u00ad‐]$/u.test(head) && /^\p{Ll}/u.test(tail)) return joinWords(head, tail);
  if (/[\p{L}\p{N}][-‐]$/u.test(head) && /^[\p{L}\p{N}]/u.test(tail)) return head + tail;
  return /[–—/]$/.test(head) && !/\s[–—/]$/.test(head) ? head + tail : `${head} ${tail}`;
};

/** `short-` `and long-term`: nothing belongs to that hyphen. */
const isSuspended = (head: string, tail: string): boolean => /\p{L}[-‐]$/u.test(head) && /^(?:and|or) /.test(tail);

const LONGEST_WORD = 100;

/** Fewer line ends at the hyphens of compounds say nothing of a word that the document writes no part of elsewhere. */
const MIN_COMPOUNDS = 3;

/**
 * Joins a word that is parted by a hyphen at a line's end, by how the same document writes it, or both its halves, elsewhere.
 * Where it does not: by whether the other line ends of the document cut words, or stand at the hyphens of compounds.
 */
export const hyphenJoiner = (pages: readonly (readonly Line[])[]): JoinWords => {
  const lines = pages.flat();
  const { words, members } = wordsOf(lines);
  const count = (word: string): number => words.get(word) ?? 0;
  const isKnown = (word: string): boolean => words.has(word) || members.has(word);

  const judge = (head: string, tail: string): 'cut' | 'compound' | 'half known' | 'unknown' => {
    if (head.endsWith('\u00ad')) return 'cut';
    const first = /\p{L}+(?=[-‐]$)/u.exec(head.slice(-LONGEST_WORD))?.[0].toLowerCase() ?? '';
    const second = /^\p{Ll}+/u.exec(tail)?.[0] ?? '';
    const [whole, compound] = [count(first + second), count(`${first}-${second}`)];
    if (whole > 0 || compound > 0) return whole >= compound ? 'cut' : 'compound';
    if (isKnown(first) && isKnown(second)) return 'compound';
    return isKnown(first) || isKnown(second) ? 'half known' : 'unknown';
  };

  const judged = lines.map(({ text }, index) => {
    const next = lines[index + 1]?.text ?? '';
    return isHyphenated(text) && /^\p{Ll}/u.test(next) && !isSuspended(text, next) ? judge(text, next) : undefined;
  });
  const cuts = judged.filter((each) => each === 'cut').length;
  const compounds = judged.filter((each) => each === 'compound').length;
  return (head, tail) => {
    const found = judge(head, tail);
    const isCompound =
      found === 'compound' ||
      (found === 'half known' && compounds > cuts) ||
      (found === 'unknown' && compounds >= cuts + MIN_COMPOUNDS);
    return isCompound ? head + tail : head.slice(0, -1) + tail;
  };
};

const isHyphenated = (text: string): boolean => /\p{L}[-\u00ad‐]$/u.test(text);

interface KnownWords {
  /** How often each is written; what a line's end cut in two is left out. */
  readonly words: ReadonlyMap<string, number>;
  /** Parts of compounds: `non` of `non-food`. */
  readonly members: ReadonlySet<string>;
}

const wordsOf = (lines: readonly Line[]): KnownWords => {
  const words = new Map<string, number>();
  const members = new Set<string>();
  let wasCut = false;
  for (const { text } of lines) {
    const found = text.toLowerCase().match(/\p{L}+(?:[-‐]\p{L}+)*/gu) ?? [];
    const isCut = isHyphenated(text);
    for (const word of found.slice(wasCut ? 1 : 0, isCut ? -1 : undefined)) {
      const parts = word.split(/[-‐]/u);
      words.set(parts.join('-'), (words.get(parts.join('-')) ?? 0) + 1);
      if (parts.length > 1) for (const part of parts) members.add(part);
    }
    wasCut = isCut;
  }
  return { words, members };
};
