/**
 * Query parameters: each is one entry, its schema for the document of the API and its reading. What is read is exact;
 * what cannot be read is a 400 that names the parameter and what is allowed.
 */
import { type TSchema, Type } from 'typebox';
import type { DatasetId } from '../../data/catalog.js';
import { badRequest } from './http-error.js';

export interface Parameter<T> {
  readonly about: string;
  readonly schema: TSchema;
  /** Takes several values, by comma. */
  readonly several?: boolean;
  /** The datasets that take it, where not all do. */
  readonly of?: readonly DatasetId[];
  /** @throws HttpError 400 */
  readonly parse: (text: string, name: string) => T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** What a request says, by parameter: undefined where it says nothing. */
export type Read<P extends Parameters> = {
  readonly [Name in keyof P]: ReturnType<P[Name]['parse']> | undefined;
};

/**
 * Reads a query. Unknown and repeated parameters are refused: a filter that is not applied is worse than an error.
 *
 * @param names those that an error names, where not every parameter is for everything that can be asked for here
 * @throws HttpError 400
 */
export const readQuery = <P extends Parameters>(
  parameters: P,
  query: URLSearchParams,
  names: readonly string[] = Object.keys(parameters),
): Read<P> => {
  const found: Record<string, unknown> = Object.create(null);
  for (const [name, text] of query) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) {
      const takes = names.length === 0 ? 'this address takes none' : `the parameters are ${names.join(', ')}`;
      throw badRequest(`Unknown parameter ${shown(name)}: ${takes}.`);
    }
    if (name in found) {
      const once = parameter.several === true ? 'give it once, several values by comma' : 'give it once';
      throw badRequest(`${name} is given more than once; ${once}.`);
    }
    found[name] = parameter.parse(text, name);
  }
  return found as Read<P>;
};

/** A value as an error shows it: quoted, and not without end. */
export const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const wholeNumber = (about: string, least: number, most: number, fallback?: number): Parameter<number> => ({
  about,
  schema: Type.Integer({ minimum: least, maximum: most, ...(fallback === undefined ? {} : { default: fallback }) }),
  parse: (text, name) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < least || value > most)
      throw badRequest(`${name} is a whole number from ${least} to ${most}; not ${shown(text)}.`);
    return value;
  },
});

export const oneOf = <const T extends string>(
  about: string,
  allowed: readonly [T, ...T[]],
  fallback?: T,
): Parameter<T> => ({
  about,
  schema: Type.Enum([...allowed], { type: 'string', ...(fallback === undefined ? {} : { default: fallback }) }),
  parse: (text, name) => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw badRequest(`${name} is one of ${allowed.join(', ')}; not ${shown(text)}.`);
    return found;
  },
});

export const someText = (about: string, most: number): Parameter<string> => ({
  about,
  schema: Type.String({ minLength: 1, maxLength: most }),
  parse: (text, name) => {
    if (text.trim() === '') throw badRequest(`${name} is empty.`);
    if (text.length > most) throw badRequest(`${name} is longer than ${most} characters: ${shown(text)}.`);
    return text.trim();
  },
});

/** As `someText`, in capitals: tickers are written so. */
export const capitals = (parameter: Parameter<string>): Parameter<string> => ({
  ...parameter,
  parse: (text, name) => parameter.parse(text, name).toUpperCase(),
});

/** A day of the calendar. */
export const day = (about: string): Parameter<string> => ({
  about,
  schema: Type.String({ format: 'date' }),
  parse: (text, name) => {
    const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN);
    // A day that the calendar lacks rolls over, 2024-02-30 to 1 March; year 0 is none.
    if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text || text.startsWith('0000'))
      throw badRequest(`${name} is a day as YYYY-MM-DD; not ${shown(text)}.`);
    return text;
  },
});

/** One or more values by comma, each once. */
export const several = <T>(one: Parameter<T>): Parameter<readonly T[]> => ({
  about: `${one.about}; several by comma`,
  schema: Type.Array(one.schema, { minItems: 1 }),
  several: true,
  parse: (text, name) => {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.some((part) => part === '')) throw badRequest(`${name} has an empty value: ${shown(text)}.`);
    return [...new Set(parts.map((part) => one.parse(part, name)))];
  },
});
