/** What keeps a file of accounts from being used, and what to do about it. */
import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../errors.js';

export interface StoreFault {
  /** In few words that name no place: for everybody. */
  readonly reason: string;
  /** For who runs it: a sentence or two. */
  readonly next: string;
}

/** Where SQLite is refused less than this, it may report a failing disk and not a full one. */
const LITTLE_BYTES = 64 * 1024;

/** Undefined where the error says nothing that somebody could mend. */
export const describeFault = (error: unknown, path: string): StoreFault | undefined => {
  const code = codeOf(error) ?? '';
  const folder = dirname(resolve(path));
  if (code.startsWith('SQLITE_FULL') || (code.startsWith('SQLITE_IOERR') && isFull(folder))) {
    return {
      reason: 'the disk is full',
      next: `Make room on the disk of ${folder}: a service that counts there then goes on by itself.`,
    };
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return {
      reason: 'the disk fails',
      next: `Look at what the system says of the disk of ${folder}; the file can be moved to another one and named with --accounts.`,
    };
  }
  if (['SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_CANTOPEN'].some((start) => code.startsWith(start))) {
    return {
      reason: 'the file may not be written',
      next: `Let the user that runs this write that file and its folder, ${folder}.`,
    };
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return { reason: 'another process holds the file', next: 'Another process holds it: end that one, or try again.' };
  }
  return undefined;
};

/** Where what lies at the path is not the file that is open: what is counted there would be lost, and a key revoked here go on. */
export const REPLACED: StoreFault = {
  reason: 'the file was moved or replaced',
  next: 'Put it back where it was, or start this again to use what lies there now.',
};

/** Which file lies at a path; undefined where the system does not say, as of a folder that may not be entered or a disk that fails. */
export const fileAt = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? 'none' : undefined;
  }
};

const isFull = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LITTLE_BYTES;
  } catch {
    return false;
  }
};
