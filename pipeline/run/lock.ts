/**
 * One run at a time for each dataset. The lock names its holder and is taken over when the holder is gone: on this machine
 * that is asked of the system; of another machine, or container, it is known by the holder's sign of life (`heartbeat.ts`).
 */
import { link, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf, PassingError, RunError } from '../../src/errors.js';
import { makeFolder, naming, readTextIfThere, temporaryBeside } from '../../src/files.js';
import { findProcess, isInSpace, SPACE } from '../../src/processes.js';
import { HEARTBEAT_MS, type Heartbeat, startHeartbeat } from './heartbeat.js';
import {
  elsewhereText,
  type FoundHolder,
  type Holder,
  heldText,
  isAlive,
  lostText,
  parseHolder,
  toFound,
} from './holder.js';

/**
 * Gives the lock back. Where the work is long, or ends in what only the holder may do, there is also whether the lock was
 * lost on the way: a process that was stopped, or whose machine slept, wakes up after another one has taken over.
 */
export type Held = (() => Promise<void>) & Pick<Heartbeat, 'lost' | 'confirm'>;

/** The lock, a living holder, or neither: somebody was changing it just then. */
type Attempt =
  | { readonly state: 'taken' }
  | { readonly state: 'held'; readonly by: FoundHolder }
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
export const takeLock = async (path: string, now: Date, work?: string): Promise<Held> => {
  const found = await attempt(path, now, work);
  if (found === undefined) {
    throw new RunError(`The lock ${path} could not be taken: others take it at the same moment. Try again.`);
  }
  if ('release' in found) return found.release;
  throw new RunError(`${heldText(path, found)} Wait for it, or stop it.${elsewhereText(found)}`);
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
export const waitForLock = async (path: string, { now, signal, patienceMs, work }: WaitOptions): Promise<Held> => {
  for (let waited = 0; ; waited += WAIT_MS) {
    signal.throwIfAborted();
    const found = await attempt(path, now(), work);
    if (found !== undefined && 'release' in found) return found.release;
    if (waited >= patienceMs) {
      const who = found === undefined ? `Others take ${path} all the time.` : heldText(path, found);
      const elsewhere = found === undefined ? '' : elsewhereText(found);
      throw new RunError(`${who} It was waited for ${patienceMs / 1000} s; stop it, or try again.${elsewhere}`);
    }
    await setTimeout(WAIT_MS, undefined, { signal });
  }
};

/** The lock, who holds it, or undefined where others take it and give it back all the time. */
const attempt = async (
  path: string,
  now: Date,
  work: string | undefined,
): Promise<FoundHolder | { readonly release: Held } | undefined> => {
  await makeFolder(dirname(path));
  const mine: Holder = {
    pid: process.pid,
    ...SPACE,
    began: (await findProcess(process.pid))?.began ?? null,
    since: now.toISOString(),
    ...(work !== undefined && { work }),
    heard_every_s: HEARTBEAT_MS / 1000,
  };
  const text = `${JSON.stringify(mine)}\n`;
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 0) await setTimeout(PAUSE_MS);
    const found = await tryLock(path, text, work);
    if (found.state === 'taken') return { release: hold(path, text, work) };
    if (found.state === 'held') return found.by;
  }
  return undefined;
};

const hold = (path: string, text: string, work: string | undefined): Held => {
  const toError = (found: string | undefined): Error => {
    const message = lostText(path, found);
    // Of the work of an engine another attempt is under way, or comes.
    return work === undefined ? new RunError(message) : new PassingError(message);
  };
  const { stop, lost, confirm } = startHeartbeat(path, text, { everyMs: HEARTBEAT_MS, toError });
  const release = async (): Promise<void> => {
    stop();
    await giveBack(path, text);
  };
  return Object.assign(release, { lost, confirm });
};

/**
 * Who holds the lock, where that is a living process: for whoever looks and does not want it.
 *
 * @param now the time by this machine's clock, for where the file system cannot be asked for its own
 */
export const findHolder = async (path: string, now: Date): Promise<FoundHolder | undefined> => {
  const found = await readLock(path);
  const holder = parseHolder(found?.text ?? '');
  if (found === undefined || holder === undefined) return undefined;
  const clockMs = isInSpace(holder) ? now.getTime() : await readClock(path, now);
  const by = toFound(holder, clockMs - found.heardMs);
  return (await isAlive(by)) ? by : undefined;
};

const tryLock = async (path: string, text: string, work?: string): Promise<Attempt> => {
  const put = await putBeside(path, text, link);
  if (put.state === 'put') return { state: 'taken' };
  const found = await readLock(path);
  if (found === undefined) return { state: 'contended' };
  const holder = parseHolder(found.text);
  // The engine has given the earlier attempt up: its machine is gone, or does not answer.
  const isEarlierAttempt = work !== undefined && holder?.work === work;
  if (holder !== undefined && !isEarlierAttempt) {
    const by = toFound(holder, put.clockMs - found.heardMs);
    if (await isAlive(by)) return { state: 'held', by };
  }
  return takeOver(path, found, text);
};

interface FoundLock {
  readonly text: string;
  /** The time of the file: of its last writing, and so of the holder's last sign of life. */
  readonly heardMs: number;
}

const readLock = async (path: string): Promise<FoundLock | undefined> => {
  try {
    const handle = await open(path, 'r');
    try {
      const text = await handle.readFile('utf8');
      return { text, heardMs: (await handle.stat()).mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** The file system's time, as a file beside gets it; this machine's, where nothing can be written there. */
const readClock = async (path: string, now: Date): Promise<number> => {
  const temporary = temporaryBeside(path);
  try {
    await writeFile(temporary, '');
    return (await stat(temporary)).mtimeMs;
  } catch {
    return now.getTime();
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
};

/**
 * Puts our lock in a dead holder's place. Of all that found the same dead holder, only the one that holds the lock on
 * taking over may do so: whoever comes later finds another text. A holder that woke up and gave a sign of life meanwhile
 * keeps its lock. That of taking over can be a dead holder's in turn.
 */
const takeOver = async (path: string, dead: FoundLock, text: string): Promise<Attempt> => {
  const guard = `${path}.takeover`;
  if ((await tryLock(guard, text)).state !== 'taken') return { state: 'contended' };
  try {
    const found = await readLock(path);
    if (found?.text !== dead.text || found.heardMs !== dead.heardMs) return { state: 'contended' };
    await putBeside(path, text, rename);
    return { state: 'taken' };
  } finally {
    await giveBack(guard, text);
  }
};

type Put = { readonly state: 'put' } | { readonly state: 'in the way'; readonly clockMs: number };

/** Writes the lock's text beside and gives it its name; where that is there and `put` does not replace it, tells the time there. */
const putBeside = async (path: string, text: string, put: typeof link): Promise<Put> => {
  const temporary = temporaryBeside(path);
  try {
    await naming(temporary, () => writeFile(temporary, text));
    await put(temporary, path);
    return { state: 'put' };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return { state: 'in the way', clockMs: (await stat(temporary)).mtimeMs };
  } finally {
    await rm(temporary, { force: true });
  }
};

const giveBack = async (path: string, text: string): Promise<void> => {
  if ((await readTextIfThere(path)) === text) await rm(path, { force: true });
};
