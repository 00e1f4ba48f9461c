/** One run at a time for each dataset. The lock names its holder and is taken over when the holder is gone. */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { codeOf, RunError } from '../../src/errors.js';
import { readTextIfThere, temporaryBeside } from '../../src/files.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the kernel counts: a later process with the same number is another one. */
  readonly began: string | null;
  readonly since: string;
}

/**
 * Takes the lock or says who has it. `link` is atomic: of several that try at once, one gets it.
 *
 * @returns how to give it back
 * @throws RunError when a living process holds it
 */
export const takeLock = async (path: string, now: Date): Promise<() => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    began: await beginningOf(process.pid),
    since: now.toISOString(),
  };
  const text = `${JSON.stringify(mine)}\n`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const temporary = temporaryBeside(path);
    await writeFile(temporary, text);
    try {
      await link(temporary, path);
      return async () => {
        if ((await readTextIfThere(path)) === text) await rm(path, { force: true });
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await rm(temporary, { force: true });
    }
    const found = await readTextIfThere(path);
    const holder = parseHolder(found);
    if (holder !== undefined && (await isAlive(holder))) {
      throw new RunError(
        `Another run holds ${path}: process ${holder.pid} on ${holder.host} since ${holder.since}. Wait for it, or stop it.`,
      );
    }
    await removeStale(path, found);
  }
  throw new RunError(`The lock ${path} could not be taken: others take it at the same moment. Try again.`);
};

/** Moves a dead holder's lock away. Should somebody else have taken it in between, theirs is put back. */
const removeStale = async (path: string, stale: string | undefined): Promise<void> => {
  const aside = temporaryBeside(path);
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readTextIfThere(aside)) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
};

const parseHolder = (text: string | undefined): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && 'pid' in value ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
};

const isAlive = async (holder: Holder): Promise<boolean> => {
  // Of a process on another host nothing can be known here: its lock stands until somebody deletes the file.
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const began = await beginningOf(holder.pid);
  return began === null || holder.began === null || began === holder.began;
};

/** Field 22 of /proc/<pid>/stat, or null where there is no such file system. */
const beginningOf = async (pid: number): Promise<string | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};
