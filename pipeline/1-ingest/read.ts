/** Reading a file that nobody vouches for: never a pipe or a device, never more than the bound. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '../../src/errors.js';
import { ExtractError } from './source.js';

/** A file's bytes. @throws ExtractError when it is no regular file, is larger than `maxBytes` or cannot be read */
export const readBounded = (file: string, maxBytes: number): Promise<Buffer> =>
  withFile(file, maxBytes, async (handle, size) => {
    const bytes = Buffer.allocUnsafe(size);
    const { bytesRead } = await readFully(handle, bytes);
    return bytes.subarray(0, bytesRead);
  });

export interface Head {
  /** The first bytes, up to as many as asked. */
  readonly head: Buffer;
  /** Of the whole file. */
  readonly size: number;
}

/** How a file begins and how large it is, under the same conditions: what decides how the rest is read. */
export const readHead = (file: string, maxBytes: number, count: number): Promise<Head> =>
  withFile(file, maxBytes, async (handle, size) => {
    const bytes = Buffer.allocUnsafe(Math.min(size, count));
    const { bytesRead } = await readFully(handle, bytes);
    return { head: bytes.subarray(0, bytesRead), size };
  });

const withFile = async <T>(
  file: string,
  maxBytes: number,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> => {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK the opening of a pipe waits for a writer that may never come.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new ExtractError(unreadable(error), { cause: error, fault: faultOf(error) });
  }
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new ExtractError('It is a folder, not a file.');
    if (!status.isFile()) throw new ExtractError('It is no regular file but a pipe, a socket or a device.');
    if (status.size === 0) throw new ExtractError('The file is empty (0 bytes).');
    if (status.size > maxBytes)
      throw new ExtractError(`The file is too large: ${toMib(status.size)} MiB, at most ${toMib(maxBytes)} are read.`);
    return await use(handle, status.size);
  } catch (error) {
    throw error instanceof ExtractError
      ? error
      : new ExtractError(unreadable(error), { cause: error, fault: faultOf(error) });
  } finally {
    await handle.close();
  }
};

const readFully = async (handle: FileHandle, bytes: Buffer): Promise<{ readonly bytesRead: number }> => {
  let bytesRead = 0;
  while (bytesRead < bytes.length) {
    const step = await handle.read(bytes, bytesRead, bytes.length - bytesRead, bytesRead);
    if (step.bytesRead === 0) break;
    bytesRead += step.bytesRead;
  }
  return { bytesRead };
};

const toMib = (bytes: number): string => (bytes / (1 << 20)).toFixed(bytes < 10 << 20 ? 1 : 0);

/** What the system says of itself, and of no file: another time it may do what it is told. */
const MACHINE = 'EIO EMFILE ENFILE ENOMEM ENOSPC EAGAIN EBUSY EINTR ESTALE ETIMEDOUT ECONNRESET'.split(' ');

export const faultOf = (error: unknown): ExtractError['fault'] =>
  MACHINE.includes(codeOf(error) ?? '') ? 'machine' : 'file';

const unreadable = (error: unknown): string => {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'The file may not be read: permission denied.';
  return `The file cannot be read: ${systemReason(error)}.`;
};

/** What the system says, as it is published: its code, for its words name folders of this machine. */
export const systemReason = (error: unknown): string =>
  codeOf(error) === undefined ? 'the system does not say why' : `the system says ${codeOf(error)}`;
