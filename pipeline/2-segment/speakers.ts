/** Finds the lines of a transcript that say who speaks next. */
import { isUpper } from './characters.js';
import type { Line } from './lines.js';
import { isFullName } from './names.js';
import { isRosterHeading } from './rosters.js';
import type { SegmentOptions } from './sentence.js';
import {
  readBracketed,
  readColon,
  readCommaTitle,
  readDashed,
  readHyphened,
  readLettered,
  readOperator,
  readPair,
  readTimed,
  type Speaker,
} from './speaker-lines.js';

export interface SpeakerLine extends Speaker {
  /** Index of the line. */
  readonly line: number;
  readonly start: number;
}

const LONGEST_LINE = 200;

/**
 * All speaker lines in order, those of rosters left out; empty where nothing proves a transcript.
 *
 * @param listed the names of the participants
 */
export const findSpeakers = (
  text: string,
  lines: readonly Line[],
  kind: SegmentOptions['kind'],
  listed: ReadonlySet<string>,
): SpeakerLine[] => {
  const strong = readAll(text, lines, readStrong);
  const colons = readAll(text, lines, readColon);
  const hasOperator = strong.some(({ role }) => role === 'operator') || colons.some(({ role }) => role === 'operator');
  const all = merge(merge(strong, findWeak(text, lines, listed)), keepSpeakingColons(colons, hasOperator));
  const found = withoutRosters(text, lines, all);
  if (found.length === 0 && kind === 'transcript') return readAll(text, lines, readGreeting);
  return hasOperator || kind === 'transcript' || strong.some(isProof) || isDialogue(found) ? found : [];
};

/** Minutes have rosters with dashes too, but call everybody Mr. or Ms. */
const isProof = ({ name, role }: SpeakerLine): boolean => role !== undefined && !/^(?:Mr|Ms|Mrs|Dr)\b/.test(name);

/** Without an operator or a line `Name -- Title`: an officer or analyst speaks again and again, and not alone. */
const isDialogue = (found: readonly SpeakerLine[]): boolean => {
  const known = countNames(found.filter(isProof));
  return countNames(found).size >= 2 && Math.max(0, ...known.values()) >= 3;
};

const countNames = (found: readonly SpeakerLine[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

type Reader = (line: string, below: string) => Speaker | undefined;

const readAll = (text: string, lines: readonly Line[], read: Reader): SpeakerLine[] => {
  const found: SpeakerLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'text') continue;
    const head = withoutEmphasis(text.slice(line.start, Math.min(line.end, line.start + LONGEST_LINE + 1)));
    if (!isUpper(head.charCodeAt(0)) && !head.startsWith('<')) continue;
    const next = lines[index + 1];
    const below =
      next?.kind === 'text' ? text.slice(next.start, Math.min(next.end, next.start + LONGEST_LINE + 1)) : '';
    const speaker = read(head, below);
    if (speaker !== undefined) found.push({ ...speaker, line: index, start: line.start });
  }
  return found;
};

/** `**Ida Holm** -- *CEO*` */
const withoutEmphasis = (line: string): string =>
  line.startsWith('*') || line.startsWith('_') ? line.replace(/\*+|_{2,}|^_|_$/g, '').trim() : line;

const readStrong: Reader = (line) =>
  readOperator(line) ??
  readTimed(line) ??
  readBracketed(line) ??
  (line.length <= LONGEST_LINE && !line.endsWith(':') ? readDashed(line) : undefined);

const GREETING = /^(?:Good (?:morning|afternoon|evening|day)|Thank you|Thanks|Hello|Welcome|Hi)\b/;

/** In a script without an operator: a name alone on its line, above words that open a speech. */
const readGreeting: Reader = (line, below) =>
  isFullName(line) && GREETING.test(below)
    ? { shape: 'line', proof: 'weak', name: line, title: '', role: undefined }
    : undefined;

/** `Ida Holm, CEO of Northwind: Thank you`: what follows the colon is said, whatever the line looks like. */
const SPEECH = /:\s+\p{Lu}/u;

