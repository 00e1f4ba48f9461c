/**
 * Units of work and their freshness. A unit is (stage, dataset, partition); its folder holds its files and, written
 * last, `unit.json`: the ingredients they were made of and the hashes of the files.
 */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, RunError } from '../../src/errors.js';
import {
  canonicalJson,
  type HashFile,
  hashFile,
  makeFolder,
  moveInPlace,
  readTextIfThere,
  temporaryBeside,
  writeFileWhole,
} from '../../src/files.js';
import type { Ingredients, LastMade, UnitOutput, UnitResult } from '../stage.js';

const MARKER = 'unit.json';

export interface UnitMarker {
  readonly ingredients: Ingredients;
  /** File name to sha256. */
  readonly files: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
  /** Why it is good for the run that made it alone, where it is. */
  readonly again?: string;
}

export type Freshness =
  | { readonly state: 'fresh'; readonly output: UnitOutput }
  | { readonly state: 'stale'; readonly why: string };

export interface UnitCheck {
  /** How files are compared: by their content, where it is not said. */
  readonly hash?: HashFile;
  /** Is what could not be made well, and may be now, left as it is? */
  readonly asItIs?: boolean;
}

/**
 * Is what lies in `folder` made of exactly these ingredients, and still what was written? Reads every file once to
 * compare its hash: a file that was changed by hand or damaged makes its unit stale.
 */
export const checkUnit = async (
  folder: string,
  ingredients: Ingredients,
  { hash = hashFile, asItIs = false }: UnitCheck = {},
): Promise<Freshness> => {
  const marker = await readMarker(folder);
  if (marker === undefined) return { state: 'stale', why: 'not made yet' };
  const changed = changedIngredient(marker.ingredients, ingredients);
  if (changed !== undefined) return { state: 'stale', why: changed };
  if (marker.again !== undefined && !asItIs) return { state: 'stale', why: marker.again };
  for (const [name, expected] of Object.entries(marker.files)) {
    const found = await hashIfThere(join(folder, name), hash);
    if (found === undefined) return { state: 'stale', why: `its file ${name} is missing` };
    if (found !== expected) return { state: 'stale', why: `its file ${name} is not what was written` };
  }
  return { state: 'fresh', output: { folder, files: marker.files, amounts: marker.amounts } };
};

/** What lies in `folder`, of whatever it was made; undefined where that is no whole unit. Reads every file. */
export const findLastMade = async (folder: string): Promise<LastMade | undefined> => {
  const marker = await readMarker(folder);
  if (marker === undefined) return undefined;
  const found = await checkUnit(folder, marker.ingredients, { asItIs: true });
  return found.state === 'fresh' ? { ingredients: marker.ingredients, output: found.output } : undefined;
};

export interface UnitMaking {
  readonly folder: string;
  /** Unfinished units are named after this path, which is on the disk of `folder`; whoever dies leaves one there. */
  readonly beside: string;
  readonly ingredients: Ingredients;
  /** Makes the unit's files in a folder that is empty and nobody else's. */
  readonly make: (folder: string) => Promise<UnitResult>;
}

/**
 * Makes a unit, be there other processes on other machines that make the same one: each in a folder of its own, which gets
 * the unit's name as one step once its marker is written. A unit is so always a whole one, or not there. Who comes late
 * and finds what it has made itself leaves that alone.
 */
export const makeUnit = async ({ folder, beside, ingredients, make }: UnitMaking): Promise<UnitOutput> => {
  const own = temporaryBeside(beside);
  try {
    await makeFolder(own);
    const made = { ...(await sealUnit(own, ingredients, await make(own))), folder };
    await makeFolder(dirname(folder));
    for (let attempt = 0; ; attempt += 1) {
      if (await putInPlace(own, folder)) return made;
      if (attempt >= MOST_ATTEMPTS) throw new RunError(`${folder} is made by too many at a time. Run it again.`);
      if (await isSameUnit(folder, ingredients, made)) return made;
      await putAside(folder, beside);
    }
  } finally {
    await rm(own, { recursive: true, force: true });
  }
};

const MOST_ATTEMPTS = 20;

/** False where something is there already. */
const putInPlace = async (own: string, folder: string): Promise<boolean> => {
  try {
    await moveInPlace(own, folder);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
};

const isSameUnit = async (folder: string, ingredients: Ingredients, made: UnitOutput): Promise<boolean> => {
  const found = await checkUnit(folder, ingredients);
  return found.state === 'fresh' && canonicalJson(found.output.files) === canonicalJson(made.files);
};

const putAside = async (folder: string, beside: string): Promise<void> => {
  const old = temporaryBeside(beside);
  try {
    await rename(folder, old);
  } catch (error) {
    // Another one was faster.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await rm(old, { recursive: true, force: true });
};

/** Declares a unit's files finished. They are durable already; the marker comes last. */
export const sealUnit = async (folder: string, ingredients: Ingredients, result: UnitResult): Promise<UnitOutput> => {
  const files: Record<string, string> = {};
  for (const name of result.files) files[name] = result.hashes?.[name] ?? (await hashFile(join(folder, name)));
  const { amounts, again } = result;
  const marker: UnitMarker = { ingredients, files, amounts, ...(again !== undefined && { again }) };
  await writeFileWhole(join(folder, MARKER), `${canonicalJson(marker)}\n`);
  return { folder, files, amounts };
};

/** The marker of a unit, or undefined where it was never finished (or cannot be read: then it is made again). */
export const readMarker = async (folder: string): Promise<UnitMarker | undefined> => {
  const text = await readTextIfThere(join(folder, MARKER));
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isMarker(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** The finished units below a stage's folder: a partition is the way down to its marker. */
export const findUnits = async (
  stageFolder: string,
): Promise<readonly { readonly partition: string; readonly folder: string; readonly madeAt: number }[]> => {
  const found: { readonly partition: string; readonly folder: string; readonly madeAt: number }[] = [];
  const walk = async (folder: string, partition: string): Promise<void> => {
    const marker = await stat(join(folder, MARKER)).catch(() => undefined);
    if (marker !== undefined) found.push({ partition, folder, madeAt: marker.mtimeMs });
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory())
        await walk(join(folder, entry.name), partition === '' ? entry.name : `${partition}/${entry.name}`);
    }
  };
  await walk(stageFolder, '');
  return found;
};

const isMarker = (value: unknown): value is UnitMarker =>
  isRecord(value) &&
  [value.ingredients, value.files, value.amounts].every(isRecord) &&
  (value.again === undefined || typeof value.again === 'string') &&
  Object.values(value.ingredients ?? {}).every((ingredient) => typeof ingredient === 'string');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const changedIngredient = (before: Ingredients, after: Ingredients): string | undefined => {
  for (const [name, value] of Object.entries(after)) {
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    if (was === undefined) return `${name} is new`;
    if (was !== value) return `${name} changed from ${short(was)} to ${short(value)}`;
  }
  const gone = Object.keys(before).find((name) => !Object.hasOwn(after, name));
  return gone === undefined ? undefined : `${gone} is gone`;
};

/** Of a hash the beginning is enough; words are shown whole, for they may differ in the last one. */
const short = (value: string): string => value.replaceAll(/\b[0-9a-f]{32,}\b/g, (hash) => `${hash.slice(0, 12)}…`);

const hashIfThere = async (path: string, hash: HashFile): Promise<string | undefined> => {
  try {
    const found = await stat(path, { bigint: true });
    return found.isFile() ? await hash(path, found) : undefined;
  } catch (error) {
    // Also where another process puts a new unit in the place of this one just now.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
};
