/** The last snapshot, as what is staged is compared with it: as `last_documents` and `last_counts`, and why where it is not. */
import { join } from 'node:path';
import { parquet, quote } from '../../src/database.js';
import { hashText } from '../../src/files.js';
import { findEarlier, readHistory } from '../../src/snapshot/history.js';
import { type Manifest, readManifest } from '../../src/snapshot/manifest.js';
import type { World } from '../stage.js';
import { BOUNDS } from './checks.js';
import { foldersOf } from './previous.js';

/** The tables that the checks compare. */
const COMPARED = ['documents', 'counts'] as const;

export interface Comparison {
  /** The manifest of the snapshot that is compared with. */
  readonly comparable: Manifest | undefined;
  /** Names of views that stand for it. */
  readonly views: readonly string[];
}

/**
 * Opens the last snapshot beside the staged `documents`, which is a view already. Where it was damaged since, the one served
 * before it is the last. Another corpus is not compared with: one of other folders that has less than half of its documents.
 * A folder that moved, was added or taken away has more, and must lose nothing on the way.
 *
 * `last_uncompared` has a row that says why nothing is compared, where there is a snapshot at all.
 *
 * @param staging where tables of the same columns lie, for views without rows
 */
export const openLast = async (world: World, staging: string): Promise<Comparison> => {
  const { database } = world;
  const { whole, damaged } = await findWhole(world);
  const open = async (manifest: Manifest | undefined): Promise<void> => {
    const folder = manifest === undefined ? staging : world.outputs.snapshot(world.dataset.id, manifest.snapshot);
    for (const name of COMPARED) {
      const rows = `SELECT * FROM ${parquet(join(folder, `${name}.parquet`))}`;
      await database.run(
        `CREATE OR REPLACE VIEW last_${name} AS ${rows}${manifest === undefined ? ' WHERE false' : ''}`,
      );
    }
  };
  await open(whole);
  const why = await findWhyNot(world, { whole, damaged });
  if (why !== undefined) await open(undefined);
  const row = `SELECT ${quote(why ?? '')} AS why${why === undefined ? ' WHERE false' : ''}`;
  await database.run(`CREATE OR REPLACE VIEW last_uncompared AS ${row}`);
  return {
    comparable: why === undefined ? whole : undefined,
    views: [...COMPARED.map((name) => `last_${name}`), 'last_uncompared'],
  };
};

interface Found {
  /** The last one served whose tables are what was published. */
  readonly whole: Manifest | undefined;
  /** Those served after it, which are not. */
  readonly damaged: readonly string[];
}

const findWhole = async (world: World): Promise<Found> => {
  const { outputs, dataset, hash } = world;
  const history = await readHistory(outputs, dataset.id);
  const current = history.at(-1)?.snapshot;
  const damaged: string[] = [];
  for (const id of current === undefined ? [] : [current, ...findEarlier(history)]) {
    const folder = outputs.snapshot(dataset.id, id);
    const manifest = await readManifest(folder).catch(() => undefined);
    const hashes = COMPARED.map((name) => hash(join(folder, `${name}.parquet`)).catch(() => undefined));
    const expected = COMPARED.map((name) => manifest?.files[`${name}.parquet`]?.sha256);
    const found = await Promise.all(hashes);
    if (manifest !== undefined && found.every((one, at) => one !== undefined && one === expected[at])) {
      return { whole: manifest, damaged };
    }
    damaged.push(id);
  }
  return { whole: undefined, damaged };
};

const findWhyNot = async (world: World, { whole, damaged }: Found): Promise<string | undefined> => {
  if (whole === undefined) {
    return damaged.length === 0 ? undefined : `No snapshot that was served is whole any more: ${damaged.join(', ')}.`;
  }
  if ((await foldersOf(world.outputs, whole)) === inputsKey(world)) return undefined;
  const [row] = await world.database.rows(
    'SELECT count(*) AS before, count(d.document_id) AS kept FROM last_documents l LEFT JOIN documents d USING (document_id)',
  );
  const [before, kept] = [Number(row?.before ?? 0), Number(row?.kept ?? 0)];
  if (kept >= BOUNDS.sameCorpus.share * before) return undefined;
  return `The input folders are others than those of ${whole.snapshot}, and hold ${kept} of its ${before} documents.`;
};

/** Stands for the input folders. */
export const inputsKey = ({ inputs }: Pick<World, 'inputs'>): string =>
  hashText([...inputs].sort().join('\n')).slice(0, 16);
