/** The last snapshot of the same corpus, as what is staged is compared with it: `last_documents` and `last_counts`. */
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
 * Opens, beside the staged `documents`, which is a view already, the last snapshot of the same corpus: the last one served
 * that is whole and of the same input folders, or has half of its documents here. A folder that moved, was added or taken
 * away is the same corpus, and must lose nothing on the way; another one that was published in between is passed over.
 *
 * `last_uncompared` has a row that says why nothing is compared, where there is a snapshot at all.
 *
 * @param staging where tables of the same columns lie, for views without rows
 */
export const openLast = async (world: World, staging: string): Promise<Comparison> => {
  const { database, outputs, dataset } = world;
  const open = async (folder: string, where: string): Promise<void> => {
    for (const name of COMPARED) {
      const rows = `SELECT * FROM ${parquet(join(folder, `${name}.parquet`))}`;
      await database.run(`CREATE OR REPLACE VIEW last_${name} AS ${rows} ${where}`);
    }
  };
  let comparable: Manifest | undefined;
  const refused: string[] = [];
  for (const id of await findServed(world)) {
    const manifest = await readWhole(world, id);
    if (manifest === undefined) {
      refused.push(`${id} is damaged or not kept any more`);
      continue;
    }
    await open(outputs.snapshot(dataset.id, id), '');
    const why = await findWhyNot(world, manifest);
    if (why === undefined) {
      comparable = manifest;
      break;
    }
    refused.push(why);
  }
  if (comparable === undefined) await open(staging, 'WHERE false');
  const [nearest] = comparable === undefined ? refused : [];
  const row = `SELECT ${quote(nearest ?? '')} AS why${nearest === undefined ? ' WHERE false' : ''}`;
  await database.run(`CREATE OR REPLACE VIEW last_uncompared AS ${row}`);
  return { comparable, views: [...COMPARED.map((name) => `last_${name}`), 'last_uncompared'] };
};

/** What is served and what was served before it, the last first. */
const findServed = async ({ outputs, dataset }: World): Promise<readonly string[]> => {
  const history = await readHistory(outputs, dataset.id);
  const current = history.at(-1)?.snapshot;
  return current === undefined ? [] : [current, ...findEarlier(history)];
};

/** Its manifest, where its tables are what was published. */
const readWhole = async ({ outputs, dataset, hash }: World, id: string): Promise<Manifest | undefined> => {
  const folder = outputs.snapshot(dataset.id, id);
  const manifest = await readManifest(folder).catch(() => undefined);
  for (const name of COMPARED) {
    const expected = manifest?.files[`${name}.parquet`]?.sha256;
    const found = await hash(join(folder, `${name}.parquet`)).catch(() => undefined);
    if (expected === undefined || found !== expected) return undefined;
  }
  return manifest;
};

const findWhyNot = async (world: World, manifest: Manifest): Promise<string | undefined> => {
  if ((await foldersOf(world.outputs, manifest)) === inputsKey(world)) return undefined;
  const [row] = await world.database.rows(
    'SELECT count(*) AS before, count(d.document_id) AS kept FROM last_documents l LEFT JOIN documents d USING (document_id)',
  );
  const [before, kept] = [Number(row?.before ?? 0), Number(row?.kept ?? 0)];
  if (kept >= BOUNDS.sameCorpus.share * before) return undefined;
  return `${manifest.snapshot} is of other input folders, and ${kept} of its ${before} documents are here`;
};

/** Stands for the input folders. */
export const inputsKey = ({ inputs }: Pick<World, 'inputs'>): string =>
  hashText([...inputs].sort().join('\n')).slice(0, 16);
