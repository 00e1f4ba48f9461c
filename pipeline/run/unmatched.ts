/** What is said where nothing is what a reprocess asked for: of which option, in which folders, and what there is instead. */
import { DATASETS } from '../../data/catalog.js';
import { UsageError } from '../../src/errors.js';
import { nearestNames } from '../../src/nearest.js';
import { quoteForShell } from '../../src/snapshot/commands.js';
import type { PlannedDocument } from '../stage.js';
import { type DatasetPlan, isSelected, type Selection } from './plan.js';

/** The options of a selection, in the order in which they are named. */
const FLAGS = {
  bank: '--bank',
  ticker: '--ticker',
  year: '--year',
  from: '--from',
  to: '--to',
  documentId: '--document',
} as const satisfies Record<keyof Selection, string>;

export const unmatched = (
  { dataset, inputs, documents }: Pick<DatasetPlan, 'dataset' | 'inputs' | 'documents'>,
  selection: Selection,
): UsageError => {
  const all = [...documents.values()].flat();
  const asked = entriesOf(selection).map(([name, value]) => `${FLAGS[name]} ${quoteForShell(String(value))}`);
  const hints =
    all.length === 0
      ? ['There is no document of it yet: rebuild reads them, or says why it cannot.']
      : HINTS.flatMap((hint) => hint(all, selection, DATASETS[dataset].partitionBy[0]) ?? []);
  return new UsageError(
    [`No document of ${dataset} in ${inputs.join(', ')} is of ${asked.join(' ')}.`, ...hints].join(' '),
  );
};

const entriesOf = (selection: Selection): readonly (readonly [keyof Selection, string | number])[] =>
  (Object.keys(FLAGS) as (keyof Selection)[]).flatMap((name) => {
    const value = selection[name];
    return value === undefined ? [] : [[name, value] as const];
  });

type Hint = (all: readonly PlannedDocument[], selection: Selection, subject: string) => string | undefined;

const near: Hint = (all, { documentId }) => {
  if (documentId === undefined) return undefined;
  const ids = all.map((one) => one.documentId);
  return ids.includes(documentId)
    ? `There is a document ${documentId}, which the other options leave out.`
    : `Near it: ${nearestNames(documentId, ids, 2).join(', ')}.`;
};

const subjects: Hint = (all, { bank, ticker }, subject) => {
  const wanted = bank ?? ticker;
  if (wanted === undefined || all.some(({ dimensions }) => dimensions[subject] === wanted)) return undefined;
  const names = [...new Set(all.map(({ dimensions }) => String(dimensions[subject])))];
  return names.length > MOST_NAMED
    ? `Of ${wanted} there is none; near it: ${nearestNames(wanted, names, 3).join(', ')}.`
    : `Of ${wanted} there is none; there are ${names.sort().join(', ')}.`;
};

const years: Hint = (all, { bank, ticker, year }) => {
  const own = all.filter((one) => isSelected(one, withoutUndefined({ bank, ticker }), undefined));
  const found = [...new Set(own.map(({ dimensions }) => Number(dimensions.year)))].sort((a, b) => a - b);
  if (year === undefined || found.length === 0 || found.includes(year)) return undefined;
  const some = found.length > MOST_NAMED ? `${found[0]} to ${found.at(-1)}` : found.join(', ');
  return `The years of ${bank ?? ticker ?? 'its documents'} are ${some}.`;
};

const days: Hint = (all, { from, to, bank, ticker, year }) => {
  if (from === undefined && to === undefined) return undefined;
  const own = all.filter((one) => isSelected(one, withoutUndefined({ bank, ticker, year }), undefined));
  const dates = own.flatMap(({ dimensions: { date } }) => (typeof date === 'string' ? [date] : [])).sort();
  const undated = own.length - dates.length;
  if (own.length === 0) return undefined;
  return [
    ...(dates.length === 0 ? [] : [`The dates go from ${dates[0]} to ${dates.at(-1)}.`]),
    ...(undated === 0
      ? []
      : [
          `The source gives no date of ${undated.toLocaleString('en')} of ${own.length.toLocaleString('en')} documents, and one without a date, unless its file states one, is in no span of days: --year finds it.`,
        ]),
  ].join(' ');
};

const HINTS: readonly Hint[] = [near, subjects, years, days];
const MOST_NAMED = 19;

const withoutUndefined = (
  selection: {
    readonly [name in keyof Selection]: Selection[name] | undefined;
  },
): Selection => Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
