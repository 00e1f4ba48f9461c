/**
 * What two snapshots differ in: documents, metrics and, for every metric that moved, which ingredient moved it. All of it is
 * read from the published tables and the manifests; nothing of the run that made them is needed.
 */
import { join } from 'node:path';
import { type Database, identifier, parquet, quote, type Value } from '../database.js';
import { type Description, describingColumns, differsIn, readDescriptions } from './descriptions.js';
import { changedIngredients, type Ingredient } from './ingredients.js';
import { type Manifest, readManifest } from './manifest.js';

/** What can move a metric: the text, how it was cut, a model's labels, the formula. `unknown` should not occur. */
export type Cause = 'text' | 'sentences' | 'formula' | 'unknown' | `model ${string}`;

export interface Move {
  readonly document_id: string;
  readonly metric: string;
  /** Null where its denominator is zero. */
  readonly before: number | null;
  readonly after: number | null;
  /** Null where one of them is. */
  readonly by: number | null;
  readonly causes: readonly Cause[];
}

export interface MetricDifference {
  readonly metric: string;
  /** Documents of both snapshots whose value is another one. */
  readonly moved: number;
  /** Means over the documents that have a value in both. */
  readonly mean_before: number | null;
  readonly mean_after: number | null;
  /** Of `moved`, those that have no value any more, and those that had none: how far they moved cannot be said. */
  readonly became_null: number;
  readonly was_null: number;
  /** The largest move up or down of one document. */
  readonly most: number | null;
  /** Documents moved by each cause, most first; a document can have several. */
  readonly causes: readonly { readonly cause: Cause; readonly documents: number }[];
}

export interface DocumentList {
  readonly count: number;
  /** The first of them, by name. */
  readonly ids: readonly string[];
}

export interface SnapshotDifference {
  readonly dataset: string;
  readonly before: string;
  readonly after: string;
  readonly documents: {
    readonly before: number;
    readonly after: number;
    readonly added: DocumentList;
    readonly removed: DocumentList;
    /** The text is another one. */
    readonly changed: DocumentList;
    /** The text is the same; a dimension, the title or the like is not. */
    readonly described: DocumentList;
    /** The text is the same, a metric is not. */
    readonly remeasured: DocumentList;
  };
  /** What the two were made of differently, whether it moved a number or not. */
  readonly ingredients: readonly Ingredient[];
  /** Dimensions, titles and the like that sources give another value by now, with of how many documents that both have. */
  readonly descriptions: readonly Description[];
  /** Published files whose content is another one, as the manifests tell; what describes the run is left out. */
  readonly files: readonly string[];
  /** Metrics that only one of them has. */
  readonly metrics_added: readonly string[];
  readonly metrics_removed: readonly string[];
  /** The one that moved furthest first; those that did not move are left out. */
  readonly metrics: readonly MetricDifference[];
  /** The largest moves of all. */
  readonly moves: readonly Move[];
}

export interface DiffOptions {
  readonly database: Database;
  /** Folders of the two snapshots. */
  readonly before: string;
  readonly after: string;
  /** How many documents and moves are named. */
  readonly most: number;
}

export const diffSnapshots = async ({ database, before, after, most }: DiffOptions): Promise<SnapshotDifference> => {
  const [a, b] = [await readManifest(before), await readManifest(after)];
  for (const [side, folder] of [
    ['a', before],
    ['b', after],
  ] as const) {
    for (const table of ['documents', 'sentences']) {
      const file = parquet(join(folder, `${table}.parquet`));
      const { tables } = side === 'a' ? a : b;
      // Snapshots of before there were marks have no such column.
      const lacksMark = table === 'sentences' && !tables.sentences?.columns.some(({ name }) => name === 'mark');
      await database.run(
        `CREATE OR REPLACE VIEW ${side}_${table} AS SELECT *${lacksMark ? ', NULL::VARCHAR AS mark' : ''} FROM ${file}`,
      );
    }
  }
  const shared = metricsOfBoth(a, b);
  await makeMoves(database, a, b, shared);
  const names = (manifest: Manifest): readonly string[] => manifest.metrics.map(({ name }) => name);
  const said = await describingColumns(database, a, b);
  return {
    dataset: b.dataset,
    before: a.snapshot,
    after: b.snapshot,
    documents: await readDocuments(database, a, b, said, most),
    ingredients: changedIngredients(a, b),
    descriptions: await readDescriptions(database, said),
    files: Object.entries(b.files).flatMap(([name, { in_id: isIn, sha256 }]) =>
      isIn && a.files[name]?.sha256 !== sha256 ? [name] : [],
    ),
    metrics_added: names(b).filter((name) => !names(a).includes(name)),
    metrics_removed: names(a).filter((name) => !names(b).includes(name)),
    metrics: await readMetrics(database, shared),
    moves: await readMoves(database, most),
  };
};

