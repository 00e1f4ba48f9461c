/** Names in a folder, and the one way from a name that somebody wrote to a file that may be read. */
import type { Dirent } from 'node:fs';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, RunError } from '../../../src/errors.js';
import { faultOf, systemReason } from '../read.js';

/** Order by UTF-16 code units: the same on every machine, whatever its locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * What lies in a folder, by name; hidden names (`.DS_Store`) left out. No entries where there is no such folder.
 *
 * @throws FolderError where it is there and cannot be listed: nobody knows then what would be left out without a word
 */
export const readNames = async (folder: string): Promise<readonly Dirent[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !isOfSystem(name)).sort((a, b) => byText(a.name, b.name));
  } catch (error) {
    if (isNotThere(error)) return [];
    throw new FolderError(folder, error);
  }
};

/** `lost+found` lies at the root of many a disk, and only root may list it. */
const isOfSystem = (name: string): boolean => name.startsWith('.') || name === 'lost+found';

const isNotThere = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

/** A folder of the inputs that is there and whose documents are not known: without them the next snapshot would be smaller. */
export class FolderError extends RunError {
  override name = 'FolderError';

  constructor(folder: string, cause: unknown) {
    super(`The input folder ${folder} cannot be listed: ${systemReason(cause)}. ${adviceFor(cause)}`, { cause });
  }
}

const adviceFor = (error: unknown): string => {
  const code = codeOf(error) ?? '';
  if (isDenied(error))
    return 'Let the user who runs fintext read it, or name the folders beside it, each with --input.';
  if (code === 'ENAMETOOLONG') return 'Its path is too long: move it, or the folder that it is in, further up.';
  return "The disk or the network does not do what it is told (the system's log says why): run the same command again when it does, or name the folders beside it, each with --input.";
};

const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(error) ?? '');

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

/**
 * Names of the regular files, links not among them; none where the folder does not lie in the outer one, or cannot be listed:
 * then each file is asked for, which may be had in a folder that only names its files to others.
 */
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
    if (!isInside(await realpath(folder), real)) return { wrong: LEADS_OUT };
    const status = await stat(real);
    return status.isFile() ? { file } : { wrong: status.isDirectory() ? 'is a folder' : 'is no regular file' };
  } catch (error) {
    if (isNotThere(error)) return { wrong: 'there is no such file', missing: true };
    // What is not read in any case is no reason to end a run.
    if (isDenied(error) && (await leadsOut(folder, file))) return { wrong: LEADS_OUT };
    // Permission for a file is asked when it is read; here it is that of a folder on the way.
    if (isDenied(error) || faultOf(error) === 'machine') throw new FolderError(dirname(file), error);
    return { wrong: `cannot be reached: ${systemReason(error)}` };
  }
};

const LEADS_OUT = 'the path leads through a link out of the folder and is not read';

/** Does a link on the way name a place outside? Where it leads cannot be followed. */
const leadsOut = async (folder: string, file: string): Promise<boolean> => {
  const real = await realpath(folder).catch(() => folder);
  let at = real;
  for (const name of relative(folder, file).split(sep)) {
    at = join(at, name);
    const target = await readlink(at).catch(() => undefined);
    if (target !== undefined && !isInside(real, resolve(dirname(at), target))) return true;
  }
  return false;
};

const isInside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
