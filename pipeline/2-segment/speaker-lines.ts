/** Reads one line as a speaker's: `Name -- Title`, `Operator`, `Name, Title`, a name above a title, `Name: text`. */
import type { Role } from '../document.js';
import { isFullName, isName, isNoName, LONGEST_NAME, nameBeforeCompany } from './names.js';
import { roleOfCompanyTitle, roleOfTitle } from './roles.js';
import { starterStrength } from './starters.js';

export interface Speaker {
  /** `line`: nothing else stands on the line; `colon`: the speech follows. */
  readonly shape: 'line' | 'colon';
  /** Whether the line tells of itself that the text is a transcript. */
  readonly proof: 'strong' | 'weak';
  /** The name as it stands, without title and company. */
  readonly name: string;
  /** Title and company as they stand, empty where there are none. */
  readonly title: string;
  readonly role: Role | undefined;
}

const OPERATOR = /^(?:Conference )?(?:Operator|OPERATOR|Coordinator|Moderator)\s*:?$/;

export const readOperator = (line: string): Speaker | undefined =>
  line.length <= 24 && OPERATOR.test(line)
    ? { shape: 'line', proof: 'strong', name: line.replace(/[:\s]+$/, ''), title: '', role: 'operator' }
    : undefined;

const DASHES = /\s+(?:--|—|―)(?:\s+|$)/;

/** `Name -- Title`, `Name -- Company -- Title`, `Unidentified Speaker --`. */
export const readDashed = (line: string): Speaker | undefined => {
  const parts = line.split(DASHES);
  if (parts.length < 2 || parts.length > 4) return undefined;
  // `RESTRICTED CASH — Beginning of`: a row of a statement is no name.
  const isRow = line === line.toUpperCase() || (parts[0] ?? '') === (parts[0] ?? '').toUpperCase();
  if (isRow && roleOfTitle(parts.slice(1).join(' ')) === undefined) return undefined;
  return toSpeaker(parts, isTrailing(line) || isPlausibleTitle(parts), 'strong');
};

const WEAK_DASHES = /\s+[-–‐]\s+|;\s*/;

/** `Name - Company - Title`, `Name Company - Title`: hyphens also stand in sentences and rosters, so a role must be named. */
export const readHyphened = (line: string): Speaker | undefined => {
  const parts = line.split(WEAK_DASHES);
  if (parts.length < 2 || parts.length > 5) return undefined;
  if (roleOfTitle(parts.slice(1).join(' ')) === undefined || !isPlausibleTitle(parts)) return undefined;
  return toSpeaker([nameBeforeCompany(parts[0] ?? ''), ...parts.slice(1)], true, 'weak');
};

const LETTERED = /^([QA])\s[-–—]\s(.{3,64})$/;

/** `Q - Ann Quay`, `A - Ida Holm` */
export const readLettered = (line: string): Speaker | undefined => {
  const [, letter, name = ''] = LETTERED.exec(line) ?? [];
  if (!isFullName(name)) return undefined;
  return { shape: 'line', proof: 'weak', name, title: '', role: letter === 'Q' ? 'analyst' : 'executive' };
};

const TIMED = /^([^:()[\]]{3,80}?)\s*:?\s*[([](?:\d{1,2}:)?\d{1,2}:\d\d[)\]]\s*:?$/;
const NAMELESS = /^(?:Speaker|Participant|Analyst) \d{1,2}$/;

/** `Ida Holm (00:02):`, `Ida Holm, CEO: (00:02)`, `Speaker 2 [00:02]` */
export const readTimed = (line: string): Speaker | undefined => {
  const [name = '', ...rest] = TIMED.exec(line)?.[1]?.split(/\s*,\s+/) ?? [];
  const title = rest.join(', ');
  if (isOperator(name)) return { shape: 'line', proof: 'strong', name, title, role: 'operator' };
  if (!isFullName(name) && !NAMELESS.test(name)) return undefined;
  return { shape: 'line', proof: 'strong', name, title, role: roleOfTitle(title) };
};

const BRACKETED = /^<([QA])\s?[-–—]\s?([^<>,]{3,64})(?:,[^<>]{0,80})?>\s*:/;

/** `<Q - Ann Quay>: text` */
export const readBracketed = (line: string): Speaker | undefined => {
  const [, letter, name = ''] = BRACKETED.exec(line) ?? [];
  if (!isName(name)) return undefined;
  return { shape: 'colon', proof: 'strong', name, title: '', role: letter === 'Q' ? 'analyst' : 'executive' };
};

const COMMA = /^([^,]{4,40}), (.{2,80})$/;

/** `Mark Zuckerberg, CEO` */
export const readCommaTitle = (line: string): Speaker | undefined => {
  const [, name = '', title = ''] = COMMA.exec(line) ?? [];
  if (!isFullName(name) || /[.?!:;]$/.test(title) || !isTitleLike(title)) return undefined;
  return { shape: 'line', proof: 'weak', name, title, role: roleOfTitle(title) };
};

