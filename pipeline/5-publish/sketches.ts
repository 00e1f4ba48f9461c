/**
 * What two texts can be told to be nearly the same by, without reading them side by side: of each published document the
 * smallest hashes of its longer sentences. Kept from one publishing to the next, so that a night reads what is new alone.
 */
import { join } from 'node:path';
import { parquet, parquetWithNames, quote } from '../../src/database.js';
import { hashFile } from '../../src/files.js';
import type { World } from '../stage.js';
import type { Piece, Pieces } from './pieces.js';
import type { Previous } from './previous.js';

const NAME = 'sketches.parquet';

/** Shorter sentences are said in many documents: greetings, thanks, headings. */
const LONG = 60;
/** Hashes of a document. Of two documents the smallest are the same as often as their sentences are. */
export const SKETCH = 32;
/** What a sketch is: those that were made otherwise do not compare. */
export const SKETCHED = { longerThan: LONG, hashes: SKETCH } as const;

export const sketchesFile = (unit: string): string => join(unit, NAME);

export interface SketchOptions {
  /** The folder of this publishing's unit. */
  readonly unit: string;
  readonly pieces: Pieces;
  readonly previous: Previous | undefined;
}

/** @returns what was put into the unit's folder, by name, with its sha256 */
export const writeSketches = async (
  world: World,
  { unit, pieces, previous }: SketchOptions,
): Promise<Readonly<Record<string, string>>> => {
  const known = previous?.files[NAME] === undefined ? undefined : sketchesFile(previous.folder);
  const come = known === undefined ? pieces.all : pieces.changed;
  const stay = known === undefined ? [] : pieces.all.filter((piece) => !pieces.changed.includes(piece));
  const sources = [
    ...(come.length === 0 ? [] : [sketchesOf(come, world)]),
    ...(known === undefined || stay.length === 0
      ? []
      : [`SELECT * FROM ${parquet(known)} WHERE piece IN (${stay.map(({ hash }) => quote(hash)).join(', ')})`]),
  ];
  const file = sketchesFile(unit);
  await world.database.writeQuery(`SELECT * FROM (${sources.join(' UNION ALL ')}) ORDER BY piece, document_id`, file);
  return { [NAME]: await hashFile(file) };
};

const sketchesOf = (pieces: readonly Piece[], { output }: World): string => {
  const files = pieces.map(
    ({ partition, hash }) => [join(output('segment', partition).folder, 'spans.parquet'), hash] as const,
  );
  const without = pieces.flatMap((piece) => piece.without).map(quote);
  return `SELECT piece, document_id, min(text_hash, ${SKETCH}) AS smallest
    FROM (SELECT DISTINCT filename, document_id, text_hash FROM ${parquetWithNames(files.map(([file]) => file))}
      WHERE mark IS NULL AND char_end - char_start > ${LONG})
    JOIN (VALUES ${files.map((pair) => `(${pair.map(quote).join(', ')})`).join(', ')}) of (filename, piece) USING (filename)
    ${without.length === 0 ? '' : `WHERE document_id NOT IN (${without.join(', ')})`}
    GROUP BY piece, document_id`;
};
