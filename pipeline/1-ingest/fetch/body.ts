/** An answer's body, unpacked and bounded, into a file. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { naming } from '../../../src/files.js';
import { findSystemFault } from '../../../src/system-faults.js';
import { FetchError } from './fetch-error.js';
import { toFetchError } from './request.js';

/** What is asked for. Servers that pack in another way unasked are understood as well. */
export const ACCEPT_ENCODING = 'gzip';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

export interface Received {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Writes the body to `file`, as it comes: memory does not grow with it. The bound is on what comes over the wire and on
 * what that unpacks to.
 *
 * @throws FetchError where the answer breaks off, is too large or is packed in an unknown way
 */
export const receiveBody = async (answer: IncomingMessage, file: string, maxBytes: number): Promise<Received> => {
  const decoder = openDecoder(answer.headers['content-encoding']);
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const hash = createHash('sha256');
  let bytes = 0;
  const bounded = (onPiece: (piece: Buffer) => void) =>
    async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let seen = 0;
      for await (const piece of pieces) {
        seen += piece.length;
        if (seen > maxBytes) throw tooLarge(maxBytes);
        onPiece(piece);
        yield piece;
      }
    };
  const wire = bounded(() => undefined);
  const content = bounded((piece) => {
    bytes += piece.length;
    hash.update(piece);
  });
  try {
    // Opened before anything flows: a stream that opens its file by itself may make it after it was broken off, when whoever takes it away has been there.
    const target = (await open(file, 'wx')).createWriteStream();
    if (decoder === undefined) await pipeline(answer, content, target);
    else await pipeline(answer, wire, decoder, content, target);
  } catch (error) {
    if (error instanceof FetchError) throw error;
    // The disk, not the server: no other address would fare better.
    if (findSystemFault(error) === undefined) throw toFetchError(error);
    await naming(file, () => Promise.reject(error));
  }
  if (bytes === 0) throw new FetchError('the server sent an empty document', { fault: 'no_document', next: 'give up' });
  return { sha256: hash.digest('hex'), bytes };
};

const openDecoder = (encoding: string | undefined) => {
  const named = (encoding ?? '').trim().toLowerCase();
  if (named === '' || named === 'identity') return undefined;
  if (named in DECODERS) return DECODERS[named as keyof typeof DECODERS]();
  throw new FetchError(`the server packed its answer as ${named.slice(0, 40)}, which is not understood`, {
    fault: 'packing',
    next: 'give up',
  });
};

const tooLarge = (maxBytes: number): FetchError =>
  new FetchError(`the document is larger than ${(maxBytes / (1 << 20)).toFixed(0)} MiB (--fetch-mb)`, {
    fault: 'too_large',
    next: 'give up',
  });
