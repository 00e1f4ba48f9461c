/** `GET /v1/metrics/{dataset_id}/coverage`: the banks or tickers that have documents, and from when to when. */
import { DATASETS } from '../../data/catalog.js';
import { type Answer, type Call, cached, cacheHeaders, JSON_TYPE } from './answer.js';
import { ABSENT, type DocumentTable } from './document-table.js';
import { checkPin, getDataset, PINS } from './filters.js';
import { headOf } from './formats/page.js';
import type { OpenSnapshot } from './open-snapshot.js';
import { readQuery } from './parameters.js';
import type { Service } from './service.js';

export const COVERAGE_QUERY = PINS;

export const listCoverage = async (call: Call, { snapshots }: Service): Promise<Answer> => {
  const query = readQuery(COVERAGE_QUERY, call.query);
  const dataset = getDataset(call.path.dataset_id ?? '');
  checkPin(query);
  return snapshots.use(dataset.id, query, async (snapshot) => {
    const headers = {
      ...cacheHeaders('coverage', snapshot.id),
      'content-type': JSON_TYPE,
      'x-snapshot': snapshot.id,
    };
    return cached(call, headers, () => JSON.stringify(describe(snapshot)));
  });
};

const describe = ({ id, dataset, documents }: OpenSnapshot) => {
  const [by] = DATASETS[dataset].identifiedBy;
  const groups = groupsOf(documents, by);
  return { dataset_id: dataset, snapshot: id, by, total: groups.length, groups };
};

interface Group {
  documents: number;
  /** Its newest row of all: what the company is called now. */
  row: number;
  readonly years: Span;
  readonly days: Span;
}

interface Span {
  first: number | null;
  last: number | null;
}

const groupsOf = (table: DocumentTable, by: string) => {
  const [names, years, days] = [by, 'year', 'date'].map((name) => table.dimensions.get(name)?.values);
  const found = new Map<number, Group>();
  for (let row = 0; row < table.length; row += 1) {
    const name = names?.[row] ?? ABSENT;
    const group = found.get(name) ?? { documents: 0, row, years: emptySpan(), days: emptySpan() };
    group.documents += 1;
    // Rows come by date, those without one last.
    if ((years?.[row] ?? ABSENT) >= (years?.[group.row] ?? ABSENT)) group.row = row;
    widen(group.years, years?.[row]);
    widen(group.days, days?.[row]);
    found.set(name, group);
  }
  return [...found.values()]
    .map((group) => {
      const { [by]: value, company } = headOf({ table }, group.row);
      return {
        value: String(value),
        name: company ?? null,
        documents: group.documents,
        first_year: group.years.first,
        last_year: group.years.last,
        first_date: toDay(group.days.first),
        last_date: toDay(group.days.last),
      };
    })
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
};

const emptySpan = (): Span => ({ first: null, last: null });

const widen = (span: Span, value = ABSENT): void => {
  if (value === ABSENT) return;
  span.first = Math.min(span.first ?? value, value);
  span.last = Math.max(span.last ?? value, value);
};

const toDay = (days: number | null): string | null =>
  days === null ? null : new Date(days * 86_400_000).toISOString().slice(0, 10);
