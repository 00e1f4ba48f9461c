import { join } from 'node:path';
import type { CommandModule } from 'yargs';
import { DATASET_IDS } from '../../../data/catalog.js';
import { type Database, identifier, openDatabase, parquet, quote } from '../../database.js';
import { UsageError } from '../../errors.js';
import { meantMetricsText } from '../../metric-names.js';
import { nearestNames } from '../../nearest.js';
import { outputsIn } from '../../outputs.js';
import { type Manifest, readManifest } from '../../snapshot/manifest.js';
import { findCurrent } from '../../snapshot/snapshots.js';
import type { Context } from '../context.js';
import { settingsOf, withSettings } from '../options.js';

/** `fintext explain`: where a number comes from, down to the text. */
export const explain = (context: Context): CommandModule => ({
  command: 'explain <document_id>',
  describe: 'the metrics of a document: formula, counts, and the sentences with their labels',
  builder: (yargs) =>
    withSettings('outputs')(yargs)
      .positional('document_id', { type: 'string', demandOption: true, describe: 'as in documents.parquet' })
      .option('metric', {
        type: 'string',
        requiresArg: true,
        describe: 'one metric, with its sentences [all, without]',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON' })
      .example('$0 explain bank_of_japan_2005-09-07 --metric stance', ''),
  handler: async (flags) => {
    const outputs = outputsIn(settingsOf(flags).outputs);
    const documentId = String(flags.document_id);
    const database = await openDatabase({ memoryMb: 256, temporaryFolder: '', threads: 1 });
    try {
      const found = await findDocument(database, outputs, documentId);
      const wanted = flags.metric === undefined ? undefined : String(flags.metric);
      const metrics = found.manifest.metrics.filter(({ name }) => wanted === undefined || name === wanted);
      if (wanted !== undefined && metrics.length === 0) throw unknownMetric(wanted, found.manifest);
      const explained = metrics.map((metric) => explainMetric(metric, found));
      const sentences = wanted === undefined ? [] : await readSentences(database, found, metrics);
      await context.print(
        flags.json === true
          ? `${JSON.stringify({ document: found.document, snapshot: found.manifest.snapshot, metrics: explained, sentences })}\n`
          : explanationText(found, explained, sentences),
      );
    } finally {
      database.close();
    }
  },
});

const unknownMetric = (wanted: string, { dataset, metrics }: Manifest): UsageError => {
  const names = metrics.map(({ name }) => name);
  const meant = meantMetricsText(wanted, names);
  const next =
    meant === ''
      ? `${dataset} has ${names.join(', ')}.`
      : `${meant} Without --metric all ${names.length} of ${dataset} are shown.`;
  return new UsageError(`There is no metric ${wanted}. ${next}`);
};

type Row = Record<string, string | number | null>;
type MetricEntry = Manifest['metrics'][number];

interface Found {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly document: Row;
  readonly counts: Row;
}

interface Explained {
  readonly metric: string;
  readonly value: number | null;
  readonly formula: string;
  readonly counts: Readonly<Record<string, number>>;
}

const MOST_NEAR = 2;

const findDocument = async (
  database: Database,
  outputs: ReturnType<typeof outputsIn>,
  documentId: string,
): Promise<Found> => {
  const near: string[] = [];
  for (const dataset of DATASET_IDS) {
    const current = await findCurrent(outputs, dataset);
    if (current === undefined) continue;
    const folder = outputs.snapshot(dataset, current);
    const from = (name: string): string => parquet(join(folder, `${name}.parquet`));
    const where = `WHERE document_id = ${quote(documentId)}`;
    const [document] = await database.rows(`SELECT * FROM ${from('documents')} ${where}`);
    const [counts] = await database.rows(`SELECT * FROM ${from('counts')} ${where}`);
    if (document !== undefined && counts !== undefined)
      return { manifest: await readManifest(folder), folder, document, counts };
    const [left] = await database.rows(
      `SELECT reason FROM ${from('rejects')} WHERE subject = ${quote(documentId)} LIMIT 1`,
    );
    if (left !== undefined) throw new UsageError(`${documentId} was left out of ${dataset}: ${left.reason}`);
    const rows = await database.rows(
      `SELECT document_id FROM ${from('documents')} ORDER BY damerau_levenshtein(lower(document_id), lower(${quote(documentId)})), document_id LIMIT ${MOST_NEAR}`,
    );
    near.push(...rows.map((row) => String(row.document_id)));
  }
  throw new UsageError(
    near.length === 0
      ? `Nothing is published in ${outputs.folder} yet. Next: fintext rebuild`
      : `There is no document ${documentId} in the current snapshots. Near it: ${nearestNames(documentId, near, MOST_NEAR).join(', ')}.`,
  );
};

const explainMetric = (metric: MetricEntry, { document, counts }: Found): Explained => {
  const value = document[metric.name];
  const names = [...new Set([...metric.plus, ...metric.minus, ...metric.over, ...metric.over_minus])];
  return {
    metric: metric.name,
    value: typeof value === 'number' ? value : null,
    formula: metric.formula,
    counts: Object.fromEntries(names.map((name) => [name, Number(counts[name] ?? 0)])),
  };
};

/** The models that a formula asks are the first part, and the part behind `and`, of its counts' names. */
const modelsOf = (metric: MetricEntry): readonly string[] => [
  ...new Set(
    [...metric.plus, ...metric.minus, ...metric.over, ...metric.over_minus].flatMap((name) => {
      const parts = name.split('__');
      return [parts[0], parts[2] === 'and' ? parts[3] : undefined].filter((part) => part !== undefined);
    }),
  ),
];

const readSentences = (
  database: Database,
  { folder, document, manifest }: Found,
  metrics: readonly MetricEntry[],
): Promise<Row[]> => {
  const known = new Set(manifest.models.map(({ id }) => id));
  const models = [...new Set(metrics.flatMap(modelsOf))].filter((model) => known.has(model)).map(identifier);
  return database.rows(
    `SELECT sentence_index, ${hasMarks(manifest) ? 'mark' : 'NULL AS mark'}, ${models.join(', ')}, text FROM ${parquet(join(folder, 'sentences.parquet'))}
     WHERE document_id = ${quote(String(document.document_id))} ORDER BY sentence_index`,
  );
};

/** Snapshots of before there were marks have no such column. */
const hasMarks = ({ tables }: Manifest): boolean =>
  tables.sentences?.columns.some(({ name }) => name === 'mark') === true;

const explanationText = (
  { document, manifest }: Found,
  metrics: readonly Explained[],
  sentences: readonly Row[],
): string => {
  const marked = Number(document.marked_count ?? 0);
  const title = [
    document.title,
    document.date,
    `${document.sentence_count} sentences${marked === 0 ? '' : `, ${marked} of them marked, asked of no model and not counted`}`,
  ]
    .filter(Boolean)
    .join(', ');
  // Of what was fetched the path is the address.
  const source = [...new Set([document.path, document.source_url])].filter(Boolean).join(', ');
  const lines = [
    `${document.document_id} (${manifest.dataset}, snapshot ${manifest.snapshot})`,
    title,
    ...(source === '' ? [] : [`from ${source}`]),
    '',
  ];
  for (const { metric, value, formula, counts } of metrics) {
    lines.push(`${metric} = ${value === null ? 'null (the denominator is zero)' : value.toPrecision(6)}`);
    lines.push(
      `  formula ${formula}`,
      `  counts  ${Object.entries(counts)
        .map(([name, n]) => `${name} ${n}`)
        .join(', ')}`,
      '',
    );
  }
  return `${[...lines, ...sentenceLines(sentences)].join('\n')}\n`;
};

/** Labels stand in a column of their own; where they are of several models, those are named above it, in the same order. */
const sentenceLines = (sentences: readonly Row[]): readonly string[] => {
  const rows = sentences.map(({ sentence_index: index, text, mark, ...labels }) => ({
    index: String(index),
    models: Object.keys(labels),
    said: mark === null ? Object.values(labels).join(' · ') : `(${mark})`,
    text,
  }));
  const models = rows[0]?.models ?? [];
  const heading = models.length > 1 ? [{ index: '', said: models.join(' · '), text: '' }] : [];
  const all = [...heading, ...rows];
  const width = all.reduce((most, { said }) => Math.max(most, said.length), 0);
  return all.map(({ index, said, text }) => `${index.padStart(4)}  ${said.padEnd(width)}  ${text}`.trimEnd());
};
