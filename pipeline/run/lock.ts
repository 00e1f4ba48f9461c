/** One run at a time for each dataset. The lock names its holder and is taken over when the holder is gone. */
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf, RunError } from '../../src/errors.js';
import { makeFolder, naming, readTextIfThere, temporaryBeside } from '../../src/files.js';
import { findProcess, isRunning } from './processes.js';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the kernel counts: a later process with the same number is another one. */
  readonly began: string | null;
  readonly since: string;
  /** The work that it does, where an engine starts that again elsewhere: a later attempt takes over from an earlier one. */
  readonly work?: string;
}

/** The lock, a living holder, or neither: somebody was changing it just then. */
type Attempt =
  | { readonly state: 'taken' }
  | { readonly state: 'held'; readonly by: Holder }
  | { readonly state: 'contended' };

const ATTEMPTS = 10;
const PAUSE_MS = 10;
const WAIT_MS = 50;

/**
 * Takes the lock or says who has it. `link` is atomic: of several that try at once, one gets it.
 *
 * @param work names the work where an engine may start it again on another machine: then the lock of an attempt before,
 *   of which nothing can be known from here, is taken over
 * @returns how to give it back
 * @throws RunError when a living process holds it
 */
export const takeLock = async (path: string, now: Date, work?: string): Promise<() => Promise<void>> => {
  const found = await attempt(path, now, work);
  if (found === undefined) {
    throw new RunError(`The lock ${path} could not be taken: others take it at the same moment. Try again.`);
  }
  if ('release' in found) return found.release;
  throw new RunError(`${heldText(path, found)} Wait for it, or stop it.`);
};

export interface WaitOptions {
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** How long to wait at most. */
  readonly patienceMs: number;
  /** As of `takeLock`. */
  readonly work?: string | undefined;
}

/**
 * Takes the lock as soon as whoever holds it gives it back or is gone: for what takes seconds.
 *
 * @returns how to give it back
 * @throws RunError when the same lock is held for longer than we have patience
 */
export const waitForLock = async (
  path: string,
  { now, signal, patienceMs, work }: WaitOptions,
): Promise<() => Promise<void>> => {
  for (let waited = 0; ; waited += WAIT_MS) {
    signal.throwIfAborted();
    const found = await attempt(path, now(), work);
    if (found !== undefined && 'release' in found) return found.release;
    if (waited >= patienceMs) {
      const who = found === undefined ? `Others take ${path} all the time.` : heldText(path, found);
      throw new RunError(`${who} It was waited for ${patienceMs / 1000} s; stop it, or try again.`);
    }
    await setTimeout(WAIT_MS, undefined, { signal });
  }
};

const heldText = (path: string, { pid, host, since }: Holder): string =>
  `Another run holds ${path}: process ${pid} on ${host} since ${since}.`;

/** The lock, who holds it, or undefined where others take it and give it back all the time. */
const attempt = async (
  path: string,
  now: Date,
  work: string | undefined,
): Promise<Holder | { readonly release: () => Promise<void> } | undefined> => {
  await makeFolder(dirname(path));
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    began: (await findProcess(process.pid))?.began ?? null,
    since: now.toISOString(),
    ...(work !== undefined && { work }),
  };
  const text = `${JSON.stringify(mine)}\n`;
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 0) await setTimeout(PAUSE_MS);
    const found = await tryLock(path, text, work);
    if (found.state === 'taken') return { release: () => giveBack(path, text) };
    if (found.state === 'held') return found.by;
  }
  return undefined;
};

/** Who holds the lock, where that is a living process: for whoever looks and does not want it. */
export const findHolder = async (path: string): Promise<Holder | undefined> => {
  const holder = parseHolder((await readTextIfThere(path)) ?? '');
  return holder !== undefined && (await isAlive(holder)) ? holder : undefined;
};

const tryLock = async (path: string, text: string, work?: string): Promise<Attempt> => {
  if (await putBeside(path, text, link)) return { state: 'taken' };
  const found = await readTextIfThere(path);
  if (found === undefined) return { state: 'contended' };
  const holder = parseHolder(found);
  // The engine has given the earlier attempt up: its machine is gone, or does not answer.
  const isEarlierAttempt = work !== undefined && holder?.work === work;
  if (holder !== undefined && !isEarlierAttempt && (await isAlive(holder))) return { state: 'held', by: holder };
  return takeOver(path, found, text);
};

/**
 * Puts our lock in a dead holder's place. Of all that found the same dead holder, only the one that holds the lock on
 * taking over may do so: whoever comes later finds another text. That lock can be a dead holder's in turn.
 */
const takeOver = async (path: string, dead: string, text: string): Promise<Attempt> => {
  const guard = `${path}.takeover`;
  if ((await tryLock(guard, text)).state !== 'taken') return { state: 'contended' };
  try {
    if ((await readTextIfThere(path)) !== dead) return { state: 'contended' };
    await putBeside(path, text, rename);
    return { state: 'taken' };
  } finally {
    await giveBack(guard, text);
  }
};

/** Writes the lock's text beside and gives it its name; false where the name is there and `put` does not replace it. */
const putBeside = async (path: string, text: string, put: typeof link): Promise<boolean> => {
  const temporary = temporaryBeside(path);
  try {
    await naming(temporary, () => writeFile(temporary, text));
    await put(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
};

const giveBack = async (path: string, text: string): Promise<void> => {
  if ((await readTextIfThere(path)) === text) await rm(path, { force: true });
};

const parseHolder = (text: string): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  Number.isInteger(value.pid) &&
  'host' in value &&
  typeof value.host === 'string';

const isAlive = async (holder: Holder): Promise<boolean> => {
  // Of a process on another host nothing can be known here: its lock stands until somebody deletes the file.
  if (holder.host !== hostname()) return true;
  if (!(await isRunning(holder.pid))) return false;
  const found = await findProcess(holder.pid);
  return found === null || holder.began === null || found.began === holder.began;
};
