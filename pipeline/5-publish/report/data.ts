/** What a report says, read from the staged tables. Everything is aggregated in SQL; no list here grows with the corpus. */
import { DATASETS } from '../../../data/catalog.js';
import { getModel, type ModelId } from '../../../models/catalog.js';
import { type Database, identifier, type Row, type Value } from '../../../src/database.js';
import { countColumn, formulaText } from '../../../src/formula.js';
import { SETTINGS, type SettingName } from '../../../src/settings.js';
import { whenSql } from '../../../src/snapshot/when.js';
import type { World } from '../../stage.js';
import { throughputOf } from '../../throughput.js';
import type { CheckResult } from '../checks/run.js';
import { readLineage } from './lineage.js';
import { REPORT_PLANS, type ReportPlan } from './plan.js';
import { readCoverage, readHeat, readPanels, readRanking, readTrends } from './plot-data.js';
import type { LastSnapshot, ModelShares, RejectGroup, ReportData } from './types.js';

export interface ReportInput {
  readonly world: World;
  readonly checks: readonly CheckResult[];
  readonly last: string | undefined;
}

const MOST_DOCUMENTS = 200;
const MOST_REASONS = 20;
const MOST_EXAMPLES = 200;
/** Over all reasons; each has at least 5. */
const MOST_EXAMPLES_TOGETHER = 1000;

/** Settings that change what is published or how fast; those that name places on a machine are nobody else's business. */
const SHOWN_SETTINGS: readonly SettingName[] = [
  'uncertainty',
  'maxRejects',
  'maxDropped',
  'maxAgeDays',
  'device',
  'variant',
  'executor',
  'workers',
  'databaseMb',
];

/** Expects the views `documents`, `counts`, `sentences`, `rejects`, `last_documents` and `last_counts`. */
export const readReportData = async ({ world, checks, last }: ReportInput): Promise<ReportData> => {
  const { database, dataset, metrics, settings } = world;
  const plan = REPORT_PLANS[dataset.id];
  const asked = { database, plan, metrics };
  const counts = await readCounts(database);
  await database.run(plottedSql(world));
  const madeAt = world.now().toISOString();
  return {
    dataset: { id: dataset.id, name: dataset.name, description: dataset.description },
    made_at: madeAt,
    counts,
    last: await readLast(
      database,
      last,
      metrics.map(({ name }) => name),
    ),
    checks,
    panels: await readPanels(asked),
    trends: await readTrends(asked),
    ranking: await readRanking(asked),
    heat: await readHeat(asked),
    shares: await readShares(world),
    rejects: await readRejects(database, counts.rejects),
    stages: world.reports().map((report) => ({ ...report, throughput: throughputOf(report) })),
    lineage: await readLineage(world, checks, madeAt),
    coverage: await readCoverage(asked),
    documents: await readDocuments(world, plan),
    models: world.fingerprints.map(({ model, fingerprint, own }) => {
      const { id, name, labels } = getModel(model);
      return { id, name, labels, fingerprint, own };
    }),
    formulas: metrics.map(({ name, description, formula, range }) => ({
      name,
      description,
      formula: formulaText(formula),
      range,
    })),
    settings: SHOWN_SETTINGS.map((name) => ({
      flag: `--${SETTINGS[name].flag}`,
      value: String(settings[name]),
      about: SETTINGS[name].about,
    })),
  };
};

/**
 * The view `plotted`: documents but for those dated after the day of the run, of which a check warns. One of 2062 would press
 * all others into a corner, and be the last value of everything.
 */
const plottedSql = ({ dataset, now }: World): string => {
  const isPast = `NOT ${whenSql(dataset).isAhead(now())}`;
  return `CREATE OR REPLACE VIEW plotted AS SELECT * FROM documents WHERE ${isPast} OR NOT EXISTS (SELECT 1 FROM documents WHERE ${isPast})`;
};

const readCounts = async (database: Database): Promise<ReportData['counts']> => {
  const [row] = await database.rows(`SELECT (SELECT count(*) FROM documents) AS documents,
    (SELECT count(*) FROM sentences) AS sentences, (SELECT count(*) FROM rejects) AS rejects`);
  const marked = await database.rows(`SELECT mark, count(*) AS sentences, count(DISTINCT document_id) AS documents
    FROM sentences WHERE mark IS NOT NULL GROUP BY mark ORDER BY mark`);
  return {
    documents: toNumber(row?.documents),
    sentences: toNumber(row?.sentences),
    marked: marked.map(({ mark, sentences, documents }) => ({
      mark: String(mark),
      sentences: toNumber(sentences),
      documents: toNumber(documents),
    })),
    rejects: toNumber(row?.rejects),
  };
};

const readLast = async (
  database: Database,
  last: string | undefined,
  metrics: readonly string[],
): Promise<LastSnapshot | null> => {
  if (last === undefined) return null;
  const columns = await columnsOf(database, 'last_documents');
  const measured = metrics.filter((name) => columns.has(name));
  const differs = measured.map((name) => `d.${identifier(name)} IS DISTINCT FROM l.${identifier(name)}`);
  const both = 'd.document_id IS NOT NULL AND l.document_id IS NOT NULL';
  const [row] = await database.rows(`SELECT (SELECT count(*) FROM last_documents) AS before,
      count(*) FILTER (WHERE l.document_id IS NULL) AS added,
      count(*) FILTER (WHERE d.document_id IS NULL) AS gone,
      count(*) FILTER (WHERE ${both} AND d.text_sha256 <> l.text_sha256) AS changed,
      count(*) FILTER (WHERE ${both} AND d.text_sha256 = l.text_sha256 AND (${differs.join(' OR ') || 'false'})) AS remeasured
    FROM documents d FULL JOIN last_documents l ON d.document_id = l.document_id`);
  const count = (name: string): number => toNumber(row?.[name]);
  return {
    id: last,
    difference:
      count('before') === 0
        ? null
        : { added: count('added'), gone: count('gone'), changed: count('changed'), remeasured: count('remeasured') },
  };
};

