/** What `fintext snapshots` says. */
import Table from 'cli-table3';
import type { DocumentList, MetricDifference, SnapshotDifference } from '../snapshot/diff.js';
import type { Served } from '../snapshot/history.js';
import type { KeptSnapshot } from '../snapshot/snapshots.js';
import { whole } from './numbers.js';
import type { Pruned } from './places.js';

const PLAIN = { style: { head: [], border: [], compact: true } };

export const listText = (kept: readonly KeptSnapshot[]): string => {
  const table = new Table({ head: ['', 'snapshot', 'published', 'documents', 'sentences', 'left out'], ...PLAIN });
  for (const { id, current, manifest } of kept) {
    const cells =
      typeof manifest === 'string'
        ? [{ colSpan: 4, content: manifest }]
        : [
            manifest.published_at,
            ...[manifest.counts.documents, manifest.counts.sentences, manifest.counts.rejects].map(whole),
          ];
    table.push([current ? '→' : '', id, ...cells]);
  }
  return `${table.toString()}\n`;
};

export const historyText = (history: readonly Served[]): string =>
  history
    .map(
      ({ snapshot, at, by, reason }, index) =>
        `${index === history.length - 1 ? '→' : ' '} ${at}  ${snapshot}  ${by}${reason === undefined ? '' : `: ${reason}`}\n`,
    )
    .join('');

const SHOWN_DOCUMENTS = 10;
const SHOWN_METRICS = 20;
const SHOWN_MOVES = 20;

export const diffText = (difference: SnapshotDifference): string => {
  const { dataset, before, after, documents, metrics, moves } = difference;
  const lines = [
    `${dataset}: ${before} → ${after}`,
    `  documents    ${whole(documents.before)} → ${whole(documents.after)}`,
    ...documentLines('added', documents.added),
    ...documentLines('removed', documents.removed),
    ...documentLines('changed', documents.changed),
    ...documentLines('described', documents.described),
    ...documentLines('remeasured', documents.remeasured),
    '',
    ...madeOfLines(difference),
    ...difference.metrics_added.map((name) => `  metric ${name} is new`),
    ...difference.metrics_removed.map((name) => `  metric ${name} is gone`),
    '',
  ];
  if (metrics.length === 0) return [...lines, 'No metric of a document that both have moved.', ''].join('\n');
  return [
    ...lines,
    'Metrics that moved, with their means over the documents that have a value in both:',
    metricsTable(metrics.slice(0, SHOWN_METRICS)),
    ...(metrics.length > SHOWN_METRICS ? [`… and ${metrics.length - SHOWN_METRICS} more`] : []),
    ...nullLines(metrics),
    '',
    'The largest moves:',
    movesTable(moves.slice(0, SHOWN_MOVES)),
    '',
  ].join('\n');
};

/** What the two were made of: what a source says of a document, too, which moves no metric and stands in no hash of files. */
const madeOfLines = ({ ingredients, descriptions, files }: SnapshotDifference): readonly string[] => {
  const found = [
    ...ingredients.map(({ name, before: was, after: is }) => `  ${name}: ${short(was)} → ${short(is)}`),
    ...descriptions.map(
      ({ column, documents: n }) =>
        `  what sources say: another ${column} of ${whole(n)} document${n === 1 ? '' : 's'}`,
    ),
  ];
  if (found.length > 0) return ['Made of differently:', ...found];
  return files.length === 0
    ? ['Both were made of the same.']
    : [`Made of the same files, models and formulas, and yet another content: ${files.join(', ')}`];
};

const documentLines = (what: string, { count, ids }: DocumentList): readonly string[] => {
  if (count === 0) return [];
  const shown = ids.slice(0, SHOWN_DOCUMENTS);
  const more = count > shown.length ? `, … ${whole(count - shown.length)} more` : '';
  return [`  ${what.padEnd(12)} ${whole(count)}: ${shown.join(', ')}${more}`];
};