type MetricFormula = Manifest['metrics'][number];

const metricsOfBoth = (a: Manifest, b: Manifest): readonly (readonly [MetricFormula, MetricFormula])[] =>
  a.metrics.flatMap((before): readonly (readonly [MetricFormula, MetricFormula])[] => {
    const after = b.metrics.find(({ name }) => name === before.name);
    return after === undefined ? [] : [[before, after]];
  });

const terms = ({ plus, minus, over, over_minus: overMinus }: MetricFormula): string =>
  JSON.stringify([plus, minus, over, overMinus]);

/** The models whose labels a formula counts: `model__label` or `model__label__and__model__label`. */
const modelsOf = (formulas: readonly MetricFormula[], models: readonly string[]): readonly string[] => {
  const parts = new Set(
    formulas
      .flatMap(({ plus, minus, over, over_minus: overMinus }) => [...plus, ...minus, ...over, ...overMinus])
      .flatMap((column) => column.split('__')),
  );
  return models.filter((model) => parts.has(model));
};

/**
 * Table `moves`: a row for each document and metric whose value is another one, with its causes. Labels are compared
 * sentence by sentence, and only where text, sentences and their marks are the same: where they are not, that is the cause.
 */
const makeMoves = async (
  database: Database,
  a: Manifest,
  b: Manifest,
  metrics: readonly (readonly [MetricFormula, MetricFormula])[],
): Promise<void> => {
  const models = a.models.map(({ id }) => id).filter((id) => b.models.some((model) => model.id === id));
  const relabelled = models.map(
    (model) => `bool_or(x.${identifier(model)} IS DISTINCT FROM y.${identifier(model)}) AS ${identifier(model)}`,
  );
  const differs = metrics.map(([{ name }]) => `a.${identifier(name)} IS DISTINCT FROM b.${identifier(name)}`);
  await database.run(`CREATE OR REPLACE TABLE pairs AS SELECT a.document_id, a.text_sha256 <> b.text_sha256 AS reworded
    FROM a_documents a JOIN b_documents b USING (document_id) WHERE ${differs.join(' OR ') || 'false'}`);
  await database.run(`CREATE OR REPLACE TABLE compared AS SELECT document_id, any_value(reworded) AS reworded,
      bool_or(x.char_start IS DISTINCT FROM y.char_start OR x.char_end IS DISTINCT FROM y.char_end
        OR x.mark IS DISTINCT FROM y.mark) AS recut
      ${relabelled.map((column) => `, ${column}`).join('')}
    FROM (SELECT * FROM a_sentences SEMI JOIN pairs USING (document_id)) x
    FULL JOIN (SELECT * FROM b_sentences SEMI JOIN pairs USING (document_id)) y USING (document_id, sentence_index)
    JOIN pairs USING (document_id) GROUP BY document_id`);
  const causes = ([before, after]: readonly [MetricFormula, MetricFormula]): string => {
    const formula = terms(before) === terms(after) ? 'false' : 'true';
    const asked = modelsOf([before, after], models);
    return `CASE WHEN reworded THEN ['text'] WHEN recut THEN ['sentences'] ELSE
      list_filter([${asked.map((model) => `CASE WHEN ${identifier(model)} THEN ${quote(`model ${model}`)} END`).join(', ') || 'NULL'}], c -> c IS NOT NULL)
      END || CASE WHEN ${formula} THEN ['formula'] ELSE []::VARCHAR[] END`;
  };
  const rows = metrics.map((pair) => {
    const column = identifier(pair[0].name);
    return `SELECT document_id, ${quote(pair[0].name)} AS metric, a.${column} AS before, b.${column} AS after, ${causes(pair)} AS causes
      FROM a_documents a JOIN b_documents b USING (document_id) JOIN compared USING (document_id)
      WHERE a.${column} IS DISTINCT FROM b.${column}`;
  });
  const none =
    'SELECT NULL AS document_id, NULL AS metric, NULL AS before, NULL AS after, []::VARCHAR[] AS causes LIMIT 0';
  await database.run(`CREATE OR REPLACE TABLE moves AS
    SELECT * REPLACE (CASE WHEN len(causes) = 0 THEN ['unknown'] ELSE causes END AS causes), after - before AS distance
    FROM (${rows.join(' UNION ALL ') || none})`);
};

