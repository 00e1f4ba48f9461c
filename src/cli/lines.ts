/** A text that somebody hands to a command: a file, a pipe, or what a shell names in place of one. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { codeOf, messageOf, UsageError } from '../errors.js';

/**
 * What to read from: stdin where no file is named, or `-` is. A pipe, a process substitution (`/dev/fd/63`) and a device are
 * read as a file is.
 *
 * @throws UsageError where there is no such file, or it is a folder
 */
export const openText = async (file: string | undefined): Promise<Readable> => {
  // Where stdin is a socket, as a parent that is no shell may make it, /dev/stdin cannot be opened.
  if (file === undefined || file === '-' || file === '/dev/stdin' || file === '/dev/fd/0') return process.stdin;
  if (file === '') throw new UsageError('The file has no name: leave it out to read stdin.');
  const found = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') throw new UsageError(`There is no file ${file}.`);
    throw unreadable(file, error);
  });
  if (found.isDirectory()) throw new UsageError(`${file} is a folder; name a file of texts, one a line.`);
  const stream = createReadStream(file);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve()).once('error', (error) => reject(unreadable(file, error)));
  });
  return stream;
};

const unreadable = (file: string, cause: unknown): UsageError =>
  new UsageError(`${file} cannot be read: ${messageOf(cause)}.`, { cause });
