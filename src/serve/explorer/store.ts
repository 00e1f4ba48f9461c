/** What has been read from the service, each thing once: choosing other metrics or days asks nothing. */
import type { Coverage, Dataset, DatasetList, Document } from '../../client/types.js';
import type { Api } from './api.js';
import { Refused } from './problem.js';
import { NOTHING, type Selection, settle } from './selection.js';

export interface Loaded {
  readonly datasets: readonly Dataset[];
  readonly dataset: Dataset;
  readonly coverage: Coverage;
  /** Every document of the chosen banks or tickers. */
  readonly rows: ReadonlyMap<string, readonly Document[]>;
  /** The selection with what is not there left out. */
  readonly selection: Selection;
  /** Names of the selection that are not there. */
  readonly unknown: readonly string[];
}

export interface Store {
  /** @throws Refused where the service does not answer */
  readonly load: (selection: Selection) => Promise<Loaded>;
}

export const openStore = (api: Api): Store => {
  let list: DatasetList | undefined;
  const coverages = new Map<string, Coverage>();
  const documents = new Map<string, readonly Document[]>();

  const load = async (wanted: Selection): Promise<Loaded> => {
    list ??= await api.datasets();
    const [first] = list.datasets;
    if (first === undefined) throw new Refused(503, 'No dataset is published yet', 5, undefined);
    const found = list.datasets.find(({ id }) => id === wanted.dataset);
    const dataset = found ?? first;
    const unknown = found === undefined && wanted.dataset !== '' ? [wanted.dataset] : [];
    // What was chosen of another dataset says nothing about this one.
    const chosen = unknown.length > 0 ? NOTHING : { ...wanted, dataset: dataset.id };

    const place = `${dataset.id} ${chosen.asOf}`;
    const coverage = coverages.get(place) ?? (await api.coverage(dataset.id, chosen.asOf));
    coverages.set(place, coverage);
    const settled = settle(
      withYears({ ...chosen, dataset: dataset.id }, coverage.by),
      { subjects: coverage.groups.map(({ value }) => value), metrics: dataset.metrics.map(({ name }) => name) },
      { subjects: firstOf(coverage), metrics: dataset.metrics.slice(0, 1).map(({ name }) => name) },
    );

    const { subjects } = settled.selection;
    const keyOf = (subject: string): string => `${dataset.id} ${coverage.snapshot} ${subject}`;
    const missing = subjects.filter((subject) => !documents.has(keyOf(subject)));
    if (missing.length > 0) {
      const rows = await api.documents(dataset.id, coverage.by, missing, coverage.snapshot);
      for (const subject of missing)
        documents.set(
          keyOf(subject),
          rows.filter((row) => row[coverage.by] === subject),
        );
    }
    return {
      datasets: list.datasets,
      dataset,
      coverage,
      rows: new Map(subjects.map((subject) => [subject, documents.get(keyOf(subject)) ?? []])),
      selection: settled.selection,
      unknown: [...unknown, ...settled.unknown],
    };
  };

  return {
    load: async (selection) => {
      try {
        return await load(selection);
      } catch (error) {
        const isGone =
          error instanceof Refused && error.status === 404 && error.detail.startsWith('Snapshot not found');
        if (!isGone || selection.asOf !== '') throw error;
        // It was published over while this page was open, and is not kept any more.
        list = undefined;
        coverages.clear();
        return load(selection);
      }
    },
  };
};

/** Calls are known by their fiscal year: days are widened to whole years. */
const withYears = (selection: Selection, by: string): Selection =>
  by !== 'ticker'
    ? selection
    : {
        ...selection,
        from: selection.from === '' ? '' : `${selection.from.slice(0, 4)}-01-01`,
        to: selection.to === '' ? '' : `${selection.to.slice(0, 4)}-12-31`,
      };

/** Something to begin with: the Federal Reserve where it is there, else who has the most documents. */
const firstOf = ({ groups }: Coverage): readonly string[] => {
  const [most] = [...groups].sort((a, b) => b.documents - a.documents);
  const found = groups.find(({ value }) => value === 'federal_reserve_system') ?? most;
  return found === undefined ? [] : [found.value];
};