const TITLE_START =
  /^(?:(?:Interim|Senior|Global|Executive|Group|Co-|Lead|Deputy|Corporate|Former|Chief|General|Managing|Head|Vice|President|Chair|CEO|CFO|COO|EVP|SVP|VP|Director|Founder|Treasurer|Analyst)\b|Co-)/;

const isTitleLike = (title: string): boolean => TITLE_START.test(title) && roleOfTitle(title) !== undefined;

/** `Glenn D. Fogel` above `President, Chief Executive Officer & Director, Booking Holdings, Inc. A`. */
export const readPair = (line: string, below: string): Speaker | undefined => {
  if (!isFullName(line) || below.length > 160 || /[?!;:]$/.test(below)) return undefined;
  const letter = /[\p{L}.)]\s([QA])$/u.exec(below)?.[1];
  if (letter === undefined ? !isTitleLike(below) : !/^\p{Lu}/u.test(below)) return undefined;
  const title = below.replace(/\s+[QA]$/, '');
  const role = letter === 'Q' ? 'analyst' : letter === 'A' ? 'executive' : roleOfTitle(title);
  return { shape: 'line', proof: 'weak', name: line, title, role };
};

/** `Unidentified Speaker --`: the title is missing. */
const isTrailing = (line: string): boolean =>
  /^\S+\s\S.*\s(?:--|—)$/.test(line) &&
  line.length <= LONGEST_NAME &&
  !/\p{L}{2}[.?!,]\s/u.test(line) &&
  starterStrength(/^\S*/.exec(line)?.[0] ?? '') === 'none';

/** A stop that closes the name of a company, not a sentence. */
export const COMPANY_STOP = /\b(?:Inc|Corp|Co|Ltd|Jr|Sr|LLC|L\.P|N\.A|S\.A|Cos)\.$/;

/** Titles and companies are not long and end without a stop. */
const isPlausibleTitle = (parts: readonly string[]): boolean => {
  const title = parts.slice(1).join(' ');
  if (
    title.length === 0 ||
    title.length > 150 ||
    /[?!]$|\p{Ll}{2}(?<!Inc|Corp|Ltd)[.?!]\s+\p{Lu}\p{Ll}+\s+\p{Ll}/u.test(title)
  )
    return false;
  if (title.endsWith('.') && !COMPANY_STOP.test(title)) return false;
  const words = title.split(/\s+/);
  const capital = words.filter((word) => /^[(]?[\p{Lu}\d&]/u.test(word)).length;
  return roleOfTitle(title) !== undefined || capital * 2 >= words.length;
};

/** A title that a line break cut off its name. */
const TITLE_WORDS = /\b(?:Officer|Vice|Senior|President|Chief|Report)\b|^(?:CEO|CFO|COO)$/;

const toSpeaker = (parts: readonly string[], plausible: boolean, proof: Speaker['proof']): Speaker | undefined => {
  const name = (parts[0] ?? '').trim();
  if (!plausible || !isName(name) || TITLE_WORDS.test(name)) return undefined;
  if (!name.includes(' ') && starterStrength(name) === 'certain') return undefined;
  const rest = parts
    .slice(1)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const title = rest.at(-1) ?? '';
  const company = rest.slice(0, -1).join(' ');
  const role = roleOfTitle(name) ?? (company === '' ? roleOfTitle(title) : roleOfCompanyTitle(company, title));
  return { shape: 'line', proof, name, title: rest.join(' -- '), role };
};

const COLON = /^([^:\n]{2,90}?)\s*:(?:\s+[[("“‘']?\p{Lu}|\s*$)/u;
const NO_NAMES =
  /^(?:sources?|notes?|overview|executives?|analysts?|participants|presentation|time|place|telephone|fax|phone|website|title|subject|attendance|present|absent|agenda|summary|outlook|contacts?|media|press release|table|chart|figure|box|annex|company|ticker|length|duration|unit|part .*|voting .*|votes? .*|members? .*|second.*|first.*|third.*|finally.*|one.*|two.*|number.*|important.*|reminder.*)$/i;

/** `Name: text`, `Name, Company: text`, `Name - Company: text`. */
export const readColon = (line: string): Speaker | undefined => {
  const before = COLON.exec(line)?.[1];
  if (before === undefined || NO_NAMES.test(before)) return undefined;
  const [name = '', ...rest] = before.split(/\s*,\s+|\s+[-–‐—]{1,2}\s+|\s*\(/);
  const title = rest.join(', ').replace(/\)$/, '');
  if (isOperator(name) || isOperator(title)) return { shape: 'colon', proof: 'weak', name, title, role: 'operator' };
  if (
    !isName(name) ||
    isNoName(name) ||
    name.split(/\s+/).length < 2 ||
    starterStrength(name.split(/\s+/)[0] ?? '') === 'certain'
  )
    return undefined;
  return { shape: 'colon', proof: 'weak', name, title, role: roleOfCompanyTitle(title, title) };
};

export const isOperator = (name: string): boolean => /^(?:conference )?(?:operator|coordinator|moderator)$/i.test(name);
