/** Who holds a lock, whether that is a living process, and how it is said. */
import { findProcess, isInSpace, isRunning } from '../../src/processes.js';
import { SILENT_MS } from './heartbeat.js';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Whose process numbers these are, on that host; locks of before there was this have none. */
  readonly numbers?: string | null;
  /** When the process began, as the kernel counts: a later process with the same number is another one. */
  readonly began: string | null;
  readonly since: string;
  /** The work that it does, where an engine starts that again elsewhere: a later attempt takes over from an earlier one. */
  readonly work?: string;
  /** How often it gives a sign of life; locks of before there were any give none. */
  readonly heard_every_s?: number;
}

/** A holder that lives, or of which nothing else is known. */
export interface FoundHolder extends Holder {
  /** Seconds since its last sign of life; null where it is a process that can be seen from here, or gives none. */
  readonly silent_s: number | null;
}

/** @param silentMs how long ago the lock's file was written, by the file system's clock */
export const toFound = (holder: Holder, silentMs: number): FoundHolder => {
  const isHeard = !isInSpace(holder) && holder.heard_every_s !== undefined;
  return { ...holder, silent_s: isHeard ? Math.max(0, Math.round(silentMs / 1000)) : null };
};

export const isAlive = async (holder: FoundHolder): Promise<boolean> => {
  // Of a process on another host, or in another container, nothing is known here but its signs of life; where it gives
  // none, its lock stands until somebody deletes the file.
  if (!isInSpace(holder)) return holder.silent_s === null || holder.silent_s * 1000 < SILENT_MS;
  if (!(await isRunning(holder.pid))) return false;
  const found = await findProcess(holder.pid);
  return found === null || holder.began === null || found.began === holder.began;
};

/** The holder that a lock's text names; undefined where it names none. */
export const parseHolder = (text: string): Holder | undefined => {
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

export const heldText = (path: string, { pid, host, since, silent_s: silent }: FoundHolder): string =>
  `Another run holds ${path}: process ${pid} on ${host} since ${since}${silent === null ? '' : `, last heard of ${spanText(silent)} ago`}.`;

/** What there is to know and to do about a holder that cannot be seen from here. */
export const elsewhereText = (holder: FoundHolder): string => {
  if (isInSpace(holder)) return '';
  const { host, silent_s: silent } = holder;
  if (silent === null) {
    return ` Nothing can be known here of a process on ${host}: where that machine is gone, delete the file.`;
  }
  const left = Math.max(1, SILENT_MS / 1000 - silent);
  return ` Should it be gone, its lock is taken over once nothing was heard of it for ${spanText(SILENT_MS / 1000)}: in ${spanText(left)}, if it stays silent.`;
};

/** Seconds, in words. */
export const spanText = (seconds: number): string =>
  seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** What whoever has lost a lock ends with. `found`: what it holds now. */
export const lostText = (path: string, found: string | undefined): string => {
  const by = parseHolder(found ?? '');
  const who = by === undefined ? 'it is gone' : `process ${by.pid} on ${by.host} has it since ${by.since}`;
  return `This run has lost the lock ${path}: ${who}. Was the process stopped, or the machine asleep, for more than ${spanText(SILENT_MS / 1000)}? It ends here; run the same command again to go on.`;
};
