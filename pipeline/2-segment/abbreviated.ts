/** Whether a sentence ends at the full stop of an abbreviation, an acronym or an initial. */
import { abbreviationKind, COUNTRY_FOLLOWERS, LABELLED, TIME_ZONES } from './abbreviations.js';
import { isDigit, isLower, isUpper, isWhite, skipWhite } from './characters.js';
import { isContinuing, isFiniteVerb, starterStrength } from './starters.js';
import { tokenStart, wordAt } from './words.js';

/**
 * Undefined where the word before the stop is no abbreviation, so that the stop is an ordinary one.
 *
 * @param at position of the stop
 * @param word the word before it
 * @param tailEnd behind the closers of the stop
 * @param next the first letter or digit of what follows
 */
export const isAbbreviationEnd = (
  text: string,
  unitStart: number,
  at: number,
  word: string,
  tailEnd: number,
  next: number,
  end: number,
): boolean | undefined => {
  if (word === '') return undefined;
  const kind = GLUED_TITLE.test(word) ? 'title' : abbreviationKind(word);
  const isAcronym = word.length >= 3 && /^(?:\p{L}\.)+\p{L}{1,2}$/u.test(word);
  const isInitial = word.length === 1 && isUpper(word.charCodeAt(0)) && !isDigit(text.charCodeAt(at - 2));
  if (kind === undefined && !isAcronym && !isInitial) return undefined;
  const follow = readFollow(text, tailEnd, next, end);
  switch (kind) {
    case 'title':
      return !isBeforeName(word) && isCertain(follow);
    case 'inner':
      return false;
    case 'number':
      return endsAfterNumberWord(at, word, unitStart, follow);
    case 'company':
      return endsAfterCompany(word, follow);
    case 'final':
      return follow.opens === 'upper' ? follow.strength !== 'none' || !isAcronymLike(word) : follow.opens === 'bracket';
    case 'month':
      return follow.opens === 'upper' && follow.strength === 'certain';
    case 'time':
      if (
        !word.includes('.') &&
        !isDigit(text.charCodeAt(at - word.length - 1)) &&
        !isDigit(text.charCodeAt(at - word.length - 2))
      )
        return undefined;
      return endsAfterTime(text, unitStart, at, follow);
    case undefined:
      return isAcronym ? endsAfterAcronym(follow) : endsAfterInitial(text, unitStart, at, word, follow);
    default:
      return kind satisfies never;
  }
};

/** After these a name follows even where it looks like an ordinary word. */
const BEFORE_NAMES: ReadonlySet<string> = new Set('Mr Mrs Ms Mses Messrs Mme Dr Drs Prof St Shri Smt'.split(' '));

const isBeforeName = (word: string): boolean => BEFORE_NAMES.has(word) || GLUED_TITLE.test(word);

/** `includingMr.`: a space is missing. */
const GLUED_TITLE = /\p{Ll}(?:Mr|Mrs|Ms|Mme|Dr|Messrs)$/u;

interface Follow {
  readonly opens: 'upper' | 'lower' | 'digit' | 'bracket' | 'other';
  readonly word: string;
  readonly strength: 'certain' | 'likely' | 'none';
  /** The word after that, where it begins in lower case. */
  readonly second: string;
}

const readFollow = (text: string, tailEnd: number, next: number, end: number): Follow => {
  const opener = text.charCodeAt(skipWhite(text, tailEnd, end));
  const unit = text.charCodeAt(next);
  const word = wordAt(text, next, end);
  let wordEnd = next + word.length;
  const joined = text.charCodeAt(wordEnd) === 0x2d;
  if (joined) wordEnd += 1 + wordAt(text, wordEnd + 1, end).length;
  const behind = skipWhite(text, wordEnd, end);
  const second = isLower(text.charCodeAt(behind)) ? wordAt(text, behind, end) : '';
  const opens =
    opener === 0x5b ? 'bracket' : isUpper(unit) ? 'upper' : isLower(unit) ? 'lower' : isDigit(unit) ? 'digit' : 'other';
  return { opens, word: text.slice(next, wordEnd), strength: joined ? 'none' : starterStrength(word), second };
};

const isCertain = (follow: Follow): boolean =>
  follow.opens === 'bracket' || (follow.opens === 'upper' && follow.strength === 'certain');

