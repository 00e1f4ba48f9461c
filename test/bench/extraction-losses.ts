/** Why extraction and a released text differ: words that only one of them has, counted by what became of them. */
import { findRepeated, findShared, toWords } from '../support/words.js';

export interface Texts {
  readonly released: readonly string[];
  /** Ours, with its paragraphs. */
  readonly text: string;
  /** All words of the file. */
  readonly raw: readonly string[];
}

/** Words of the release that ours has not at their place. */
export interface Missing {
  /** In passages that the release has oftener than the file. */
  readonly repeated: number;
  /** Numbers alone: marks of notes, and of pages. */
  readonly numbers: number;
  /** Ours has the same letters there with other spaces: the release, or ours, joins or parts words. */
  readonly respaced: number;
  /** Ours has them at another place: a note in the middle of a sentence, a line out of order. */
  readonly moved: number;
  /** The file has them, ours not: dates, titles, names of those present, running feet. */
  readonly leftOut: number;
  /** The file has no such words in a row. */
  readonly absent: number;
}

/** Words of ours that the release has not at their place. */
export interface Added {
  /** Behind the last word that the release has. */
  readonly tail: number;
  /** In paragraphs of which the release has less than half. */
  readonly paragraphs: number;
  /** Within the others. */
  readonly lines: number;
}

export const explainMissing = ({ released, text, raw }: Texts): Missing => {
  const ours = toWords(text);
  const { inFirst, added } = findShared(released, ours);
  const repeated = findRepeated(released, raw);
  const isLost = (at: number): boolean => !inFirst.has(at) && !repeated.has(at);
  const oursJoined = ours.join('');
  const rawJoined = raw.join('');
  const addedJoined = new Set(added.map((stretch) => stretch.replaceAll(' ', '')));
  const counts = { repeated: 0, numbers: 0, respaced: 0, moved: 0, leftOut: 0, absent: 0 };
  for (let at = 0; at < released.length; at += 1) {
    if (!inFirst.has(at) && repeated.has(at)) counts.repeated += 1;
    if (!isLost(at) || (at > 0 && isLost(at - 1))) continue;
    const from = at;
    let to = at;
    while (to < released.length && isLost(to)) to += 1;
    const joined = released.slice(from, to).join('');
    counts[whyLost(joined, addedJoined, oursJoined, rawJoined)] += to - from;
  }
  return counts;
};

/** Shorter stretches stand anywhere by chance. */
const MIN_LETTERS = 4;

const whyLost = (
  stretch: string,
  added: ReadonlySet<string>,
  ours: string,
  raw: string,
): Exclude<keyof Missing, 'repeated'> => {
  if (/^\d{1,3}$/.test(stretch)) return 'numbers';
  if (added.has(stretch)) return 'respaced';
  if (stretch.length >= MIN_LETTERS && ours.includes(stretch)) return 'moved';
  return raw.includes(stretch) ? 'leftOut' : 'absent';
};

export const explainAdded = ({ released, text }: Texts): Added => {
  const { inSecond } = findShared(released, toWords(text));
  const last = [...inSecond].reduce((most, word) => Math.max(most, word), -1);
  const counts = { tail: 0, paragraphs: 0, lines: 0 };
  let at = 0;
  for (const paragraph of text.split('\n\n')) {
    const end = at + toWords(paragraph).length;
    const own = [...Array(end - at).keys()].map((index) => at + index);
    const surplus = own.filter((word) => !inSecond.has(word));
    const kind = surplus.length * 2 > own.length ? 'paragraphs' : 'lines';
    for (const word of surplus) counts[word > last ? 'tail' : kind] += 1;
    at = end;
  }
  return counts;
};
