/** The sentences of the dataset in pieces, one a partition, each a Parquet file that is published byte for byte. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquet, quote } from '../../src/database.js';
import { canonicalJson, hashFile, hashText, syncPath } from '../../src/files.js';
import type { World } from '../stage.js';
import type { Previous } from './previous.js';

export interface Piece {
  readonly partition: string;
  readonly file: string;
  /** Stands for all that is published of the partition, in every table. */
  readonly hash: string;
  /** Documents of the partition that are not published, sorted. */
  readonly without: readonly string[];
}

export interface Pieces {
  /** In the order of the partitions. */
  readonly all: readonly Piece[];
  /** Those that the last publishing did not have, or had otherwise. */
  readonly changed: readonly Piece[];
  /** Partitions of the last publishing that are no longer what they were, or no longer there. */
  readonly replaced: readonly string[];
  /** What was put into the unit's folder, by name, with its sha256. */
  readonly files: Readonly<Record<string, string>>;
}

export interface FindPiecesOptions {
  readonly unit: string;
  readonly previous: Previous | undefined;
  /** By partition, what stands for all that the stages left of it. */
  readonly made: ReadonlyMap<string, string>;
}

/**
 * Most pieces are what classifying left. Of a partition whose texts are not all published (table `dated`), a piece without
 * those is made here, and kept for the next time.
 */
export const findPieces = async (world: World, { unit, previous, made }: FindPiecesOptions): Promise<Pieces> => {
  const { database, partitions, output } = world;
  const left = await findLeftOut(world);
  const all: Piece[] = [];
  const files: Record<string, string> = {};
  for (const partition of partitions) {
    const without = left.get(partition) ?? [];
    const classified = output('classify', partition);
    const hash = hashText(canonicalJson([made.get(partition), without]));
    const whole = join(classified.folder, 'sentences.parquet');
    if (without.length === 0) {
      all.push({ partition, file: whole, hash, without });
      continue;
    }
    const name = `without-${hashText(canonicalJson([classified.files, without])).slice(0, 32)}.parquet`;
    const file = join(unit, name);
    if (!(await takeOver(previous, name, file))) {
      await database.writeQuery(
        `SELECT * FROM ${parquet(whole)} WHERE document_id NOT IN (${without.map(quote).join(', ')}) ORDER BY document_id, sentence_index`,
        file,
      );
    }
    files[name] = await hashFile(file);
    all.push({ partition, file, hash, without });
  }
  const isSame = ({ partition, hash }: Piece): boolean =>
    previous !== undefined &&
    Object.hasOwn(previous.partitions, partition) &&
    previous.partitions[partition]?.published === hash;
  const same = new Set(all.filter(isSame).map(({ partition }) => partition));
  return {
    all,
    changed: all.filter(({ partition }) => !same.has(partition)),
    replaced: Object.keys(previous?.partitions ?? {}).filter((partition) => !same.has(partition)),
    files,
  };
};

/** Documents that are not published, for another has their text: by partition, sorted. */
const findLeftOut = async ({ database }: World): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await database.rows(
    'SELECT DISTINCT partition, document_id FROM dated WHERE document_id <> first_of_text ORDER BY ALL',
  );
  const left = new Map<string, string[]>();
  for (const { partition, document_id: id } of rows) {
    const ids = left.get(String(partition));
    if (ids === undefined) left.set(String(partition), [String(id)]);
    else ids.push(String(id));
  }
  return left;
};

/** @returns whether the last publishing had that piece; that its folder is whole is known */
const takeOver = async (previous: Previous | undefined, name: string, file: string): Promise<boolean> => {
  if (previous === undefined || !Object.hasOwn(previous.files, name)) return false;
  await copyFile(join(previous.folder, name), file);
  await syncPath(file);
  return true;
};
