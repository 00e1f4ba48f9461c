/** Finds the lines that say who speaks next: `Name -- Title`, `Operator`, `Name - Company - Title`, `Name: text`. */
import type { Role } from '../document.js';
import { isUpper } from './characters.js';
import type { Line } from './lines.js';
import { roleOfCompanyTitle, roleOfTitle } from './roles.js';
import { starterStrength } from './starters.js';

export interface SpeakerLine {
  /** Index of the line. */
  readonly line: number;
  readonly start: number;
  /** `line`: nothing else stands on it; `colon`: the speech follows. */
  readonly shape: 'line' | 'colon';
  /** The name as it stands, without title and company. */
  readonly name: string;
  /** Title and company as they stand, empty where there are none. */
  readonly title: string;
  readonly role: Role | undefined;
}

const LONGEST_LINE = 200;
const LONGEST_NAME = 48;

/** All speaker lines in order. */
export const findSpeakers = (text: string, lines: readonly Line[]): SpeakerLine[] => {
  const found: SpeakerLine[] = [];
  const hasOperator = lines.some((line) => isOperatorLine(text, line));
  for (const [index, line] of lines.entries()) {
    const speaker = readSpeaker(text, line, lines[index + 1], hasOperator);
    if (speaker !== undefined) found.push({ line: index, start: line.start, ...speaker });
  }
  const colons = countColonNames(found);
  return found.filter(({ shape, name }) => shape === 'line' || hasOperatorColon(found) || (colons.get(name) ?? 0) >= 2);
};

type Speaker = Omit<SpeakerLine, 'line' | 'start'>;

const readSpeaker = (text: string, line: Line, next: Line | undefined, hasOperator: boolean): Speaker | undefined => {
  if (line.kind !== 'text' || !isUpper(text.charCodeAt(line.start))) return undefined;
  if (isOperatorLine(text, line))
    return {
      shape: 'line',
      name: text.slice(line.start, line.end).replace(/[:\s]+$/, ''),
      title: '',
      role: 'operator',
    };
  const head = text.slice(line.start, Math.min(line.end, line.start + LONGEST_LINE + 1));
  if (head.length <= LONGEST_LINE && line.closes !== 'colon') {
    const dashed = readDashed(head, next, hasOperator);
    if (dashed !== undefined) return dashed;
  }
  return readColon(head);
};

const OPERATOR = /^(?:Operator|OPERATOR|Coordinator|Moderator|Conference Operator)\s*:?$/;
const isOperatorLine = (text: string, line: Line): boolean =>
  line.end - line.start <= 24 && OPERATOR.test(text.slice(line.start, line.end));

const DASHES = /\s+(?:--|—|―)(?:\s+|$)/;
const WEAK_DASHES = /\s+[-–‐]\s+/;

const readDashed = (head: string, next: Line | undefined, hasOperator: boolean): Speaker | undefined => {
  const parts = head.split(DASHES);
  if (parts.length >= 2 && parts.length <= 4) return toSpeaker(parts, isTrailing(head) || isPlausibleTitle(parts));
  if (!hasOperator || next === undefined) return undefined;
  const weak = head.split(WEAK_DASHES);
  if (weak.length < 2 || weak.length > 5) return undefined;
  return toSpeaker(weak, roleOfTitle(weak.slice(1).join(' ')) !== undefined && isPlausibleTitle(weak));
};

/** `Unidentified Speaker --`: the title is missing. */
const isTrailing = (head: string): boolean =>
  /^\S+\s\S.*\s(?:--|—)$/.test(head) &&
  head.length <= LONGEST_NAME &&
  !/\p{L}{2}[.?!,]\s/u.test(head) &&
  starterStrength(/^\S*/.exec(head)?.[0] ?? '') === 'none';

/** Titles and companies end without a stop, hold no questions, and are not long. */
const isPlausibleTitle = (parts: readonly string[]): boolean => {
  const title = parts.slice(1).join(' ');
  if (title.length === 0 || title.length > 150 || /[?!]$|[.?!]\s+\p{Lu}\p{Ll}+\s+\p{Ll}/u.test(title)) return false;
  if (/\.$/.test(title) && !/\b(?:Inc|Corp|Co|Ltd|Jr|Sr|LLC|L\.P|N\.A|S\.A|Cos)\.$/.test(title)) return false;
  const words = title.split(/\s+/);
  const capital = words.filter((word) => /^[(]?[\p{Lu}\d&]/u.test(word)).length;
  return roleOfTitle(title) !== undefined || capital * 2 >= words.length;
};

const toSpeaker = (parts: readonly string[], plausible: boolean): Speaker | undefined => {
  const name = (parts[0] ?? '').trim();
  if (!plausible || !isName(name)) return undefined;
  const rest = parts
    .slice(1)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const title = rest.at(-1) ?? '';
  const company = rest.slice(0, -1).join(' ');
  const role = roleOfTitle(name) ?? (company === '' ? roleOfTitle(title) : roleOfCompanyTitle(company, title));
  return { shape: 'line', name, title: rest.join(' -- '), role };
};

const NAME_WORD =
  /^(?:\p{Lu}[\p{L}.'’‐-]*,?|["“(]\p{Lu}[\p{L}.'’-]*["”)]|de|da|di|del|van|von|der|den|la|le|bin|al|el|dos|du|y|and|of|for|the)$/u;

/** One to six words, nearly all capitalised. */
const isName = (name: string): boolean => {
  if (name.length < 2 || name.length > LONGEST_NAME) return false;
  const words = name.split(/\s+/);
  return words.length <= 6 && words.every((word) => NAME_WORD.test(word));
};

const COLON = /^([^:\n]{2,90}?)\s*:(?:\s|$)/;
const NO_NAMES =
  /^(?:sources?|notes?|questions?|answers?|overview|executives?|analysts?|participants|presentation|event date\/time|date|time|place|telephone|tel|fax|phone|e-?mail|website|title|subject|attendance|present|absent|agenda|summary|outlook|contacts?|media|press release|table|chart|figure|box|annex|q|a|part .*|company|ticker|length|duration|unit|voting .*|votes? .*|members? .*|also .*|for .*|in .*|the .*|as .*|so .*|and .*|but .*|second.*|first.*|third.*|finally.*|one.*|two.*|number.*|important.*|reminder.*)$/i;

const readColon = (head: string): Speaker | undefined => {
  const before = COLON.exec(head)?.[1];
  if (before === undefined || NO_NAMES.test(before)) return undefined;
  const [name = '', ...rest] = before.split(/\s*,\s+|\s+[-–‐—]{1,2}\s+|\s*\(/);
  const title = rest.join(', ').replace(/\)$/, '');
  if (!isName(name) || /^(?:the|and|of|for)$/i.test(name)) return undefined;
  if (!isOperatorName(name) && name.split(/\s+/).length < 2) return undefined;
  return { shape: 'colon', name, title, role: isOperatorName(name) ? 'operator' : roleOfTitle(title) };
};

const isOperatorName = (name: string): boolean => /^(?:operator|coordinator|moderator)$/i.test(name);

const hasOperatorColon = (found: readonly SpeakerLine[]): boolean =>
  found.some(({ shape, name }) => shape === 'colon' && isOperatorName(name));

const countColonNames = (found: readonly SpeakerLine[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { shape, name } of found) if (shape === 'colon') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
