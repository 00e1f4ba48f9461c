import { stat } from 'node:fs/promises';
import type { Maker } from './files.js';
import { isRunning } from './processes.js';

/** A temporary file or folder that is younger may be in use, where nothing is known of its maker. */
const OLD_MS = 24 * 3600 * 1000;

export const isOld = async (path: string, now: Date): Promise<boolean> =>
  now.getTime() - (await stat(path)).mtimeMs > OLD_MS;

/**
 * Does nobody want any more what lies under a temporary name? Asked at a beginning, by whoever has written nothing yet: its
 * own number is an earlier process's. Of a process of another machine or container nothing is known here, and after a kill
 * the next container is another one: what it left goes when it is old.
 */
export const isAbandoned = async (path: string, maker: Maker, now: Date): Promise<boolean> =>
  maker.host === 'here'
    ? maker.pid === process.pid || !(await isRunning(maker.pid))
    : isOld(path, now).catch(() => false);
