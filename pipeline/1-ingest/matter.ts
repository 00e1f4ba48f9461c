/**
 * Which paragraphs of a document are its text, and which stand around it: title block and letterhead, contents, lists of
 * those present, tables, charts with their labels and sources, signatures and addresses. No sentence is in these, and
 * whatever counts sentences would count them as such.
 */
import { countWords, endsSentence, startsItem } from './words.js';

export interface Paragraph {
  readonly text: string;
  /** Height of its font in points, of its first line. */
  readonly size: number;
  /** Rows of cells, a line each. */
  readonly isRows: boolean;
  /** Stood at the foot of a page. */
  readonly isNote: boolean;
  /** Marked as one by the format; PDFs mark none. */
  readonly isHeading: boolean;
}

export interface MatterOptions {
  /** The size of font that most of the text has. */
  readonly bodySize: number;
  /** What stands before the text: where nothing marks a heading, all of it goes with letterhead and date. */
  readonly front: 'keep' | 'drop';
}

export interface Matter {
  readonly paragraphs: readonly Paragraph[];
  /** What stands before the text. */
  readonly front: readonly Paragraph[];
}

export type Kind = 'text' | 'fragment' | 'label' | 'names' | 'figures' | 'contact';

/** A document of which less than this share of letters would stay, is all tables and lists; it is left as it is. */
const MIN_TEXT_SHARE = 0.3;

export const keepText = (all: readonly Paragraph[], { bodySize, front }: MatterOptions): Matter => {
  const kinds = kindsOf(all, bodySize);
  const smallPrint = findSmallPrint(all, kinds, bodySize);
  const kept = new Set<Paragraph>();
  const first = kinds.indexOf('text');
  const last = kinds.lastIndexOf('text');
  for (let at = front === 'keep' ? 0 : Math.max(0, first); at <= last; ) {
    const end = endOfRun(kinds, at);
    const run = all.slice(at, end);
    for (const paragraph of kinds[at] === 'text' ? run : keepLabels(run, kinds.slice(at, end), bodySize))
      if (!smallPrint.has(paragraph)) kept.add(paragraph);
    at = end;
  }
  const heading = all[first - 1];
  if (heading !== undefined && isEnumerated(heading.text) && kinds[first - 1] !== 'figures') kept.add(heading);
  const signature = all[last + 1];
  if (signature !== undefined && kinds[last + 1] === 'names' && !IS_PERSON.test(signature.text)) kept.add(signature);

  const letters = (paragraphs: readonly Paragraph[]) =>
    paragraphs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
  const paragraphs = all.filter((paragraph) => kept.has(paragraph));
  if (letters(paragraphs) < letters(all) * MIN_TEXT_SHARE) return { paragraphs: all, front: [] };
  return { paragraphs, front: all.slice(0, first) };
};

const endOfRun = (kinds: readonly Kind[], from: number): number => {
  const isText = kinds[from] === 'text';
  let end = from + 1;
  while (end < kinds.length && (kinds[end] === 'text') === isText) end += 1;
  return end;
};

/** Addresses and contents show at once; nobody's text is searched at length for them. */
const HEAD_CHARACTERS = 2000;
const TAIL_CHARACTERS = 20;
const SHORT_SENTENCE = 10;
const LARGE = 1.15;
/** As many words that end in a stop are a sentence, also where it is that of `a.m.` or `p.a.` */
const LONG = 12;
const CONTACT =
  /\S@\S+\.\S|\bwww\.|https?:|\b(?:tele?phone|telefax|phone|fax|tel|e-?mail|website|P\.?\s?O\.? Box)\b\s*(?:number|no\.)?\s*[:.+]/i;
const LEADERS = /(?:\.\s?){4,}\s*\d|…\s*\d/;

/** Half a sentence is text where it stands beside text; among labels it is one. */
export const kindsOf = (all: readonly Paragraph[], bodySize: number): readonly Kind[] => {
  const kinds = all.map((paragraph) => kindOf(paragraph, bodySize));
  const isText = (kind: Kind | undefined): boolean => kind === 'text' || kind === 'fragment';
  return kinds.map((kind, at) => {
    if (kind !== 'fragment') return kind;
    return isText(kinds[at - 1]) || isText(kinds[at + 1]) ? 'text' : 'label';
  });
};

