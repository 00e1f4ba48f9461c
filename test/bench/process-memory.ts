import { readdir, readFile } from 'node:fs/promises';

const PAGE = 4096;
const TICKS_A_SECOND = 100;

/** Resident memory of a process and all below it, in bytes; shared pages count for each. Linux; elsewhere 0. */
export const memoryOfTree = async (pid: number): Promise<number> => {
  let total = 0;
  for (const one of await tree(pid)) {
    const text = await readFile(`/proc/${one}/statm`, 'utf8').catch(() => '');
    total += Number(text.split(' ')[1] ?? 0) * PAGE;
  }
  return total;
};

/** Seconds of processor time that a process has used, all its threads together. Linux; elsewhere 0. */
export const cpuSecondsOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND;
};

const tree = async (pid: number): Promise<readonly number[]> => {
  const all = [pid];
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) all.push(...(await tree(Number(child))));
  }
  return all;
};