const isLikely = (follow: Follow): boolean =>
  isCertain(follow) || (follow.opens === 'upper' && follow.strength === 'likely' && follow.second !== '');

const isAcronymLike = (word: string): boolean => word.includes('.');

/** `No. 38`, `Sec. 36`; but `No. I think`. */
const endsAfterNumberWord = (at: number, word: string, unitStart: number, follow: Follow): boolean | undefined => {
  if (follow.opens === 'digit') return false;
  if (word === 'No' || word === 'no') {
    if (follow.opens === 'upper')
      return follow.word.length > 1 || follow.word === 'I' || follow.word === 'A' || at - word.length === unitStart;
    return follow.opens === 'bracket' ? true : undefined;
  }
  // `at par.`, `the app.`: without a number the word is a word.
  return isLower(word.charCodeAt(0)) ? undefined : isCertain(follow);
};

const endsAfterCompany = (word: string, follow: Follow): boolean => {
  if (follow.opens === 'bracket') return true;
  if (follow.opens !== 'upper') return false;
  return isLikely(follow) || (isLower(word.charCodeAt(0)) && follow.strength !== 'none');
};

const SHORT_OPENING = /^(?:At|By|From|On|Until|Between|Around|After|Before|Since)\s/;

const endsAfterTime = (text: string, unitStart: number, at: number, follow: Follow): boolean => {
  if (follow.opens === 'bracket') return true;
  if (follow.opens !== 'upper' || TIME_ZONES.has(follow.word)) return false;
  const head = text.slice(unitStart, Math.min(at, unitStart + 40));
  // `At 5 a.m. Mr. Smith went`: nothing has happened yet that a sentence could end with.
  if (at - unitStart < 40 && SHORT_OPENING.test(head) && head.split(/\s+/).length <= 4) return false;
  return follow.strength !== 'none' || abbreviationKind(follow.word) === 'title';
};

const endsAfterAcronym = (follow: Follow): boolean => {
  if (follow.opens === 'bracket') return true;
  if (follow.opens !== 'upper') return false;
  if (follow.strength === 'certain') return true;
  if (COUNTRY_FOLLOWERS.has(follow.word)) return false;
  if (follow.strength === 'likely') return follow.second !== '';
  if (/ing$/.test(follow.word)) return isContinuing(follow.second);
  return follow.word.length > 1 && (isFiniteVerb(follow.second) || (/ly$/.test(follow.word) && follow.second === ''));
};

const endsAfterInitial = (text: string, unitStart: number, at: number, word: string, follow: Follow): boolean => {
  if (follow.opens === 'bracket') return true;
  if (follow.opens === 'lower' || follow.opens === 'other') return false;
  const from = tokenStart(text, at - 1, unitStart);
  // Part of a longer token: `AT&T.`, `7-A.`, `Q&A.`
  if (from < at - 1 && !isOnlyOpeners(text, from, at - 1)) return true;
  let previousEnd = from;
  while (previousEnd > unitStart && isWhite(text.charCodeAt(previousEnd - 1))) previousEnd--;
  const previousStart = tokenStart(text, previousEnd, unitStart);
  const previous = text.slice(previousStart, previousEnd).replace(/^[("“'*_[]+|[,;:*_]+$/g, '');
  if (previous === '' || isAfterListMark(text, unitStart, from)) return false;
  if (follow.opens === 'digit') return isLower(previous.charCodeAt(0)) && !isContinuing(previous);
  if (follow.word.length === 1 && follow.word !== 'I' && follow.word !== 'A') return false;
  if (isCertain(follow)) return true;
  if (LABELLED.has(previous)) return follow.second !== '';
  return isLower(previous.charCodeAt(0)) && !isContinuing(previous) && word !== 'I';
};

/** `undertaken: A. To adjust…; and B. To keep`: the letter counts what follows. */
const isAfterListMark = (text: string, unitStart: number, from: number): boolean =>
  /[:;](?:\s+(?:and|or))?\s+$/.test(text.slice(Math.max(unitStart, from - 8), from));

const isOnlyOpeners = (text: string, from: number, to: number): boolean => /^["“'‘([*_]+$/.test(text.slice(from, to));
