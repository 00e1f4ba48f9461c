/** What the system says when it cannot, and what a person can do then. DuckDB hands on the words without the code. */
import { codeOf, messageOf } from './errors.js';

const FAULTS: Readonly<Record<string, { readonly words: RegExp; readonly hint: string }>> = {
  ENOSPC: {
    words: /No space left on device/,
    hint: 'The disk is full: free some space and run the same command again; it goes on where it stopped.',
  },
  EDQUOT: {
    words: /Disk quota exceeded/,
    hint: 'The disk quota is used up: free some space and run the same command again; it goes on where it stopped.',
  },
  EIO: {
    words: /Input\/output error|fsync failed/,
    hint: "The disk does not do what it is told (the system's log says why): run the same command again when it does.",
  },
  EACCES: {
    words: /Permission denied/,
    hint: 'Permission denied: let the user who runs fintext read the inputs and the models, and write the outputs folder (models import: the models folder).',
  },
  EROFS: {
    words: /Read-only file system/,
    hint: 'The file system is read-only: name another folder with --outputs.',
  },
  ENOMEM: {
    words: /^Out of Memory Error/,
    hint: 'The database may hold no more memory: raise --database-mb, then run the same command again.',
  },
  EMFILE: { words: /Too many open files/, hint: 'Too many open files: raise the limit (ulimit -n).' },
};

/** The code of a fault of the system (`ENOSPC`…), found in the error or in its words; undefined where it is none of these. */
export const findSystemFault = (error: unknown): string | undefined => {
  const code = codeOf(error);
  if (code !== undefined) return Object.hasOwn(FAULTS, code) ? code : undefined;
  const message = messageOf(error);
  return Object.keys(FAULTS).find((known) => FAULTS[known]?.words.test(message));
};

/** Below a file, or in a file system that the kernel makes up, there can be no folder. */
const NO_FOLDER: readonly (string | undefined)[] = ['EEXIST', 'ENOTDIR', 'ENOENT'];

/** What to do about an error that carries the code of a fault of the system. */
export const hintFor = (error: unknown): string | undefined => {
  const code = codeOf(error);
  const isOfFolder = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
  if (isOfFolder && NO_FOLDER.includes(code)) {
    return 'There can be no folder of that name: name another one (--outputs, where it is for what a run makes).';
  }
  return FAULTS[code ?? '']?.hint;
};
