/** The desk: from what is chosen to what is seen, and back. */
import type { Document } from '../../client/types.js';
import type { Api } from './api.js';
import { columnsOf, type Order, sorted, toCsv } from './columns.js';
import { openControls } from './controls.js';
import { get, save } from './dom.js';
import { clearProblem, drawProblem } from './problem-view.js';
import { openReader } from './reader.js';
import { fromHash, isSameView, type Selection, toHash } from './selection.js';
import { newestDay } from './series.js';
import { type Loaded, openStore } from './store.js';
import { drawTable } from './table.js';
import { drawCharts, drawEmpty, drawGlance, isOnOneChart, nameOf, type Shown, toShown } from './view.js';
import { count, joined, metricName } from './words.js';

export interface Desk {
  /** Takes everything off the page and answers nothing any more. */
  readonly close: () => void;
}

export const openDesk = (api: Api, onKey: () => void): Desk => {
  const ended = new AbortController();
  const { signal } = ended;
  const store = openStore(api);
  let { selection, notes } = fromHash(location.hash);
  let loaded: Loaded | undefined;
  let order: Order | undefined;
  let turn = 0;

  const [view, notice] = [get('view', HTMLElement), get('notice', HTMLElement)];
  const [problem, drawings] = [get('problem', HTMLElement), get('drawings', HTMLElement)];

  const change = (part: Partial<Selection>): void => {
    selection = { ...selection, ...part };
    notes = [];
    if (part.dataset !== undefined) order = undefined;
    void show();
  };
  const controls = openControls((part) => {
    if (!signal.aborted) change(part);
  });
  const reader = openReader(api, onKey, (document) => {
    selection = { ...selection, document };
    writeHash();
  });

  const writeHash = (): void => history.replaceState(null, '', toHash(selection));

  const show = async (): Promise<void> => {
    turn += 1;
    const mine = turn;
    view.setAttribute('aria-busy', 'true');
    try {
      const next = await store.load(selection);
      if (mine !== turn || signal.aborted) return;
      loaded = next;
      selection = next.selection;
      clearProblem(problem);
      view.hidden = false;
      draw(next);
      writeHash();
    } catch (error) {
      if (mine !== turn || signal.aborted) return;
      if (loaded === undefined) view.hidden = true;
      drawProblem(problem, { error, onRetry: () => void show(), onKey });
    } finally {
      if (mine === turn) view.removeAttribute('aria-busy');
    }
    if (mine === turn && loaded !== undefined && !signal.aborted) reader.follow(loaded, selection);
  };

  const draw = (now: Loaded): void => {
    const { dataset, coverage, rows } = now;
    const last = newestDay([...rows.values()].flat(), Math.floor(Date.now() / 86_400_000));
    controls.show(selection, now.datasets, dataset, coverage, last);
    const shown = toShown(selection, rows);
    notice.textContent = noticeOf(now, shown, selection, notes);
    document.title = `${titleOf(selection, coverage.by)} – Fintext explorer`;
    const isEmpty = shown.documents.length === 0;
    get('glance-section', HTMLElement).hidden = isEmpty;
    get('table-section', HTMLElement).hidden = isEmpty;
    if (isEmpty) drawEmpty(drawings, selection, coverage.by, rows, () => change({ from: '', to: '' }));
    else {
      redraw(now, shown);
      get('glance', HTMLElement).replaceChildren(drawGlance(shown, coverage.by, selection));
      showTable(now, shown);
    }
    get('request', HTMLElement).textContent = requestOf(now, selection);
    get('source', HTMLElement).textContent = `${dataset.name}: ${dataset.description}. Snapshot ${coverage.snapshot}${
      selection.asOf === ''
        ? `, published ${String(dataset.coverage.published_at ?? '')
            .slice(0, 16)
            .replace('T', ' ')} UTC`
        : `, as served on ${selection.asOf}`
    }.`;
  };

  const redraw = (now: Loaded, shown: Shown): void =>
    drawCharts({
      host: drawings,
      selection,
      dataset: now.dataset,
      by: now.coverage.by,
      shown,
      onOpen: (row, metric) => reader.open(now, selection, row.document_id, metric),
      onZoom: (from, to) => change({ from, to }),
    });

  const showTable = (now: Loaded, shown: Shown): void => {
    const columns = columnsOf(now.coverage.by, selection.metrics, selection.smooth, shown.series, shown.documents);
    const chosen: Order =
      order !== undefined && columns.some(({ id }) => id === order?.column)
        ? order
        : { column: columns[0]?.id ?? '', direction: 'descending' };
    const onOpen = (row: Document): void => reader.open(now, selection, row.document_id, selection.metrics[0] ?? '');
    get('table', HTMLElement).replaceChildren(
      drawTable({
        documents: shown.documents,
        columns,
        order: chosen,
        onOrder: (next) => {
          order = next;
          showTable(now, shown);
        },
        onOpen,
      }),
    );
    const lacks = shown.series.some(({ points }) => points.some(({ value }) => value === null));
    get('table-note', HTMLElement).textContent = lacks
      ? '— is no value: there is nothing to divide by. A zero that was measured is written 0.000. The file leaves the one empty and writes the other.'
      : '';
    get('csv', HTMLButtonElement).onclick = () =>
      save(
        `${fileNameOf(now, selection)}.csv`,
        'text/csv;charset=utf-8',
        toCsv(sorted(shown.documents, columns, chosen), columns),
      );
  };

  const copy = get('copy', HTMLButtonElement);
  copy.hidden = navigator.clipboard === undefined;
  copy.onclick = () => {
    navigator.clipboard.writeText(location.href).then(
      () => {
        copy.textContent = 'Copied';
        setTimeout(() => {
          copy.textContent = 'Copy link';
        }, 1500);
      },
      () => {
        copy.textContent = 'The browser does not allow it';
      },
    );
  };

  let width = 0;
  const watch = new ResizeObserver(() => {
    const now = Math.floor(drawings.clientWidth);
    if (now === width || loaded === undefined) return;
    width = now;
    const shown = toShown(selection, loaded.rows);
    if (shown.documents.length > 0) redraw(loaded, shown);
  });
  watch.observe(drawings);
  addEventListener(
    'hashchange',
    () => {
      const next = fromHash(location.hash);
      const isSame = isSameView(next.selection, selection) && next.selection.document === selection.document;
      if (isSame && next.notes.length === 0) return;
      ({ selection, notes } = next);
      void show();
    },
    { signal },
  );

  void show();
  return {
    close: () => {
      ended.abort();
      watch.disconnect();
      reader.close();
      clearProblem(problem);
      document.title = 'Fintext explorer';
      for (const id of ['drawings', 'glance', 'table', 'request', 'source', 'notice'])
        get(id, HTMLElement).replaceChildren();
    },
  };
};