/** Shapes that also occur in documents, and names alone on a line once they are known. */
const findWeak = (text: string, lines: readonly Line[], listed: ReadonlySet<string>): SpeakerLine[] => {
  const titled = readAll(text, lines, (line, below) =>
    line.length > LONGEST_LINE || SPEECH.test(line)
      ? undefined
      : (readLettered(line) ?? readHyphened(line) ?? readPair(line, below) ?? readCommaTitle(line)),
  );
  const alone = readAll(text, lines, (line, below) =>
    isFullName(line) && below !== ''
      ? { shape: 'line', proof: 'weak', name: line, title: '', role: undefined }
      : undefined,
  );
  const known = new Map(titled.map(({ name, role, title }) => [name, { role, title }]));
  const announced = new Set([...listed, ...findIntroduced(text)]);
  const returning = [...countNames(alone)].filter(([name, count]) => count >= 3 && !isThing(text, name));
  for (const [name] of returning) announced.add(name);
  const named = alone
    .filter(({ name }) => known.has(name) || announced.has(name))
    .map((speaker) => ({ ...speaker, ...known.get(speaker.name) }));
  return merge(titled, named);
};

/**
 * Headings return above paragraphs as names do, but what they are of is spoken of: `the Global Coffee Alliance`,
 * `non-GAAP operating margin`. Nobody says *the* Ida Holm, and nobody writes her without capitals.
 */
const isThing = (text: string, name: string): boolean => {
  const space = name.indexOf(' ');
  const first = name.slice(0, space);
  const rest = name.slice(space).toLowerCase();
  const uncapitalised = [first, first.charAt(0).toLowerCase() + first.slice(1), first.toLowerCase()];
  return text.includes(`the ${name}`) || uncapitalised.some((word) => text.includes(word + rest));
};

const INTRODUCED =
  /\b(?:from|line of|over to|introduce)\s+(?:(?:Mr|Ms|Mrs|Dr)\.\s)?(\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){1,3})/gu;

/** `Our next question comes from Ann Quay with …`, `over to our CEO`: names of two to four words, and what they may begin. */
const findIntroduced = (text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [, words = ''] of text.matchAll(INTRODUCED)) {
    const parts = words.split(/\s/);
    for (let length = 2; length <= parts.length; length++)
      found.add(parts.slice(0, length).join(' ').replace(/[.,]$/, ''));
  }
  return found;
};

/** Both in order of their lines; where both know a line the first wins. */
const merge = (first: readonly SpeakerLine[], second: readonly SpeakerLine[]): SpeakerLine[] => {
  const taken = new Set(first.map(({ line }) => line));
  return [...first, ...second.filter(({ line }) => !taken.has(line))].sort((a, b) => a.line - b.line);
};

/** Before a colon may stand anything; a speaker is believed who speaks twice, or in a call with an operator. */
const keepSpeakingColons = (found: readonly SpeakerLine[], hasOperator: boolean): SpeakerLine[] => {
  const counts = countNames(found);
  return found.filter(({ name }) => hasOperator || (counts.get(name) ?? 0) >= 2);
};

/** In a roster a name is followed by the next name, or by a heading in capitals, not by speech. */
const withoutRosters = (text: string, lines: readonly Line[], found: readonly SpeakerLine[]): SpeakerLine[] => {
  const opening = lines.findIndex((line) => isPresentationHeading(text, line));
  return found.filter((speaker, index) => {
    if (speaker.shape === 'colon' || speaker.proof === 'strong') return true;
    if (speaker.line < opening) return false;
    const behind = speaker.line + 1 + (isTitleBelow(text, lines[speaker.line + 1], speaker) ? 1 : 0);
    const next = found[index + 1];
    if (next !== undefined && next.shape === 'line' && next.line <= skipRules(lines, behind)) return false;
    const below = lines[skipRules(lines, behind)];
    if (below === undefined || below.kind === 'row' || isHeading(text, below)) return false;
    return !isRosterHeading(text.slice(below.start, below.end));
  });
};

const PRESENTATION = /^(?:MANAGEMENT DISCUSSION SECTION|PRESENTATION|Presentation|Prepared Remarks):?$/;

const isPresentationHeading = (text: string, line: Line): boolean =>
  line.end - line.start <= 32 && PRESENTATION.test(text.slice(line.start, line.end));

const skipRules = (lines: readonly Line[], index: number): number => {
  let at = index;
  while (lines[at]?.kind === 'rule') at++;
  return at;
};

const isTitleBelow = (text: string, line: Line | undefined, { title }: SpeakerLine): boolean =>
  line !== undefined && title !== '' && text.startsWith(title, line.start);

const isHeading = (text: string, line: Line): boolean => {
  const slice = text.slice(line.start, Math.min(line.end, line.start + 60));
  return slice.length < 60 && slice.length > 5 && slice === slice.toUpperCase();
};
