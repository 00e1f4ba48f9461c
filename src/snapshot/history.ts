/**
 * What was served when. `history.jsonl` gets a line each time the pointer moves; the pointer itself stays the truth about
 * now, so a run killed between the two loses no more than who moved it.
 */
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { DatasetId } from '../../data/catalog.js';
import { naming, readTextIfThere, syncPath } from '../files.js';
import type { Outputs } from '../outputs.js';
import { findCurrent, listSnapshots, setCurrent } from './snapshots.js';

export const servedSchema = z.object({
  snapshot: z.string().regex(/^[0-9a-f]{16}$/),
  at: z.iso.datetime(),
  /** `found`: the pointer stood there and no line said since when; `at` is then the time of its file. */
  by: z.enum(['publish', 'rollback', 'found']),
  reason: z.string().optional(),
});

export type Served = Readonly<z.infer<typeof servedSchema>>;

/**
 * Points to a snapshot, which must be whole, and says so in the history. Where the pointer stands there already, only
 * what the history lacks is added. The caller holds the dataset's lock.
 */
export const serve = async (outputs: Outputs, dataset: DatasetId, served: Served): Promise<void> => {
  const written = await readLines(outputs, dataset);
  const moves = (await findCurrent(outputs, dataset).catch(() => undefined)) !== served.snapshot;
  // Its folder is in place already; that it was served is what is being said only now.
  const known = await completeHistory(outputs, dataset, moves && served.by === 'publish' ? served.snapshot : undefined);
  if (moves) await setCurrent(outputs, dataset, served.snapshot);
  const lacking = known.slice(written.length);
  const said = moves ? [...lacking, served] : lacking.map((entry) => (entry.by === 'found' ? served : entry));
  if (said.length > 0) await append(outputs.history(dataset), said);
};

/**
 * What was served, oldest first, up to now. Where nothing was written down, the snapshots that are kept tell it by the
 * time at which they were published.
 */
export const readHistory = (outputs: Outputs, dataset: DatasetId): Promise<readonly Served[]> =>
  completeHistory(outputs, dataset, undefined);

const completeHistory = async (
  outputs: Outputs,
  dataset: DatasetId,
  notYet: string | undefined,
): Promise<readonly Served[]> => {
  const written = await readLines(outputs, dataset);
  const entries =
    written.length > 0
      ? written
      : (await publishedOnes(outputs, dataset)).filter(({ snapshot }) => snapshot !== notYet);
  const current = await findCurrent(outputs, dataset).catch(() => undefined);
  if (current === undefined || entries.at(-1)?.snapshot === current) return entries;
  const { mtime } = await stat(outputs.pointer(dataset));
  return [...entries, { snapshot: current, at: mtime.toISOString(), by: 'found' }];
};

/**
 * Where a rollback goes, nearest first: what was served before the current one, with what was rolled back taken out. So
 * publishing A, B and A again goes back to B; and going back twice from C goes to A, not to C again.
 */
export const findEarlier = (history: readonly Served[]): readonly string[] => {
  const line: string[] = [];
  for (const { snapshot, by } of history) {
    const at = line.lastIndexOf(snapshot);
    if (by !== 'publish' && at >= 0) line.length = at + 1;
    else if (line.at(-1) !== snapshot) line.push(snapshot);
  }
  const current = history.at(-1)?.snapshot;
  return [...new Set(line.reverse())].filter((snapshot) => snapshot !== current);
};

/** How what is served came to be served, be it pointed to again since, as after the pointer was lost. */
export const findLastMove = (history: readonly Served[]): Served | undefined => movesOf(history).at(-1);

/** Without those who pointed again to what was served already: that changes nothing of what was published or rolled back. */
const movesOf = (history: readonly Served[]): readonly Served[] =>
  history.filter(({ snapshot, by }, at) => by !== 'rollback' || snapshot !== history[at - 1]?.snapshot);

/**
 * What somebody rolled back from to get to the current one, nearest first: not to be served again unless somebody says so.
 * Empty where the current one was published.
 */
export const findTakenBack = (history: readonly Served[]): readonly string[] => {
  const moves = movesOf(history);
  const current = moves.at(-1)?.snapshot;
  const taken: string[] = [];
  for (let at = moves.length - 1; at > 0 && moves[at]?.by === 'rollback'; at -= 1) {
    const from = moves[at - 1]?.snapshot;
    if (from === undefined || from === current) break;
    taken.push(from);
  }
  return taken;
};

/** What was served right before the current one, be it published or rolled back to since. */
export const findServedBefore = (history: readonly Served[]): string | undefined => {
  const current = history.at(-1)?.snapshot;
  return history.findLast(({ snapshot }) => snapshot !== current)?.snapshot;
};

/**
 * The snapshot that was served at the end of a day, kept or not; undefined where nothing had been published by then.
 *
 * @param day an ISO day, `YYYY-MM-DD`, in UTC
 */
export const findAsOf = async (outputs: Outputs, dataset: DatasetId, day: string): Promise<string | undefined> =>
  (await readHistory(outputs, dataset)).findLast(({ at }) => at.slice(0, 10) <= day)?.snapshot;

const publishedOnes = async (outputs: Outputs, dataset: DatasetId): Promise<readonly Served[]> =>
  (await listSnapshots(outputs, dataset))
    .flatMap(({ id, manifest }): readonly Served[] =>
      typeof manifest === 'string' ? [] : [{ snapshot: id, at: manifest.published_at, by: 'publish' }],
    )
    .reverse();

/** A line that a crash cut short, or that somebody spoilt, is left out. */
const readLines = async (outputs: Outputs, dataset: DatasetId): Promise<readonly Served[]> => {
  const text = (await readTextIfThere(outputs.history(dataset))) ?? '';
  return text.split('\n').flatMap((line) => {
    const parsed = servedSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
};

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const append = async (path: string, entries: readonly Served[]): Promise<void> => {
  const before = (await readTextIfThere(path)) ?? '';
  const handle = await open(path, 'a');
  try {
    const torn = before !== '' && !before.endsWith('\n');
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    await naming(path, async () => {
      await handle.writeFile(`${torn ? '\n' : ''}${lines}`);
      await handle.sync();
    });
  } finally {
    await handle.close();
  }
  await syncPath(dirname(path));
};