/** What a reader should know of what is shown and what is not. */
const noticeOf = (
  { unknown }: Loaded,
  { documents, undated }: Shown,
  selection: Selection,
  notes: readonly string[],
): string =>
  [
    ...notes,
    unknown.length === 0 ? '' : `Not in this data, and left out: ${joined(unknown)}.`,
    documents.length === 0 ? '' : `${count(documents.length, 'document')}.`,
    undated === 0 ? '' : `${count(undated, 'document')} without a day: in the table, on no chart.`,
    selection.charts === 'one' && !isOnOneChart(selection)
      ? 'More lines than one chart can tell apart, so each metric has its own.'
      : '',
  ]
    .filter(Boolean)
    .join(' ');

const titleOf = ({ subjects, metrics }: Selection, by: string): string =>
  `${joined(subjects.map((subject) => nameOf(by, subject)))}: ${joined(metrics.map(metricName)).toLowerCase()}`;

/** The same rows from a command line; the key is a variable there, as it should be. */
const requestOf = ({ dataset, coverage, rows }: Loaded, { subjects, metrics, from, to }: Selection): string => {
  const address = new URL(`v1/metrics/${dataset.id}/documents`, document.baseURI);
  const add = (name: string, value: string): void => {
    if (value !== '') address.searchParams.set(name, value);
  };
  add(coverage.by, subjects.join(','));
  add('metric', metrics.join(','));
  if (coverage.by === 'ticker') {
    const years = [...rows.values()].flat().map(({ year }) => year);
    const within = (year: number): boolean =>
      year >= Number(from.slice(0, 4) || 0) && year <= Number(to.slice(0, 4) || 9999);
    if (from !== '' || to !== '') add('year', [...new Set(years.filter(within))].sort((a, b) => a - b).join(','));
  } else {
    add('start_date', from);
    add('end_date', to);
  }
  add('snapshot', coverage.snapshot);
  add('limit', '10000');
  add('format', 'csv');
  return `curl -H "x-api-key: $KEY" '${address.href.replaceAll('%2C', ',')}'`;
};

const fileNameOf = ({ dataset, coverage }: Loaded, { subjects, metrics, from, to }: Selection): string =>
  [
    dataset.id,
    subjects.length > 3 ? `${subjects.length}_${coverage.by === 'ticker' ? 'tickers' : 'banks'}` : subjects.join('_'),
    metrics.length > 3 ? `${metrics.length}_metrics` : metrics.join('_'),
    from,
    to,
    coverage.snapshot,
  ]
    .filter(Boolean)
    .join('_')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 180);
