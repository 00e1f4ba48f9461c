/** The figures of a report's plots, aggregated in SQL to at most a few thousand rows. Expects the view `plotted` (`data.ts`). */
import { type Database, identifier, type Value } from '../../../src/database.js';
import type { Metric } from '../../../src/formula.js';
import type { ReportPlan } from './plan.js';
import type { Coverage, Dot, Heat, PanelSet, RankedGroup, Ranking, Trend } from './types.js';

export interface PlotInput {
  readonly database: Database;
  readonly plan: ReportPlan;
  readonly metrics: readonly Metric[];
}

/** Above this, dots stand for bins. */
const MOST_DOTS = 2500;
const MOST_PANELS = 24;
/** Of a panel: columns over its width, and the height of a bin in units of the metric. */
const BIN_COLUMNS = 64;
const BIN_HEIGHT = 0.05;
const RANKED_EACH_END = 10;
const MOST_COVERED = 40;
const MOST_YEARS = 24;

/** The day of a document in years, the middle of its year where it has no day. */
const TIME = 'coalesce(year(date) + (dayofyear(date) - 1) / 366.0, year + 0.5)';

export const readPanels = async ({ database, plan, metrics }: PlotInput): Promise<PanelSet | null> => {
  const name = plan.panels?.metric;
  if (name === undefined || !has(metrics, name)) return null;
  const group = identifier(plan.group.column);
  const value = identifier(name);
  const groups =
    await database.rows(`SELECT ${group} AS name, count(${value}) AS n, min(${TIME}) AS first, max(${TIME}) AS last
    FROM plotted WHERE ${value} IS NOT NULL GROUP BY ALL ORDER BY n DESC, name`);
  if (groups.length === 0) return null;
  const shown = groups.slice(0, MOST_PANELS);
  const total = shown.reduce((sum, row) => sum + toNumber(row.n), 0);
  const first = Math.min(...shown.map((row) => toNumber(row.first)));
  const last = Math.max(...shown.map((row) => toNumber(row.last)));
  const width = Math.max((last - first) / BIN_COLUMNS, 1e-6);
  const dots = total <= MOST_DOTS ? 'documents' : 'bins';
  const rows = await database.rows(
    dots === 'documents'
      ? `SELECT ${group} AS name, round(${TIME}, 4) AS t, round(${value}, 6) AS value, 1 AS n,
           coalesce(CAST(date AS VARCHAR), CAST(year AS VARCHAR)) || ' ' || document_id AS what
         FROM plotted WHERE ${value} IS NOT NULL ORDER BY t, document_id`
      : `SELECT name, round(min(mid_t), 4) AS t, round(min(mid_value), 6) AS value, count(*) AS n, NULL AS what FROM (
           SELECT ${group} AS name, (floor((${TIME} - ${first}) / ${width}) + 0.5) * ${width} + ${first} AS mid_t,
             round(${value} / ${BIN_HEIGHT}) * ${BIN_HEIGHT} AS mid_value FROM plotted WHERE ${value} IS NOT NULL)
         GROUP BY name, mid_t, mid_value ORDER BY name, t, value`,
  );
  const years =
    await database.rows(`SELECT ${group} AS name, year, round(avg(${TIME}), 4) AS t, round(avg(${value}), 6) AS mean, count(*) AS n
    FROM plotted WHERE ${value} IS NOT NULL GROUP BY ALL ORDER BY name, year`);
  const panels = shown
    .map((row) => ({
      group: String(row.name),
      documents: toNumber(row.n),
      dots: rows
        .filter((dot) => dot.name === row.name)
        .map(
          (dot): Dot => ({
            t: toNumber(dot.t),
            value: toNumber(dot.value),
            n: toNumber(dot.n),
            name: toText(dot.what),
          }),
        ),
      yearly: years
        .filter((mean) => mean.name === row.name)
        .map((mean) => ({
          year: toNumber(mean.year),
          t: toNumber(mean.t),
          mean: toNumber(mean.mean),
          n: toNumber(mean.n),
        })),
    }))
    .sort((a, b) => (a.group < b.group ? -1 : 1));
  return { metric: name, dots, panels, more: groups.length - shown.length };
};

export const readTrends = async ({ database, plan, metrics }: PlotInput): Promise<readonly Trend[]> => {
  const { period, centre, metrics: names } = plan.trends;
  const middle = centre === 'mean' ? 'avg(value)' : 'median(value)';
  const trends: Trend[] = [];
  for (const { name, description } of pick(metrics, names)) {
    const rows = await database.rows(`SELECT t, count(*) AS groups, round(${middle}, 6) AS centre,
        round(quantile_cont(value, 0.25), 6) AS low, round(quantile_cont(value, 0.75), 6) AS high
      FROM (SELECT ${identifier(plan.group.column)} AS name, CAST(${period.time} AS DOUBLE) AS t, avg(${identifier(name)}) AS value
            FROM plotted WHERE ${identifier(name)} IS NOT NULL GROUP BY ALL)
      GROUP BY t ORDER BY t`);
    const points = rows.map((row) => ({
      t: toNumber(row.t),
      groups: toNumber(row.groups),
      centre: toNumber(row.centre),
      low: toNumber(row.low),
      high: toNumber(row.high),
    }));
    trends.push({ metric: name, description, points });
  }
  return trends;
};

