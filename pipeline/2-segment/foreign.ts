/** Paragraphs of an English text that are in another language. */
import type { Span } from './sentence.js';

/** Words of English that other languages written in Latin letters hardly have, and that no page of its prose is without. */
const WORDS =
  'the and that this these with which have has been were would from their they you your of to it its our will what how can more just ' +
  'thanks thank good questions question please morning very think there about not should first second year years last next by than who ' +
  'some other only also if up out into over';
const ENGLISH = new RegExp(`(?<=\\s)(?:${WORDS.replaceAll(' ', '|')})(?=[\\s,.?])`, 'gi');
/** A paragraph with fewer of them than one in so many characters is looked at. */
const CHARACTERS_PER_WORD = 60;
/** A shorter paragraph says too little by its letters, and may be a name; what stands together is judged together. */
const MIN_LETTERS = 60;
const MIN_LETTERS_TOGETHER = 8;
/** Share of the words that begin in lower case: in rosters, headings and tables it is small. German nouns leave as many. */
const MIN_LOW = 0.4;
/** How far, of 1, another language must lie before English; French lies nearest, at 0.08 and more. */
const MIN_LEAD = 0.06;

const ADDRESS = /\/\/|www\.|@/;
const NO_LETTERS = /[\p{N}\p{P}\p{S}]+/gu;
const LETTERS = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** Any letter of another script than Latin, Greek symbols of formulas aside. */
const OTHER_SCRIPT = /[\u0370-\u1dff\u2c00-\ua71f\ua800-\udfff\uf900-\ufaff\ufe70-\uffdc]/;
const MIN_LETTERS_OF_SCRIPT = 4;

/**
 * The language, ISO 639-1, of each span that is certainly not in English, by its place in `blocks`; `und` where only the
 * script tells that it is none. Names, headings, addresses and tables are not marked: they are in no language for certain.
 */
export const findForeign = async (text: string, blocks: readonly Span[]): Promise<ReadonlyMap<number, string>> => {
  const found = new Map<number, string>();
  const doubtful = findDoubtful(text, blocks);
  if (doubtful.length === 0) return found;

  // Its tables take a second to load, and most texts never ask it.
  const { eld } = await import('eld/small');
  const detect = (words: string): { readonly language: string; readonly leadOf: (language: string) => number } => {
    const detected = eld.detect(words.replace(NO_LETTERS, ' '));
    const scores = detected.getScores();
    return {
      language: detected.isReliable() ? detected.language : '',
      leadOf: (language) => (scores[language] ?? 0) - (scores.en ?? 0),
    };
  };
  for (const { places, words, script } of doubtful) {
    const { language, leadOf } = detect(words);
    const known = language !== '' && language !== 'en' && leadOf(language) >= MIN_LEAD;
    if (known || script === 'other') for (const place of places) found.set(place, known ? language : 'und');
  }

  // Short headings and items of a foreign passage, from each foreign paragraph outwards.
  const goOn = (from: number, step: 1 | -1, language: string): void => {
    for (let at = from + step; !found.has(at); at += step) {
      const block = blocks[at];
      if (block === undefined) return;
      const words = wordsOf(text.slice(block.start, block.end));
      if (count(words, LETTERS) < MIN_LETTERS_TOGETHER || isEnglishAtOnce(words)) return;
      if (detect(words).leadOf(language) < MIN_LEAD) return;
      found.set(at, language);
    }
  };
  for (const [place, language] of [...found]) {
    goOn(place, -1, language);
    goOn(place, 1, language);
  }
  return found;
};

/** One paragraph, or some short ones that follow one another, that may be in another language. */
interface Doubtful {
  readonly places: readonly number[];
  readonly words: string;
  readonly script: 'latin' | 'other';
}

const findDoubtful = (text: string, blocks: readonly Span[]): readonly Doubtful[] => {
  const found: Doubtful[] = [];
  const hasOtherScript = OTHER_SCRIPT.test(text);
  let short: { places: number[]; words: string } = { places: [], words: '' };
  const close = (): void => {
    if (count(short.words, LETTERS) >= MIN_LETTERS) found.push({ ...short, script: 'latin' });
    short = { places: [], words: '' };
  };
  for (const [place, { start, end }] of blocks.entries()) {
    const slice = text.slice(start, end);
    if (hasOtherScript && OTHER_SCRIPT.test(slice) && isOfOtherScript(slice)) {
      found.push({ places: [place], words: slice, script: 'other' });
      close();
      continue;
    }
    const words = isEnglishAtOnce(slice) ? '' : wordsOf(slice);
    const letters = words === '' ? 0 : count(words, LETTERS);
    if (letters < MIN_LETTERS_TOGETHER || !isLowered(words)) close();
    else if (letters < MIN_LETTERS) {
      short.places.push(place);
      short.words += `${words}\n`;
    } else {
      close();
      found.push({ places: [place], words, script: 'latin' });
    }
  }
  close();
  return found;
};

/** Asked of every paragraph, so it reads no further than it must. */
const isEnglishAtOnce = (slice: string): boolean => {
  const wanted = Math.ceil(slice.length / CHARACTERS_PER_WORD);
  ENGLISH.lastIndex = 0;
  for (let found = 0; found < wanted; found += 1) if (!ENGLISH.test(slice)) return false;
  return true;
};

const isOfOtherScript = (slice: string): boolean => {
  const letters = count(slice, LETTERS);
  return letters >= MIN_LETTERS_OF_SCRIPT && count(slice, LATIN) * 2 < letters;
};

const isLowered = (words: string): boolean => {
  const all = words.match(/(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]+/gu) ?? [];
  return all.filter((word) => /^\p{Ll}/u.test(word)).length >= all.length * MIN_LOW;
};

/** Without addresses. Looked for in one word after the other: what looks back to a word's beginning is quadratic in its length. */
const wordsOf = (slice: string): string => slice.replace(/\S+/g, (word) => (ADDRESS.test(word) ? ' ' : word));

const count = (slice: string, pattern: RegExp): number => slice.match(pattern)?.length ?? 0;
