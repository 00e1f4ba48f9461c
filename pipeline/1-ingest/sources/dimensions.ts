/** What dimensions may hold: texts of a source become values, or a reason that says what is allowed. */
import { DATASETS, type DatasetId, type Dimension } from '../../../data/catalog.js';
import { withoutCredentials } from '../../../src/credentials.js';
import type { DimensionValue } from '../../document.js';

export type Dimensions = Readonly<Record<string, DimensionValue>>;
export type Parsed = { readonly value: DimensionValue } | { readonly wrong: string };

/** Dimensions whose text becomes part of a name in a path, a URL or a query, and so keeps to a shape. */
const SHAPES: Readonly<Record<string, { readonly pattern: RegExp; readonly allowed: string }>> = {
  ticker: {
    pattern: /^[A-Z][A-Z0-9]{0,9}([.-][A-Z0-9]{1,4})?$/,
    allowed: 'upper case letters and digits, such as AAPL or BRK.B',
  },
  document_type: {
    pattern: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
    allowed: 'lower case words joined by _, such as press_conference',
  },
};

const YEARS = { first: 1900, last: 2100 };
const MAX_LENGTH = 300;

/** Reads one dimension from what a source states; empty and null are null, which only a dimension not required may be. */
export const parseDimension = (dimension: Dimension, stated: unknown): Parsed => {
  const text = typeof stated === 'string' ? stated.trim() : stated;
  if (text === undefined || text === null || text === '')
    return dimension.required ? { wrong: `${dimension.name} is missing` } : { value: null };
  if (typeof text !== 'string' && typeof text !== 'number')
    return { wrong: `${dimension.name} is ${shown(text)}; a text or a number is allowed` };

  const value = readAs(dimension, String(text));
  const allowed = allowedOf(dimension);
  return value === undefined ? { wrong: `${dimension.name} is ${shown(text)}; allowed: ${allowed}` } : { value };
};

/** The dimensions of a dataset in the catalog's order, read from what a source states under their names. */
export const parseDimensions = (
  dataset: DatasetId,
  stated: Readonly<Record<string, unknown>>,
): { readonly dimensions: Dimensions; readonly wrong: readonly string[] } => {
  const dimensions: Record<string, DimensionValue> = {};
  const wrong: string[] = [];
  for (const dimension of DATASETS[dataset].dimensions) {
    const parsed = parseDimension(dimension, stated[dimension.name]);
    if ('wrong' in parsed) wrong.push(parsed.wrong);
    else dimensions[dimension.name] = parsed.value;
  }
  return { dimensions, wrong };
};

/** An ISO day that exists, or undefined: 2024-02-30 does not. */
export const findIsoDay = (text: string): string | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
};

/** A day written dd-mm-yyyy as an ISO day, or undefined. */
export const findDayFirst = (text: string): string | undefined => {
  const parts = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text.trim());
  return parts === null ? undefined : findIsoDay(`${parts[3]}-${parts[2]}-${parts[1]}`);
};

/** A value as a message shows it: quoted, on one line, short, and without the password of an address. */
export const shown = (value: unknown): string => {
  const plain = typeof value === 'string' ? withoutCredentials(value) : value;
  const text = withoutCredentials(JSON.stringify(plain) ?? String(plain));
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

const readAs = (dimension: Dimension, text: string): string | number | undefined => {
  const value = readType(dimension, text);
  return value === undefined || dimension.values === undefined || dimension.values.includes(value) ? value : undefined;
};

const readType = (dimension: Dimension, text: string): string | number | undefined => {
  switch (dimension.type) {
    case 'DATE':
      return findIsoDay(text);
    case 'INTEGER': {
      const digits = dimension.name === 'quarter' ? text.replace(/^Q(?=[1-4]$)/i, '') : text;
      const number = /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
      if (number === undefined || dimension.name !== 'year') return number;
      return number >= YEARS.first && number <= YEARS.last ? number : undefined;
    }
    case 'VARCHAR': {
      const shape = SHAPES[dimension.name];
      const fits = shape === undefined ? isOneLine(text) : shape.pattern.test(text);
      return fits && text.length <= MAX_LENGTH ? text : undefined;
    }
    default:
      return dimension.type satisfies never;
  }
};

const allowedOf = (dimension: Dimension): string => {
  if (dimension.values !== undefined) return dimension.values.join(', ');
  if (dimension.type === 'DATE') return 'a day written YYYY-MM-DD that exists';
  if (dimension.name === 'year') return `a year from ${YEARS.first} to ${YEARS.last}`;
  if (dimension.type === 'INTEGER') return 'a whole number';
  return SHAPES[dimension.name]?.allowed ?? `one line of up to ${MAX_LENGTH} characters`;
};

// A control character here would reach logs, reports and CSV cells.
const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