const readMetrics = async (
  database: Database,
  metrics: readonly (readonly [MetricFormula, MetricFormula])[],
): Promise<readonly MetricDifference[]> => {
  const found =
    await database.rows(`SELECT metric, count(*) AS moved, count_if(after IS NULL) AS became_null, count_if(before IS NULL) AS was_null,
      max(abs(distance)) AS furthest, arg_max(distance, abs(distance)) AS most
    FROM moves GROUP BY metric ORDER BY furthest DESC NULLS LAST, moved DESC, metric`);
  const causes = await database.rows(`SELECT metric, cause, count(*) AS documents
    FROM (SELECT metric, unnest(causes) AS cause FROM moves) GROUP BY ALL ORDER BY documents DESC, cause`);
  const means = await readMeans(
    database,
    metrics.map(([{ name }]) => name),
  );
  return found.map(({ metric, moved, became_null: became, was_null: was, most }) => ({
    metric: String(metric),
    moved: Number(moved),
    became_null: Number(became),
    was_null: Number(was),
    ...(means.get(String(metric)) ?? { mean_before: null, mean_after: null }),
    most: numberOrNull(most),
    causes: causes
      .filter((row) => row.metric === metric)
      .map(({ cause, documents }) => ({ cause: parseCause(cause), documents: Number(documents) })),
  }));
};

const readMeans = async (
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly mean_before: number | null; readonly mean_after: number | null }>> => {
  const mean = (side: 'a' | 'b', name: string): string => {
    const [mine, other] = side === 'a' ? ['a', 'b'] : ['b', 'a'];
    const column = identifier(name);
    return `avg(${mine}.${column}) FILTER (WHERE ${other}.${column} IS NOT NULL) AS ${identifier(`${side} ${name}`)}`;
  };
  if (names.length === 0) return new Map();
  const [row] = await database.rows(`SELECT ${names.flatMap((name) => [mean('a', name), mean('b', name)]).join(', ')}
    FROM a_documents a JOIN b_documents b USING (document_id)`);
  return new Map(
    names.map((name) => [
      name,
      { mean_before: numberOrNull(row?.[`a ${name}`]), mean_after: numberOrNull(row?.[`b ${name}`]) },
    ]),
  );
};

const readMoves = async (database: Database, most: number): Promise<readonly Move[]> =>
  (
    await database.rows(`SELECT document_id, metric, before, after, distance, array_to_string(causes, '|') AS causes FROM moves
      ORDER BY abs(distance) DESC NULLS LAST, document_id, metric LIMIT ${most}`)
  ).map(({ document_id: id, metric, before, after, distance, causes }) => ({
    document_id: String(id),
    metric: String(metric),
    before: numberOrNull(before),
    after: numberOrNull(after),
    by: numberOrNull(distance),
    causes: String(causes).split('|').map(parseCause),
  }));

const readDocuments = async (
  database: Database,
  a: Manifest,
  b: Manifest,
  said: readonly string[],
  most: number,
): Promise<SnapshotDifference['documents']> => {
  const redescribed = said.map(differsIn).join(' OR ');
  const both = 'a_documents a JOIN b_documents b USING (document_id)';
  const list = async (from: string): Promise<DocumentList> => {
    const [row] = await database.rows(`SELECT count(*) AS n FROM (${from})`);
    const first = await database.rows(`SELECT * FROM (${from}) ORDER BY document_id LIMIT ${most}`);
    return { count: Number(row?.n ?? 0), ids: first.map(({ document_id: id }) => String(id)) };
  };
  return {
    before: a.counts.documents,
    after: b.counts.documents,
    added: await list('SELECT document_id FROM b_documents ANTI JOIN a_documents USING (document_id)'),
    removed: await list('SELECT document_id FROM a_documents ANTI JOIN b_documents USING (document_id)'),
    changed: await list(`SELECT document_id FROM ${both} WHERE a.text_sha256 <> b.text_sha256`),
    described: await list(
      `SELECT document_id FROM ${both} WHERE a.text_sha256 = b.text_sha256 AND (${redescribed || 'false'})`,
    ),
    remeasured: await list('SELECT document_id FROM pairs WHERE NOT reworded'),
  };
};

const parseCause = (value: Value | undefined): Cause => {
  const text = String(value);
  const [known] = (['text', 'sentences', 'formula'] as const).filter((cause) => cause === text);
  if (known !== undefined) return known;
  return text.startsWith('model ') ? `model ${text.slice(6)}` : 'unknown';
};

const numberOrNull = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null);
