/** What the published snapshot holds, for the record of the run that left it. */
import { join } from 'node:path';
import { type Database, parquet, quote } from '../../../src/database.js';
import { type Manifest, readManifest } from '../../../src/snapshot/manifest.js';
import { NEWEST_TEXT, newestSql } from '../../../src/snapshot/newest.js';
import { findCurrent } from '../../../src/snapshot/snapshots.js';
import type { World } from '../../stage.js';
import type { RunRecord } from './record.js';

export interface Measured {
  readonly manifest: Manifest;
  readonly uniqueSentences: number;
  readonly rejects: RunRecord['rejects'];
  readonly newest: NonNullable<RunRecord['newest']>;
}

const MOST_REASONS = 10;
const MOST_TOO_OLD = 50;

/** Measures the current snapshot, or undefined where there is none. What an earlier record knows of it is not asked again. */
export const measureSnapshot = async (world: World, before: RunRecord | undefined): Promise<Measured | undefined> => {
  const { outputs, dataset, database } = world;
  const id = await findCurrent(outputs, dataset.id);
  if (id === undefined) return undefined;
  const folder = outputs.snapshot(dataset.id, id);
  const manifest = await readManifest(folder);
  const newest = await readNewest(world, join(folder, 'documents.parquet'));
  if (before?.totals != null && before.snapshot === id) {
    return { manifest, newest, uniqueSentences: before.totals.unique_sentences, rejects: before.rejects };
  }
  return {
    manifest,
    newest,
    uniqueSentences:
      manifest.counts.unique_sentences ?? (await countDistinct(database, join(folder, 'sentences.parquet'))),
    rejects: await readReasons(database, join(folder, 'rejects.parquet')),
  };
};

const countDistinct = async (database: Database, file: string): Promise<number> => {
  const [row] = await database.rows(`SELECT count(DISTINCT hash(text)) AS n FROM ${parquet(file)}`);
  return Number(row?.n ?? 0);
};

const readReasons = async (database: Database, file: string): Promise<RunRecord['rejects']> =>
  (
    await database.rows(`SELECT stage, left(reason, 300) AS reason, count(*) AS n FROM ${parquet(file)}
      GROUP BY ALL ORDER BY n DESC, stage, reason LIMIT ${MOST_REASONS}`)
  ).map(({ stage, reason, n }) => ({ stage: String(stage), reason: String(reason), documents: Number(n) }));

const readNewest = async (
  { database, dataset, settings, now }: World,
  file: string,
): Promise<NonNullable<RunRecord['newest']>> => {
  const newest = newestSql(dataset, parquet(file), now());
  const today = `CAST(${quote(now().toISOString().slice(0, 10))} AS DATE)`;
  const [row] = await database.rows(
    `SELECT CAST(newest AS VARCHAR) AS date, period FROM (${newest}) t ORDER BY t.newest DESC NULLS LAST, period NULLS FIRST LIMIT 1`,
  );
  const old =
    await database.rows(`SELECT subject, ${NEWEST_TEXT} AS newest, ${today} - t.newest AS days FROM (${newest}) t
    WHERE ${settings.maxAgeDays} > 0 AND days > ${settings.maxAgeDays} ORDER BY days DESC, subject LIMIT ${MOST_TOO_OLD}`);
  return {
    date: typeof row?.date === 'string' ? row.date : null,
    period: typeof row?.period === 'string' ? row.period : null,
    too_old: old.map(({ subject, newest: at, days }) => ({
      subject: String(subject),
      newest: String(at),
      days: Number(days),
    })),
  };
};
