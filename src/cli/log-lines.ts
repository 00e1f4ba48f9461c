/** The service's log as a person reads it on a terminal: a line an event, its time first. Machines get pino's JSON lines. */
import { styleText } from 'node:util';
import { z } from 'zod';

const lineSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().optional() });

type Style = Parameters<typeof styleText>[0];

export interface LineOptions {
  /** Escape sequences for colours: only for a terminal. */
  readonly colours: 'with' | 'without';
}

/**
 * A line of pino's, made readable; a line that is none of its own is given back as it is.
 *
 * @param json one JSON object with `level`, `time` (ISO) and what the event says
 * @returns the text with its line end; a request is `12:03:04 GET /v1/models 200 3.1 ms`
 */
export const toLogLine = (json: string, { colours }: LineOptions): string => {
  const parsed = lineSchema.safeParse(parseJson(json));
  if (!parsed.success) return json;
  const { level, time, msg = '', ...facts } = parsed.data;
  const paint = (style: Style, text: string): string =>
    colours === 'with' ? styleText(style, text, { validateStream: false }) : text;
  const clock = paint('dim', time.slice(11, 19));
  if (msg === 'request') return `${clock} ${requestText(facts, paint)}\n`;

  const { err, ...rest } = facts;
  const said = [msg, ...Object.entries(rest).map(([name, value]) => `${name} ${visible(value)}`)].join('  ');
  const fault = err === undefined ? '' : `\n${faultText(err)}`;
  return `${clock} ${level >= 50 ? paint('red', `error ${said}`) : level >= 40 ? paint('yellow', said) : said}${fault}\n`;
};

type Paint = (style: Style, text: string) => string;

const requestText = (facts: Readonly<Record<string, unknown>>, paint: Paint): string => {
  const status = Number(facts.status);
  const shown = String(status);
  const coloured = status >= 500 ? paint('red', shown) : status >= 400 ? paint('yellow', shown) : paint('green', shown);
  const who = facts.key === undefined ? '' : `  key ${visible(facts.key)}`;
  // What went well needs no number to look it up by.
  const id = status >= 400 ? `  request ${visible(facts.request_id)}` : '';
  return `${visible(facts.method).padEnd(4)} ${visible(facts.path)} ${coloured} ${paint('dim', `${visible(facts.ms)} ms${who}${id}`)}`;
};

/** The stack where there is one: it begins with the message. */
const faultText = (err: unknown): string => {
  const { stack, message } = errorSchema.catch({}).parse(err);
  return (stack ?? message ?? visible(err))
    .split('\n')
    .map((line) => `  ${visible(line)}`)
    .join('\n');
};

const errorSchema = z.looseObject({ stack: z.string().optional(), message: z.string().optional() });

/** Text that cannot move the cursor or colour the screen: a request's path is written by whoever asks. */
const visible = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
