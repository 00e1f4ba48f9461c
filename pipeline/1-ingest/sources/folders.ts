/** Names in a folder, and the one way from a name that somebody wrote to a file that may be read. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf } from '../../../src/errors.js';
import { systemReason } from '../read.js';

/** Order by UTF-16 code units: the same on every machine, whatever its locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What lies in a folder, by name; hidden names (`.DS_Store`) left out. No entries where it cannot be listed. */
export const readNames = async (folder: string): Promise<readonly Dirent[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.name.startsWith('.')).sort((a, b) => byText(a.name, b.name));
  } catch {
    return [];
  }
};

const MAX_DEPTH = 8;

/** Everything below a folder that is not itself a folder, as paths from it with `/`, sorted. Links are not followed. */
export const listFiles = async (folder: string): Promise<readonly string[]> => {
  const files: string[] = [];
  const walk = async (prefix: string, depth: number): Promise<void> => {
    for (const entry of await readNames(join(folder, prefix))) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) files.push(path);
      else if (depth < MAX_DEPTH) await walk(path, depth + 1);
    }
  };
  await walk('', 0);
  return files.sort(byText);
};

export type Located = { readonly file: string } | { readonly wrong: string; readonly missing?: true };

/**
 * The file that a path written in a source means: a regular file inside the folder, links resolved. Nothing is read. A
 * path that leads out of the folder, by `..`, as an absolute path or through a link, is wrong, and so is what is no file.
 */
export type Locate = (path: string) => Promise<Located>;

/** Lists a folder the first time that a path leads into it: of the next ones the file system need not be asked. */
export const openLocate = (folder: string): Locate => {
  const listed = new Map<string, Promise<ReadonlySet<string>>>();
  const filesIn = (inner: string): Promise<ReadonlySet<string>> => {
    const found = listed.get(inner) ?? listRegular(folder, inner);
    listed.set(inner, found);
    return found;
  };
  return async (path) => {
    const file = resolveInside(folder, path);
    if (typeof file !== 'string') return file;
    return (await filesIn(dirname(file))).has(basename(file)) ? { file } : ask(folder, file);
  };
};

/** Names of the regular files, links not among them; none where the folder does not lie in the outer one, or cannot be listed. */
const listRegular = async (outer: string, folder: string): Promise<ReadonlySet<string>> => {
  try {
    const [real, within] = await Promise.all([realpath(folder), realpath(outer)]);
    if (real !== within && !isInside(within, real)) return new Set();
    const entries = await readdir(folder, { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  } catch {
    return new Set();
  }
};

const resolveInside = (folder: string, path: string): string | { readonly wrong: string } => {
  if (path.trim() === '' || path.includes('\0')) return { wrong: 'path is empty or holds a NUL character' };
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\'))
    return { wrong: 'an absolute path is not read; write it from the folder of the document list' };
  const file = resolve(folder, path);
  return isInside(folder, file) ? file : { wrong: 'the path leads out of the folder and is not read' };
};

const ask = async (folder: string, file: string): Promise<Located> => {
  try {
    const real = await realpath(file);
    if (!isInside(await realpath(folder), real))
      return { wrong: 'the path leads through a link out of the folder and is not read' };
    const status = await stat(real);
    return status.isFile() ? { file } : { wrong: status.isDirectory() ? 'is a folder' : 'is no regular file' };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { wrong: 'there is no such file', missing: true };
    return { wrong: `cannot be reached: ${systemReason(error)}` };
  }
};

const isInside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
