import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getModel } from '../../models/catalog.js';
import { parquet } from '../../src/database.js';
import { canonicalJson, hashFile, hashText } from '../../src/files.js';
import { countColumn, formulaText } from '../../src/formula.js';
import { packageVersion } from '../../src/package-root.js';
import type { Manifest } from '../../src/snapshot/manifest.js';
import type { World } from '../stage.js';
import type { CheckResult } from './checks/run.js';
import { inputsKey } from './last.js';
import { publishedTables } from './published-tables.js';
import type { Written } from './staged.js';

export interface Described extends Pick<Written, 'rows' | 'hashes' | 'texts'> {
  readonly world: World;
  readonly staging: string;
  readonly checks: readonly CheckResult[];
}

/** The manifest of a staged snapshot. Its id is a hash of the Parquet files, the models and the formulas, and of nothing else. */
export const describeSnapshot = async ({
  world,
  staging,
  checks,
  rows,
  hashes,
  texts,
}: Described): Promise<Manifest> => {
  const { dataset, now } = world;
  const tables = publishedTables(world);
  const files: Manifest['files'] = {};
  for (const { name } of tables) {
    files[`${name}.parquet`] = {
      ...(await describeFile(join(staging, `${name}.parquet`), hashes[`${name}.parquet`])),
      rows: rows[name] ?? 0,
      in_id: true,
    };
  }
  for (const name of [`${dataset.id}.duckdb`, 'report.html', 'report.json']) {
    files[name] = { ...(await describeFile(join(staging, name), hashes[name])), rows: null, in_id: false };
  }
  const { models, formulas } = describeMaking(world);
  const content = {
    dataset: dataset.id,
    files: Object.entries(files)
      .filter(([, file]) => file.in_id)
      .map(([name, { sha256 }]) => [name, sha256]),
    models: models.map(({ id, fingerprint }) => [id, fingerprint]),
    formulas,
  };
  const count = (name: string): number => files[`${name}.parquet`]?.rows ?? 0;
  return {
    format: 1,
    dataset: dataset.id,
    snapshot: hashText(canonicalJson(content)).slice(0, 16),
    published_at: now().toISOString(),
    code_version: packageVersion,
    stage_versions: { ...world.stageVersions },
    counts: {
      documents: count('documents'),
      sentences: count('sentences'),
      marked: await countMarked(world, staging),
      unique_sentences: texts,
      rejects: count('rejects'),
    },
    files,
    tables: Object.fromEntries(
      tables.map(({ name, row, key, columns }) => [
        name,
        { row, key: [...key], columns: columns.map((column) => ({ ...column })) },
      ]),
    ),
    models,
    metrics: formulas,
    inputs: await describeInputs(world),
    checks: checks.map(({ name, severity, passed, offending, overridden }) => ({
      name,
      severity,
      passed,
      offending,
      ...(overridden === undefined ? {} : { overridden }),
    })),
    run: Object.fromEntries(world.reports().flatMap(({ facts }) => Object.entries(facts))),
  };
};

/** What made the numbers: it is in the id, and so publishing must see each change of it. */
export const describeMaking = ({
  fingerprints,
  metrics,
}: Pick<World, 'fingerprints' | 'metrics'>): {
  readonly models: Manifest['models'];
  readonly formulas: Manifest['metrics'];
} => ({
  models: fingerprints.map(({ model, fingerprint, own }) => ({
    id: model,
    fingerprint,
    labels: [...getModel(model).labels],
    ...(own ? { own } : {}),
  })),
  formulas: metrics.map(({ name, description, formula, range }) => ({
    name,
    description,
    formula: formulaText(formula),
    range: [range[0], range[1]],
    plus: formula.plus.map(countColumn),
    minus: formula.minus.map(countColumn),
    over: formula.over.map(countColumn),
    over_minus: formula.overMinus.map(countColumn),
  })),
});

const countMarked = async ({ database }: World, staging: string): Promise<number> => {
  const [row] = await database.rows(
    `SELECT sum(marked_count) AS n FROM ${parquet(join(staging, 'documents.parquet'))}`,
  );
  return Number(row?.n ?? 0);
};

const describeInputs = async (world: World): Promise<Manifest['inputs']> => {
  const files = world.partitions
    .flatMap((partition) => world.documents(partition))
    .map(({ path, fileSha256 }) => `${path} ${fileSha256}`)
    .sort();
  return { files: files.length, sha256: hashText(files.join('\n')), folders: inputsKey(world) };
};

const describeFile = async (path: string, sha256?: string): Promise<{ sha256: string; bytes: number }> => ({
  sha256: sha256 ?? (await hashFile(path)),
  bytes: (await stat(path)).size,
});
