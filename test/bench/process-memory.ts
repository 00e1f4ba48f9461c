import { readdir, readFile } from 'node:fs/promises';

const PAGE = 4096;

/** Resident memory of a process and all below it, in bytes; shared pages count for each. Linux; elsewhere 0. */
export const memoryOfTree = async (pid: number): Promise<number> => {
  let total = 0;
  for (const one of await tree(pid)) {
    const text = await readFile(`/proc/${one}/statm`, 'utf8').catch(() => '');
    total += Number(text.split(' ')[1] ?? 0) * PAGE;
  }
  return total;
};

const tree = async (pid: number): Promise<readonly number[]> => {
  const all = [pid];
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) all.push(...(await tree(Number(child))));
  }
  return all;
};