const readShares = async ({ database, dataset }: World): Promise<readonly ModelShares[]> => {
  const now = await sumCounts(database, 'counts', dataset.models);
  const then = await sumCounts(database, 'last_counts', dataset.models);
  const share = (sums: Row, model: ModelId, label: string): number | null => {
    const [n, total] = [label, null].map((one) => sums[countColumn({ model, label: one })]);
    return typeof n === 'number' && typeof total === 'number' && total > 0 ? Number((n / total).toFixed(6)) : null;
  };
  return dataset.models.map((model) => ({
    model,
    name: getModel(model).name,
    labels: getModel(model).labels.map((label) => ({
      label,
      share: share(now, model, label) ?? 0,
      before: share(then, model, label),
    })),
  }));
};

/** Of what the table has: the last snapshot may have had other models. */
const sumCounts = async (database: Database, table: string, models: readonly ModelId[]): Promise<Row> => {
  const columns = await columnsOf(database, table);
  const sums = models
    .flatMap((model) => [null, ...getModel(model).labels].map((label) => countColumn({ model, label })))
    .filter((column) => columns.has(column))
    .map((column) => `sum(${identifier(column)}) AS ${identifier(column)}`);
  if (sums.length === 0) return {};
  const [row] = await database.rows(`SELECT ${sums.join(', ')} FROM ${table}`);
  return row ?? {};
};

/** Words with digits, slashes or underscores are names and amounts: rejects that differ only in those are of one kind. */
const NAME_OR_AMOUNT = String.raw`[^\s,;()]*[0-9_/\\]([^\s,;()]*[^\s,;().:])?`;
/** Names of columns say what is wrong, and stay, as words; what is allowed is in each reason. */
const COLUMNS = [
  'document_id',
  'source_url',
  ...Object.values(DATASETS).flatMap(({ dimensions }) => dimensions.map(({ name }) => name)),
];
const PLAIN = COLUMNS.filter((name) => name.includes('_')).reduce(
  (sql, name) => `replace(${sql}, '${name} ', '${name.replaceAll('_', ' ')} ')`,
  `regexp_replace(reason, '; allowed: [^;]*', ', which is not allowed', 'g')`,
);
const KIND = `left(regexp_replace(${PLAIN}, '${NAME_OR_AMOUNT}(\\s+${NAME_OR_AMOUNT})*', '…', 'g'), 300)`;

const readRejects = async (database: Database, total: number): Promise<ReportData['rejects']> => {
  const kinds = `SELECT stage, kind, count(*) AS n, count(DISTINCT reason) AS reasons, left(min(reason), 300) AS reason
    FROM (SELECT *, ${KIND} AS kind FROM rejects) GROUP BY stage, kind ORDER BY n DESC, stage, kind LIMIT ${MOST_REASONS}`;
  const examples = await database.rows(`SELECT stage, kind, left(subject, 200) AS subject, left(reason, 300) AS reason
    FROM (SELECT *, ${KIND} AS kind FROM rejects) SEMI JOIN (${kinds}) USING (stage, kind)
    QUALIFY row_number() OVER (PARTITION BY stage, kind ORDER BY subject, reason) <= ${MOST_EXAMPLES}
    ORDER BY stage, kind, subject, reason`);
  let room = MOST_EXAMPLES_TOGETHER;
  const groups: RejectGroup[] = [];
  for (const kind of await database.rows(kinds)) {
    const same = toNumber(kind.reasons) === 1;
    const found = examples
      .filter((row) => row.stage === kind.stage && row.kind === kind.kind)
      .slice(0, Math.max(5, room));
    room -= found.length;
    groups.push({
      stage: String(kind.stage),
      reason: String(same ? kind.reason : kind.kind),
      n: toNumber(kind.n),
      examples: found.map(({ subject, reason }) => ({
        subject: String(subject),
        reason: same ? null : String(reason),
      })),
    });
  }
  return { groups, more: total - groups.reduce((sum, { n }) => sum + n, 0) };
};

/** What is dated ahead would stand above all that is new, and be the first that a reader sees: it comes last. */
const readDocuments = async ({ database, dataset, metrics, now }: World, plan: ReportPlan): Promise<readonly Row[]> => {
  const measured = plan.main.filter((name) => metrics.some((metric) => metric.name === name));
  const columns = ['document_id', plan.group.column, ...plan.beside, 'title', 'source_url', 'sentence_count'];
  const rounded = measured.map((name) => `round(${identifier(name)}, 6) AS ${identifier(name)}`);
  const newest = plan.newest.map((name) => `${identifier(name)} DESC NULLS LAST`);
  const ahead = `${whenSql(dataset).isAhead(now())} AS dated_ahead`;
  return database.rows(`SELECT ${[...columns.map(identifier), ...rounded, ahead].join(', ')} FROM documents
    ORDER BY dated_ahead, ${newest.join(', ')}, document_id LIMIT ${MOST_DOCUMENTS}`);
};

const columnsOf = async (database: Database, table: string): Promise<ReadonlySet<string>> =>
  new Set((await database.rows(`DESCRIBE ${table}`)).map((row) => String(row.column_name)));

const toNumber = (value: Value | undefined): number => Number(value ?? 0);