export const readRanking = async ({ database, plan, metrics }: PlotInput): Promise<Ranking | null> => {
  const name = plan.ranking;
  if (name === null || !has(metrics, name)) return null;
  const group = identifier(plan.group.column);
  const alias = plan.groupAlias === null ? 'NULL' : identifier(plan.groupAlias);
  const beside = plan.beside.map(identifier).join(', ');
  const newest = plan.newest.map((column) => `${identifier(column)} DESC NULLS LAST`).join(', ');
  const rows = await database.rows(`WITH newest AS (
      SELECT ${group} AS ranked, ${alias} AS alias, document_id, ${beside}, round(${identifier(name)}, 6) AS value
      FROM plotted WHERE ${identifier(name)} IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY ${group} ORDER BY ${newest}, document_id) = 1)
    SELECT * FROM (SELECT *, row_number() OVER (ORDER BY value DESC, ranked) AS place, count(*) OVER () AS groups FROM newest)
    WHERE place <= ${RANKED_EACH_END} OR place > groups - ${RANKED_EACH_END} ORDER BY place`);
  return {
    metric: name,
    groups: toNumber(rows[0]?.groups),
    rows: rows.map(
      (row): RankedGroup => ({
        place: toNumber(row.place),
        group: String(row.ranked),
        alias: toText(row.alias),
        document_id: String(row.document_id),
        beside: Object.fromEntries(plan.beside.map((column) => [column, row[column] ?? null])),
        value: toNumber(row.value),
      }),
    ),
  };
};

export const readHeat = async ({ database, plan, metrics }: PlotInput): Promise<Heat | null> => {
  const names = pick(metrics, plan.heat?.metrics ?? []).map(({ name }) => name);
  if (names.length === 0) return null;
  const means = names.map((name) => `round(avg(${identifier(name)}), 6) AS ${identifier(name)}`);
  const rows = await database.rows(
    `SELECT * FROM (SELECT year, ${means.join(', ')} FROM plotted GROUP BY year ORDER BY year DESC LIMIT ${MOST_YEARS}) ORDER BY year`,
  );
  return {
    years: rows.map((row) => toNumber(row.year)),
    rows: names.map((metric) => ({
      metric,
      values: rows.map((row) => (typeof row[metric] === 'number' ? row[metric] : null)),
    })),
  };
};

/** Documents by group and year: the groups with the most documents, the newest years and, before them, the rest. */
export const readCoverage = async ({ database, plan }: PlotInput): Promise<Coverage> => {
  const group = identifier(plan.group.column);
  const groups = await database.rows(
    `SELECT ${group} AS name, count(*) AS n FROM documents GROUP BY ALL ORDER BY n DESC, name LIMIT ${MOST_COVERED}`,
  );
  const years = (await database.rows(`SELECT DISTINCT year FROM documents ORDER BY year DESC LIMIT ${MOST_YEARS}`))
    .map((row) => toNumber(row.year))
    .reverse();
  const top = `SELECT ${group} FROM documents GROUP BY ALL ORDER BY count(*) DESC, ${group} LIMIT ${MOST_COVERED}`;
  const cells =
    await database.rows(`SELECT CASE WHEN ${group} IN (${top}) THEN ${group} END AS name, year, count(*) AS n,
      count(DISTINCT ${group}) AS groups FROM documents GROUP BY 1, 2 ORDER BY 1, 2`);
  const valuesOf = (name: string | null): readonly number[] =>
    years.map((year) => toNumber(cells.find((cell) => cell.name === name && toNumber(cell.year) === year)?.n));
  const [all] = await database.rows(`SELECT count(*) AS n, count(DISTINCT ${group}) AS groups FROM documents`);
  const shown = groups.reduce((sum, row) => sum + toNumber(row.n), 0);
  const others = toNumber(all?.groups) - groups.length;
  return {
    years,
    rows: groups
      .map((row) => ({ group: String(row.name), total: toNumber(row.n), values: valuesOf(String(row.name)) }))
      .sort((a, b) => (a.group < b.group ? -1 : 1)),
    others: others <= 0 ? null : { groups: others, total: toNumber(all?.n) - shown, values: valuesOf(null) },
  };
};

const has = (metrics: readonly Metric[], name: string): boolean => metrics.some((metric) => metric.name === name);

const pick = (metrics: readonly Metric[], names: readonly string[]): readonly Metric[] =>
  names.flatMap((name) => metrics.filter((metric) => metric.name === name));

const toNumber = (value: Value | undefined): number => Number(value ?? 0);

const toText = (value: Value | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
