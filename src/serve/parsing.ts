/** What arrives, before it is a request: bodies, ids, and bytes that are no HTTP at all. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { badRequest, toHttpError } from './http-error.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A body as JSON, of at most `mostValues` values: to make millions of empty objects would hold up everybody else for seconds.
 *
 * @throws HttpError 400
 */
export const parseJson = (contentEncoding: string | undefined, body: Buffer, mostValues: number): unknown => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw badRequest('The body must not be compressed: leave Content-Encoding out.');
  if (countValues(body) > mostValues) throw badRequest(`The body has more than ${mostValues} values.`);
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw badRequest('The body is not UTF-8.');
  }
  if (text.trim() === '') throw badRequest('The body is empty; it must be JSON.');
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
};

/** The values of a JSON text, counted by what begins one or parts two; never fewer than there are but for the first. */
const countValues = (body: Buffer): number => {
  let count = 0;
  let quoted = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (quoted) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
  }
  return count;
};

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** The bytes that a body will take: as many as may be where they are not told before, none where it will be refused. */
export const bytesToCome = (headers: IncomingHttpHeaders, most: number): number => {
  if (headers['transfer-encoding'] !== undefined) return most;
  const told = Number(headers['content-length'] ?? 0);
  return told > most ? 0 : told;
};

/**
 * Takes in what is left of a body, unread. A connection that is closed with bytes under way is broken for its sender, who
 * then never gets to see the answer: many send all of it before they read.
 *
 * @param most bytes after which it is given up
 */
export const readPast = (body: Readable, most: number): Promise<void> =>
  new Promise((resolve) => {
    let left = most;
    const read = (piece: Buffer): void => {
      left -= piece.length;
      if (left < 0) end();
    };
    const end = (): void => {
      body.off('data', read);
      resolve();
    };
    body.on('data', read).once('end', end).once('close', end).resume();
  });

/** The caller's own id where it is fit for a log line, or a new one. */
export const readRequestId = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();

/**
 * Bytes that are no request: the answer is written by hand, and the connection ends.
 *
 * @returns what was answered, for the log; undefined where nobody is there any more
 */
export const answerBrokenRequest = (
  error: Error & { readonly code?: string },
  socket: Socket,
): { readonly id: string; readonly status: number } | undefined => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const id = randomUUID();
  const status = BROKEN[error.code ?? ''] ?? 400;
  const { detail } = toHttpError(Object.assign(new Error(), { statusCode: status }));
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  return { id, status };
};

const BROKEN: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const REASONS: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