/** They move no mean, and by no distance, so that no row of the tables need show them. */
const nullLines = (metrics: readonly MetricDifference[]): readonly string[] => {
  const became = metrics.reduce((sum, metric) => sum + metric.became_null, 0);
  const were = metrics.reduce((sum, metric) => sum + metric.was_null, 0);
  return became + were === 0
    ? []
    : [`Values of documents that are null now: ${whole(became)}; that were: ${whole(were)}`];
};

const metricsTable = (metrics: readonly MetricDifference[]): string => {
  const table = new Table({
    head: ['metric', 'documents', 'mean', '', 'furthest', 'moved by'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left'],
    ...PLAIN,
  });
  for (const { metric, moved, mean_before: was, mean_after: is, most, causes } of metrics) {
    const because = causes.map(({ cause, documents }) => `${cause} (${whole(documents)})`).join(', ');
    table.push([metric, whole(moved), value(was), `→ ${value(is)}`, signed(most), because]);
  }
  return table.toString();
};

const movesTable = (moves: SnapshotDifference['moves']): string => {
  const table = new Table({
    head: ['document', 'metric', 'before', 'after', 'by', 'moved by'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left'],
    ...PLAIN,
  });
  for (const { document_id: id, metric, before, after, by, causes } of moves) {
    table.push([id, metric, value(before), value(after), signed(by), causes.join(', ')]);
  }
  return table.toString();
};

export const prunedText = ({ snapshots, leftovers, raw }: Pruned, mode: 'look' | 'delete'): string => {
  const [deleted, freed] = mode === 'look' ? ['would delete', 'would free'] : ['deleted', 'freed'];
  const later = raw === 'not known' ? 'Raw files were left alone: another dataset is being run.\n' : '';
  const files = typeof raw === 'string' ? [] : raw;
  if (snapshots.length + leftovers.length + files.length === 0) return `${later}Nothing to delete.\n`;
  const sum = (all: readonly { readonly bytes: number }[]): number =>
    all.reduce((total, { bytes }) => total + bytes, 0);
  type Leftovers = Pruned['leftovers'];
  const of = (kind: Leftovers[number]['what']): Leftovers => leftovers.filter(({ what }) => what === kind);
  const line = (count: number, one: string, many: string, bytes: number): readonly string[] =>
    count === 0 ? [] : [`  ${whole(count)} ${count === 1 ? one : many}, ${size(bytes)}\n`];
  return [
    later,
    ...snapshots.map(({ id, bytes }) => `${deleted} snapshot ${id}, ${size(bytes)}\n`),
    ...(leftovers.length + files.length === 0 ? [] : [`${deleted} what was left over:\n`]),
    ...line(
      of('unit').length,
      'unit of a partition that is gone',
      'units of partitions that are gone',
      sum(of('unit')),
    ),
    ...line(of('temporary').length, 'temporary file or folder', 'temporary files and folders', sum(of('temporary'))),
    ...line(
      of('upload').length,
      'object of an upload that was cut off',
      'objects of uploads that were cut off',
      sum(of('upload')),
    ),
    ...line(
      files.length,
      'raw file that no kept snapshot and no source needs',
      'raw files that no kept snapshot and no source needs',
      sum(files),
    ),
    `${freed} ${size(sum([...snapshots, ...leftovers, ...files]))}\n`,
  ].join('');
};

const value = (n: number | null): string => (n === null ? '–' : n.toFixed(4));
const signed = (n: number | null): string => (n === null ? '–' : `${n > 0 ? '+' : ''}${n.toFixed(4)}`);
/** Of a hash the beginning is enough. */
const short = (text: string | null): string =>
  text === null ? 'none' : /^[0-9a-f]{32,}$/.test(text) ? `${text.slice(0, 12)}…` : text;

const size = (bytes: number): string => {
  const [unit, divisor] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${(bytes / Number(divisor)).toFixed(1)} ${unit}`;
};
