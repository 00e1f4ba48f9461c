import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from './errors.js';

/**
 * Where a process number means the same: a host's name, and the kernel's name of the set of numbers, for two containers may
 * have the name of one host, and a first process each. Null where the system has no such sets.
 */
export interface ProcessSpace {
  readonly host: string;
  readonly numbers: string | null;
}

const findNumbers = (): string | null => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
};

export const SPACE: ProcessSpace = { host: hostname(), numbers: findNumbers() };

/** Can this process see that one? What wrote down its host alone is taken at its word. */
export const isInSpace = ({ host, numbers }: { readonly host: string; readonly numbers?: string | null }): boolean =>
  host === SPACE.host && (numbers === undefined || numbers === SPACE.numbers);

/** Is there a process of this number? One that was killed and waits for a parent that never asks does nothing any more. */
export const isRunning = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return (await findProcess(pid))?.state !== 'Z';
};

/** Fields 3 and 22 of /proc/<pid>/stat, or null where there is no such file. */
export const findProcess = async (pid: number): Promise<{ readonly state: string; readonly began: string } | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, began] = [fields[0], fields[19]];
    return state === undefined || began === undefined ? null : { state, began };
  } catch {
    return null;
  }
};
