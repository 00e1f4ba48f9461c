/** What the words of a line or block say of what it is, in any language that has capitals, and in those that have none. */

const ENDS = /[.!?:;…。！？]["'”’)\]]*$/;
const ENDS_IN_ABBREVIATION =
  /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Messrs|Shri|St|No|Nos|vs|cf|pp?|al|e\.g|i\.e|U\.S)|(?:^|[\s.])\p{L})\.$/u;
const STARTS_ITEM = /^(?:[^\p{L}\p{N}\s"'“‘([$€£¥]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s)/u;

/** Words that stand in lower case within names and titles. */
const SMALL_WORDS = new Set(
  'a an and as at by da de del der di do dos du e for from in la le of on or present the to with y'.split(' '),
);

export const endsSentence = (text: string): boolean => ENDS.test(text) && !ENDS_IN_ABBREVIATION.test(text);

/** Words in lower case that no sentence, heading or item ends with: what they belong to comes behind them. */
const NEEDS_MORE = new RegExp(
  `(?:^|[\\s(\\u2013\\u2014-])(?:${[
    'a an the its their our my your whose',
    'of to from with without in into on onto upon at by for within between among during since until under despite against towards toward about',
    'and or nor but than as if whether because although while whereas unless that which who where when',
    'is are was were be been being am has have had will would could should may might must cannot shall',
    'around approximately roughly nearly almost',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
);

/** Cannot end here: a comma, a hyphen, or a word whose phrase comes behind it. */
export const needsMore = (text: string): boolean => {
  const end = text.slice(-TAIL_CHARACTERS);
  return /[\p{L}\p{N})”"’%],$|[\p{L}\p{N}][-‐]$/u.test(end) || NEEDS_MORE.test(end);
};

/** Longer than any word of the list. */
const TAIL_CHARACTERS = 24;

/** Starts with a bullet or an enumerator. */
export const startsItem = (text: string): boolean => STARTS_ITEM.test(text);

export interface Words {
  readonly words: number;
  /** In lower case, function words of names and titles left out; in scripts without case, all. */
  readonly low: number;
  readonly capitalised: number;
  /** Numbers and single letters, as on the axes of a chart. */
  readonly figures: number;
  /** Parts between white space. */
  readonly parts: number;
}

export const countWords = (text: string): Words => {
  let [words, low, capitalised, figures, parts] = [0, 0, 0, 0, 0];
  for (const part of text.split(/[\s|]+/)) {
    if (part === '') continue;
    parts += 1;
    const word = /\p{L}[\p{L}\p{M}'’.‐-]*/u.exec(part)?.[0];
    const digits = part.match(/\d/g)?.length ?? 0;
    if (
      word === undefined ||
      /^\W*\d/.test(part) ||
      digits * 2 >= part.length ||
      (part.length === 1 && !/^[aAI]$/.test(part))
    ) {
      if (/[\p{N}\p{L}]/u.test(part)) figures += 1;
      continue;
    }
    words += 1;
    if (/^\p{Lu}/u.test(word)) capitalised += 1;
    else if (!SMALL_WORDS.has(word)) low += 1;
  }
  return { words, low, capitalised, figures, parts };
};
