/**
 * How many different texts the published sentences are. Kept from one publishing to the next are the hashes of the texts of
 * each piece: a large file that stays, and a small one with what came since. A night asks them for the texts of the pieces
 * that came and went, and counts nothing else.
 */
import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { parquet, parquetWithNames, quote } from '../../src/database.js';
import { hashFile, syncPath } from '../../src/files.js';
import type { World } from '../stage.js';
import type { Piece, Pieces } from './pieces.js';
import type { Previous } from './previous.js';

const STAYS = 'texts.parquet';
const SINCE = 'texts-since.parquet';
/** Where what came since is a larger part of what stays, all of it is written anew. */
const MOST_SINCE = 0.25;

export interface CountedTexts {
  readonly count: number;
  /** What was put into the unit's folder, by name, with its sha256. */
  readonly files: Readonly<Record<string, string>>;
}

export interface CountTextsOptions {
  readonly unit: string;
  readonly pieces: Pieces;
  /** The last publishing, where it may be gone on from. */
  readonly previous: Previous | undefined;
}

export const countTexts = async (world: World, options: CountTextsOptions): Promise<CountedTexts> =>
  (await countOn(world, options)) ?? countAll(world, options);

const countAll = async (world: World, { unit, pieces }: CountTextsOptions): Promise<CountedTexts> => {
  const [stays, since] = [join(unit, STAYS), join(unit, SINCE)];
  await world.database.writeQuery(textsOf(pieces.all, world), stays);
  await world.database.writeQuery(`SELECT * FROM ${parquet(stays)} WHERE false`, since);
  return {
    count: await countRows(world, `SELECT DISTINCT text_hash FROM ${parquet(stays)}`),
    files: { [STAYS]: await hashFile(stays), [SINCE]: await hashFile(since) },
  };
};

/** @returns undefined where it is not worth it */
const countOn = async (
  world: World,
  { unit, pieces, previous }: CountTextsOptions,
): Promise<CountedTexts | undefined> => {
  const { database } = world;
  const hash = previous?.files[STAYS];
  if (previous === undefined || hash === undefined || previous.files[SINCE] === undefined) return undefined;
  const were = new Set(Object.values(previous.partitions).map(({ published }) => published));
  const are = new Set(pieces.all.map((piece) => piece.hash));
  const come = pieces.all.filter((piece) => !were.has(piece.hash));
  const [gone, stay] = [[...were].filter((piece) => !are.has(piece)), [...were].filter((piece) => are.has(piece))];
  const [stays, since] = [STAYS, SINCE].map((name) => join(previous.folder, name)) as [string, string];
  const known = parquet([stays, since]);

  const now = join(unit, SINCE);
  await database.writeQuery(
    [
      `SELECT * FROM ${parquet(since)} WHERE ${isOneOf(stay)}`,
      ...(come.length === 0 ? [] : [textsOf(come, world)]),
    ].join(' UNION ALL '),
    now,
  );
  const rows = (file: string): Promise<number> => countRows(world, `FROM ${parquet(file)}`);
  if ((await rows(now)) > MOST_SINCE * (await rows(stays))) return undefined;

  // Texts of what came or went: those that no other piece has are more, or fewer, than there were.
  await database.run(`CREATE OR REPLACE TABLE moved AS
    SELECT text_hash, bool_or(came) AS came, bool_or(NOT came) AS went FROM (
      SELECT text_hash, true AS came FROM ${parquet(now)} WHERE ${isOneOf(come.map((piece) => piece.hash))}
      UNION ALL SELECT text_hash, false AS came FROM ${known} WHERE ${isOneOf(gone)})
    GROUP BY text_hash`);
  const elsewhere = `SELECT text_hash FROM ${known} SEMI JOIN moved USING (text_hash) WHERE ${isOneOf(stay)}`;
  const [row] = await database.rows(
    `SELECT count(*) FILTER (WHERE came) - count(*) FILTER (WHERE went) AS more FROM moved ANTI JOIN (${elsewhere}) USING (text_hash)`,
  );
  await database.run('DROP TABLE moved');
  await takeOver(stays, join(unit, STAYS));
  return { count: previous.texts + Number(row?.more), files: { [STAYS]: hash, [SINCE]: await hashFile(now) } };
};

/** Rows of `piece` and `text_hash`, in no particular order and as often as they occur. */
const textsOf = (pieces: readonly Piece[], { output }: World): string => {
  const files = pieces.map(
    ({ partition, hash }) => [join(output('segment', partition).folder, 'spans.parquet'), hash] as const,
  );
  const without = pieces.flatMap((piece) => piece.without).map(quote);
  return `SELECT piece, text_hash
    FROM (SELECT filename, document_id, text_hash FROM ${parquetWithNames(files.map(([file]) => file))})
    JOIN (VALUES ${files.map((pair) => `(${pair.map(quote).join(', ')})`).join(', ')}) of (filename, piece) USING (filename)
    ${without.length === 0 ? '' : `WHERE document_id NOT IN (${without.join(', ')})`}`;
};

const isOneOf = (pieces: readonly string[]): string =>
  pieces.length === 0 ? 'false' : `piece IN (${pieces.map(quote).join(', ')})`;

const countRows = async ({ database }: World, sql: string): Promise<number> =>
  Number((await database.rows(`SELECT count(*) AS n FROM (${sql})`))[0]?.n);

/** Under a second name, for the file never changes: the last unit goes, and the content stays. */
const takeOver = async (file: string, into: string): Promise<void> => {
  try {
    await link(file, into);
  } catch {
    // Not every disk has links.
    await copyFile(file, into);
    await syncPath(into);
  }
};
