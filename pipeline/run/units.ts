/**
 * Units of work and their freshness. A unit is (stage, dataset, partition); its folder holds its files and, written
 * last, `unit.json`: the ingredients they were made of and the hashes of the files.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, hashFile, makeFolder, readTextIfThere, writeFileWhole } from '../../src/files.js';
import type { Ingredients, UnitOutput, UnitResult } from '../stage.js';

const MARKER = 'unit.json';

export interface UnitMarker {
  readonly ingredients: Ingredients;
  /** File name to sha256. */
  readonly files: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
}

export type Freshness =
  | { readonly state: 'fresh'; readonly output: UnitOutput }
  | { readonly state: 'stale'; readonly why: string };

/**
 * Is what lies in `folder` made of exactly these ingredients, and still what was written? Reads every file once to
 * compare its hash: a file that was changed by hand or damaged makes its unit stale.
 */
export const checkUnit = async (folder: string, ingredients: Ingredients): Promise<Freshness> => {
  const marker = await readMarker(folder);
  if (marker === undefined) return { state: 'stale', why: 'not made yet' };
  const changed = changedIngredient(marker.ingredients, ingredients);
  if (changed !== undefined) return { state: 'stale', why: changed };
  for (const [name, expected] of Object.entries(marker.files)) {
    const found = await hashIfThere(join(folder, name));
    if (found === undefined) return { state: 'stale', why: `its file ${name} is missing` };
    if (found !== expected) return { state: 'stale', why: `its file ${name} is not what was written` };
  }
  return { state: 'fresh', output: { folder, files: marker.files, amounts: marker.amounts } };
};

/** Empties a unit's folder, marker first, so that a crash from here on leaves a stale unit and never a mixed one. */
export const clearUnit = async (folder: string): Promise<void> => {
  await rm(join(folder, MARKER), { force: true });
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
};

/** Declares a unit's files finished. They are durable already; the marker comes last. */
export const sealUnit = async (folder: string, ingredients: Ingredients, result: UnitResult): Promise<UnitOutput> => {
  const files: Record<string, string> = {};
  for (const name of result.files) files[name] = await hashFile(join(folder, name));
  const marker: UnitMarker = { ingredients, files, amounts: result.amounts };
  await writeFileWhole(join(folder, MARKER), `${canonicalJson(marker)}\n`);
  return { folder, files, amounts: result.amounts };
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

const hashIfThere = async (path: string): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? hashFile(path) : undefined;
};
