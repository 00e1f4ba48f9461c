import { readFile } from 'node:fs/promises';
import { codeOf } from './errors.js';

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
