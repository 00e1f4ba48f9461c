/**
 * A transcript that says who speaks: `{ticker, company, year, quarter, date, title, turns: [{speaker, title, role,
 * section, text}]}`. Taken as well: a bare list of turns, the list under `transcript`, `speaker_name` for `speaker`,
 * `speaker_title` for `title`, `content` for `text`, a quarter written `Q1`, a date with a time behind it.
 */
import * as z from 'zod';
import { DATASETS } from '../../../data/catalog.js';
import { messageOf } from '../../../src/errors.js';
import { libraryOf } from '../../../src/libraries.js';
import type { Role, Section, Turn } from '../../document.js';
import { decodeText } from '../decode.js';
import { type DocumentFormat, ExtractError, type Extracted } from '../source.js';
import { parseDimension } from '../sources/dimensions.js';
import { DECODING_LIBRARIES } from './plain-text.js';

/**
 * The text reads `Speaker -- Title`, a blank line, what was said, a blank line, and so on. A turn spans what was said:
 * from the first character after the blank line below its speaker to its last character. Words between turns are the
 * speakers' own lines.
 */
export const jsonTranscript: DocumentFormat = {
  name: 'json',
  extensions: ['.json'],
  holds: ['text'],
  libraries: [...DECODING_LIBRARIES, libraryOf('zod')],
  isolated: true,
  extract: async (bytes) => toExtracted(parseTranscript(decodeText(bytes))),
};

const word = z.string().nullish();
const RawTurn = z.looseObject({
  speaker: word,
  speaker_name: word,
  title: word,
  speaker_title: word,
  role: word,
  section: word,
  text: word,
  content: word,
});
type RawTurn = z.infer<typeof RawTurn>;
const number = z.union([z.number(), z.string()]).nullish();
const Transcript = z.looseObject({
  ticker: word,
  company: word,
  company_name: word,
  year: number,
  quarter: number,
  date: word,
  title: word,
  turns: z.array(RawTurn),
});
type Transcript = z.infer<typeof Transcript>;

const parseTranscript = (json: string): Transcript => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ExtractError(`The file is no JSON: ${messageOf(error)}`, { cause: error });
  }
  const { shaped, list } = withTurns(value);
  const parsed = Transcript.safeParse(shaped);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [first, ...rest] = issue?.path ?? [];
  const place = [...(first === 'turns' ? [list] : [String(first ?? 'the file')]), ...rest.map(toStep)].join('');
  throw new ExtractError(`The file is no transcript: ${place}: ${issue?.message ?? 'unknown fault'}.`);
};

const toStep = (step: PropertyKey): string => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`);

/** The one shape that all variants come to; `list` is what the file calls the list, for messages. */
const withTurns = (value: unknown): { readonly shaped: unknown; readonly list: string } => {
  if (Array.isArray(value)) return { shaped: { turns: value }, list: '' };
  if (typeof value !== 'object' || value === null)
    throw new ExtractError('The file is no transcript: it holds neither an object nor a list of turns.');
  if ('turns' in value) return { shaped: value, list: 'turns' };
  if ('transcript' in value && typeof value.transcript === 'object')
    return { shaped: { ...value, turns: value.transcript }, list: 'transcript' };
  throw new ExtractError('The file is no transcript: turns is missing.');
};

const toExtracted = (transcript: Transcript): Extracted => {
  const turns: Turn[] = [];
  let text = '';
  for (const [index, raw] of transcript.turns.entries()) {
    const said = raw.text ?? raw.content;
    if (said === undefined || said === null)
      throw new ExtractError(`The file is no transcript: turns[${index}].text is missing.`);
    const body = said.trim();
    if (body === '') continue;
    const speaker = (raw.speaker ?? raw.speaker_name ?? '').trim();
    const heading = [speaker, (raw.title ?? raw.speaker_title ?? '').trim()].filter((part) => part !== '').join(' -- ');
    if (text !== '') text += '\n\n';
    if (heading !== '') text += `${heading}\n\n`;
    const start = text.length;
    text += body;
    const about = { speaker: speaker === '' ? null : speaker, role: roleOf(raw), section: sectionOf(raw.section) };
    turns.push({ start, end: text.length, ...about });
  }
  return { text, title: transcript.title?.trim() || null, ...tellsTurns(turns), dimensions: toDimensions(transcript) };
};

/** Some give a whole call as one turn of nobody: who speaks is found out then, as in a text. */
const tellsTurns = (turns: readonly Turn[]): Pick<Extracted, 'turns'> =>
  turns.some(({ speaker, role, section }) => speaker !== null || role !== null || section !== null) ? { turns } : {};

const toDimensions = (transcript: Transcript): NonNullable<Extracted['dimensions']> => {
  const stated: Readonly<Record<string, unknown>> = {
    ticker: transcript.ticker?.trim().toUpperCase(),
    company: transcript.company ?? transcript.company_name,
    year: transcript.year,
    quarter: typeof transcript.quarter === 'string' ? transcript.quarter.replace(/^\s*Q/i, '') : transcript.quarter,
    date: transcript.date?.replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/s, '$1'),
  };
  const found: Record<string, string | number> = {};
  for (const dimension of DATASETS.earnings.dimensions) {
    const parsed = parseDimension({ ...dimension, required: false }, stated[dimension.name]);
    if ('wrong' in parsed) throw new ExtractError(`What the transcript says of itself cannot be so: ${parsed.wrong}.`);
    if (parsed.value !== null) found[dimension.name] = parsed.value;
  }
  return found;
};

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ['operator', /\b(operator|moderator|coordinator)\b/i],
  ['analyst', /\banalyst\b/i],
  ['executive', /\b(executives?|management|chief|c[efot]o|president|chairman|officer|investor relations|company)\b/i],
];

/** Only what the file itself says: its role, else a speaker that is called Operator. */
const roleOf = (raw: RawTurn): Role | null => {
  const told = raw.role ?? (/^\s*operator\s*$/i.test(raw.speaker ?? raw.speaker_name ?? '') ? 'operator' : '');
  return ROLES.find(([, pattern]) => pattern.test(told))?.[0] ?? null;
};

const sectionOf = (told: string | null | undefined): Section | null => {
  if (told === undefined || told === null) return null;
  if (/\bq ?(&|and|n|_)? ?a\b|question/i.test(told)) return 'questions_and_answers';
  return /prepared|remark|presentation|management|discussion/i.test(told) ? 'prepared_remarks' : null;
};
