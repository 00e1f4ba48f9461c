/** What is known of a partition that is read again: the sentences of those of its documents that did not change. */
import { join } from 'node:path';
import { parquet, quote } from '../../src/database.js';
import { makeFolder } from '../../src/files.js';
import { documentIngredient } from '../1-ingest/ingredients.js';
import { PIPELINE } from '../pipeline.js';
import type { World } from '../stage.js';
import { checkUnits } from './stages.js';
import { readMarker } from './units.js';
import type { OpenWorld } from './world.js';

/**
 * For looking alone: gives partitions of which nothing is known yet an output of `segment` with the sentences of their
 * unchanged documents, as the last run cut them, in files of their own. Where the code or a library that reads and cuts
 * has changed as well, all that is known is out of date, and they get none.
 *
 * @param scratch a folder of the caller alone
 * @returns ids of the unchanged documents of the partitions that got one
 */
export const recallUnchanged = async (
  partitions: readonly string[],
  opened: OpenWorld,
  scratch: string,
): Promise<ReadonlySet<string>> => {
  const { world, setOutput } = opened;
  const unchanged = new Set<string>();
  for (const [at, partition] of partitions.entries()) {
    world.signal.throwIfAborted();
    const ids = await findUnchanged(partition, opened);
    if (ids.length === 0) continue;
    const spans = parquet(join(world.outputs.unit(world.dataset.id, 'segment', partition), 'spans.parquet'));
    const folder = join(scratch, 'unchanged', String(at));
    await makeFolder(folder);
    const file = join(folder, 'spans.parquet');
    const mine = `SELECT * FROM ${spans} WHERE document_id IN (${ids.map(quote).join(', ')})`;
    await world.database.run(`COPY (${mine}) TO ${quote(file)} (FORMAT parquet)`);
    const [row] = await world.database.rows(`SELECT count(*) AS n FROM ${parquet(file)}`);
    setOutput('segment', partition, { folder, files: {}, amounts: { sentences: Number(row?.n ?? 0) } });
    for (const id of ids) unchanged.add(id);
  }
  return unchanged;
};

/** Documents of a partition that its units of `ingest` and `segment` were made of as they are now; none where the units cannot tell. */
const findUnchanged = async (partition: string, { world, setOutput }: OpenWorld): Promise<readonly string[]> => {
  const [ingest, segment] = PIPELINE;
  if (ingest === undefined || segment === undefined) return [];
  const folder = world.outputs.unit(world.dataset.id, ingest.name, partition);
  const marker = await readMarker(folder);
  if (marker === undefined) return [];
  const [unit] = await checkUnits(ingest, world, [partition], new Set());
  const documents = documentsOf(partition, world);
  const names = new Set(documents.keys());
  const others = Object.entries(unit?.ingredients ?? {}).filter(([name]) => !names.has(name));
  if (others.some(([name, value]) => marker.ingredients[name] !== value)) return [];
  // Is what was cut then what would be cut now of the texts of then?
  setOutput(ingest.name, partition, { folder, files: marker.files, amounts: marker.amounts });
  const [cut] = await checkUnits(segment, world, [partition], new Set());
  if (cut?.freshness.state !== 'fresh') return [];
  return [...documents].flatMap(([name, id]) => (marker.ingredients[name] === unit?.ingredients[name] ? [id] : []));
};

/** Ids of the documents by the names of the ingredients that they are. */
const documentsOf = (partition: string, { documents }: World): ReadonlyMap<string, string> =>
  new Map(documents(partition).map(({ documentId }) => [documentIngredient(documentId), documentId]));
