/** A document that has no name to tell its format by: stdin, a pipe, a device, or what a shell names in place of one. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { CONTENT_NAMES, contentOf, HEAD_BYTES } from '../../pipeline/1-ingest/content.js';
import { decodeText } from '../../pipeline/1-ingest/decode.js';
import { findFormat } from '../../pipeline/1-ingest/formats/index.js';
import { jsonTranscript } from '../../pipeline/1-ingest/formats/json-transcript.js';
import { UsageError } from '../errors.js';
import { openText } from './lines.js';

/** A file of this process's own; the ending of its name says what it holds. */
export interface Received {
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/** Is this a word for stdin, or no file that can be read twice? What is not there at all is a file that is missing. */
export const isPiped = async (file: string): Promise<boolean> => {
  if (file === '-' || /^\/dev\/(?:stdin|fd\/\d+)$/.test(file)) return true;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
};

/**
 * All of it, as a file: formats are read by whoever opens one.
 *
 * @throws UsageError where there is nothing, too much, or what no format reads
 */
export const receive = async (file: string, maxBytes: number, signal: AbortSignal): Promise<Received> => {
  const bytes = await readAll(file, maxBytes, signal);
  const ending = endingOf(file, bytes);
  const folder = await mkdtemp(join(tmpdir(), 'fintext-segment-'));
  const received = join(folder, `document${ending}`);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(received, bytes);
  } catch (error) {
    await remove();
    throw error;
  }
  return { file: received, remove };
};

const readAll = async (file: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of addAbortSignal(signal, await openText(file))) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size > maxBytes)
        throw new UsageError(`${file} gives more than ${maxBytes >> 20} MiB, which are read at most.`);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(pieces);
};

/** By what it holds. A transcript in JSON begins as some texts do, and is all of it JSON. */
const endingOf = (file: string, bytes: Buffer): string => {
  const content = contentOf(bytes.subarray(0, HEAD_BYTES));
  const format = content === 'text' && isJson(bytes) ? jsonTranscript : findFormat(content);
  if (format === undefined) throw new UsageError(`${file} holds ${CONTENT_NAMES[content]}, which no format reads.`);
  return format.extensions[0] ?? '';
};

const isJson = (bytes: Buffer): boolean => {
  try {
    const text = decodeText(bytes);
    return /^\s*[[{]/.test(text) && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};