const kindOf = ({ text, size, isRows }: Paragraph, bodySize: number): Kind => {
  const { words, low, capitalised, figures, parts } = countWords(text);
  const head = text.slice(0, HEAD_CHARACTERS);
  if (LEADERS.test(head)) return 'figures';
  if (isRows) return words >= 8 && low > capitalised && figures < parts * 0.2 ? 'text' : 'figures';
  const isLow = low * 2 >= words && words > 0;
  const isWordy = figures < parts * 0.5;
  const saysSomething = VERB.test(text) || (words >= 6 && low >= 2 && low * 3 >= capitalised);
  if (
    words >= 4 &&
    isWordy &&
    saysSomething &&
    (endsSentence(text) || (words >= LONG && /\.\W*$/.test(text.slice(-TAIL_CHARACTERS))))
  )
    return 'text';
  if (words >= 2 && words <= SHORT_SENTENCE && low >= 1 && size <= bodySize * LARGE && isShortSentence(text))
    return 'text';
  if (words >= 20 && isWordy && low > capitalised) return 'text';
  if (startsItem(text) && words >= 3 && isLow) return 'text';
  if (/^\p{Ll}/u.test(text) && words >= 4 && isLow && figures < parts * 0.3) return 'fragment';
  if (CONTACT.test(head)) return 'contact';
  if (figures > parts * 0.5 || words === 0) return 'figures';
  return capitalised >= 2 && low * 4 <= capitalised ? 'names' : 'label';
};

/** `Thank you.`, `The Board met in May.`; not what names a person with a title, or a source. */
const isShortSentence = (text: string): boolean =>
  /[.!?]\W*$/.test(text.slice(-TAIL_CHARACTERS)) &&
  endsSentence(text) &&
  (text.match(/[,;]/g)?.length ?? 0) <= 2 &&
  !/\(\d{4}\w?\)/.test(text);

const CAPTION = /^(?:appendix\s+)?(?:chart|figure|table|graph|exhibit)\s*[\dA-Z]|^(?:source|note)s?\b/i;
const LIST_OF_NAMES = 4;
const IS_PERSON = /^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Shri)\b|\s[-–—]\s|,\s/;

const keepLabels = (run: readonly Paragraph[], kinds: readonly Kind[], bodySize: number): readonly Paragraph[] => {
  const heading = run.length - 1;
  const isHeading = ({ text, size }: Paragraph, index: number): boolean =>
    (isEnumerated(text) && size > bodySize * SMALL_PRINT) ||
    (index === heading && size >= bodySize * 0.97 && !IS_PERSON.test(text));
  const hasFigures = kinds.includes('figures');
  const names = kinds.filter((kind) => kind === 'names').length;
  return run.filter((paragraph, index) => {
    const kind = kinds[index];
    // Notes are the text's own, also where they only name a source.
    if (paragraph.isNote || paragraph.isHeading) return true;
    if (kind === 'figures' || kind === 'contact' || CAPTION.test(paragraph.text)) return false;
    if (hasFigures || names >= LIST_OF_NAMES) return isHeading(paragraph, index);
    return kind !== 'names' || !isListOfNames(paragraph.text);
  });
};

/** `II. …`, `B. …`, `3.1 …`: a heading even where it stands among labels. A person's initial is none. */
const isEnumerated = (text: string): boolean =>
  /^(?:\(?(?:\d{1,2}|[A-Z]|[IVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?)\s+\p{Lu}/u.test(text) && !isListOfNames(text);

const isListOfNames = (text: string): boolean => (text.match(/[,;]/g)?.length ?? 0) >= 3 && !VERB.test(text);

/** Of sentences whose other words are names: who was there, who voted how. */
const VERB =
  /\b(?:was|were|is|are|be|been|has|have|had|attended|dissented|supported|preferred|decided|votes?|voted|voting)\b/i;

const MAX_SOURCE_WORDS = 60;
const SMALL_PRINT = 0.92;
/** As many single figures in a row are the axis of a chart. */
const AXIS_FIGURES = 3;

/** `Source: …`, and what else is said in small print behind a table or a chart. */
const findSmallPrint = (
  all: readonly Paragraph[],
  kinds: readonly Kind[],
  bodySize: number,
): ReadonlySet<Paragraph> => {
  const found = new Set<Paragraph>();
  let figures = 0;
  let isBehindChart = false;
  for (const [index, paragraph] of all.entries()) {
    const { text, size, isRows, isNote } = paragraph;
    figures = kinds[index] === 'figures' ? figures + 1 : kinds[index] === 'text' ? 0 : figures;
    if (figures >= AXIS_FIGURES || (isRows && kinds[index] === 'figures')) isBehindChart = true;
    const isSmall = !isNote && size <= bodySize * SMALL_PRINT;
    if (!isSmall && kinds[index] !== 'text') continue;
    if (isSmall && (CAPTION.test(text) || (isBehindChart && countWords(text).words <= MAX_SOURCE_WORDS)))
      found.add(paragraph);
    else isBehindChart = false;
  }
  return found;
};

const MAX_TITLE = 300;

/** What stands largest before the text. */
export const findTitle = (front: readonly Paragraph[]): string | null => {
  const named = front.filter(
    ({ text }) => countWords(text).words >= 2 && text.length <= MAX_TITLE && !CONTACT.test(text),
  );
  const largest = named.reduce((most, { size }) => Math.max(most, size), 0);
  const start = named.findIndex(({ size }) => size >= largest * 0.95);
  let title = '';
  for (const { text, size } of named.slice(Math.max(0, start))) {
    if (size < largest * 0.95 || title.length + text.length > MAX_TITLE) break;
    title = `${title} ${text}`.trim();
  }
  return title === '' ? null : title;
};
