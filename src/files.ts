/** Files that are either whole or not there: write beside, fsync, rename, and fsync the folder that holds the name. */
import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './errors.js';
import { SPACE } from './processes.js';

/** sha256 of a text, as 64 hexadecimal digits. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the prediction store knows a text by: the first 128 bits of its sha256, as 32 hexadecimal digits. */
export const textHash = (text: string): string => hashText(text).slice(0, 32);

/** sha256 of a file's bytes, as 64 hexadecimal digits. Reads in pieces: memory does not grow with the file. */
export const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('hex');
};

/**
 * The sha256 of a file, found in whatever way.
 *
 * @param stats what the file system says of it, where that was asked already
 */
export type HashFile = (path: string, stats?: BigIntStats) => Promise<string>;

/** A stable text of plain data: object keys sorted, so that equal data gives equal text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value));

const sortKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
};

/** Of two machines or containers that share a folder, process numbers mean nothing to one another: a temporary name says whose it is. */
const HERE = hashText(`${SPACE.host} ${SPACE.numbers ?? ''}`).slice(0, 8);

/** A name beside `path` that nothing else uses; whatever is left under such a name after a crash is rubbish. */
export const temporaryBeside = (path: string): string =>
  `${path}.${process.pid}.${HERE}${randomBytes(4).toString('hex')}.tmp`;

/** Who made a temporary name: a process, and whether it is one of this machine. */
export interface Maker {
  readonly pid: number;
  readonly host: 'here' | 'elsewhere';
}

/** The maker of a temporary name, or undefined where the name is not one. */
export const makerOf = (temporary: string): Maker | undefined => {
  const found = /\.(\d+)\.([0-9a-f]{8})??[0-9a-f]{8}\.tmp$/.exec(temporary);
  if (found === null) return undefined;
  const [, pid, host = HERE] = found;
  return { pid: Number(pid), host: host === HERE ? 'here' : 'elsewhere' };
};

/**
 * Makes a folder and those above it. What Node calls `recursive` says ENOENT on a full disk, and never ends below /proc.
 *
 * @returns the topmost folder that was made, or undefined where all were there
 */
export const makeFolder = async (path: string): Promise<string | undefined> => {
  const found = await tryFolder(path);
  if (found !== 'nowhere') return found === 'made' ? path : undefined;
  const topmost = await makeFolder(dirname(path));
  if ((await tryFolder(path)) === 'nowhere') await mkdir(path);
  return topmost ?? path;
};

const tryFolder = async (path: string): Promise<'made' | 'there' | 'nowhere'> => {
  try {
    await mkdir(path);
    return 'made';
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return 'nowhere';
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return 'there';
    throw error;
  }
};

/** Makes what was written under `path` durable: the file itself, or a folder's names. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await naming(path, () => handle.sync());
  } finally {
    await handle.close();
  }
};

/** Of an open file the system's errors do not say which one it is. */
export const naming = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error && codeOf(error) !== undefined && !error.message.includes(path)) {
      error.message += ` '${path}'`;
    }
    throw error;
  }
};

/** Gives a finished file or folder its name, durably. */
export const moveInPlace = async (temporary: string, path: string): Promise<void> => {
  await syncPath(temporary);
  await rename(temporary, path);
  await syncPath(dirname(path));
};

/**
 * Puts a finished folder in the place of another, if there is one. No folder can be renamed over one that holds something:
 * the old one goes aside, and back where the new one cannot have its name. Who is killed between the two leaves it aside.
 */
export const replaceFolder = async (finished: string, path: string): Promise<void> => {
  const old = temporaryBeside(path);
  const hadOne = await rename(path, old).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await moveInPlace(finished, path);
  } catch (error) {
    // What failed first is what is told.
    if (hadOne) await rename(old, path).catch(() => undefined);
    throw error;
  }
  if (hadOne) await rm(old, { recursive: true, force: true });
};

/** Replaces a small file as one step: a reader sees the old content or the new, never a piece. */
export const writeFileWhole = async (path: string, content: string | Uint8Array): Promise<void> => {
  await makeFolder(dirname(path));
  const temporary = temporaryBeside(path);
  try {
    const handle = await open(temporary, 'wx');
    try {
      await naming(temporary, async () => {
        await handle.writeFile(content);
        await handle.sync();
      });
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncPath(dirname(path));
};

/** The text of a file, or undefined when there is none. */
export const readTextIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** Bytes of a file, or of everything below a folder; 0 where there is nothing. */
export const measureBytes = async (path: string): Promise<number> => {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await measureBytes(join(path, name));
  return bytes;
};

/** Joins a partition name such as `bank_of_japan/2005` to a folder. */
export const joinPartition = (folder: string, partition: string, ...rest: string[]): string =>
  join(folder, ...partition.split('/'), ...rest);

/** The names in a folder; none where there is no such folder. */
export const readdirIfThere = async (path: string): Promise<string[]> => {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};
