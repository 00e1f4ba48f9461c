/** What arrives, before it is a request: bodies, ids, and bytes that are no HTTP at all. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { badRequest, HttpError, toHttpError } from './http-error.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A body as JSON.
 *
 * @throws HttpError 400 or 415
 */
export const parseJson = (contentEncoding: string | undefined, body: Buffer): unknown => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw new HttpError(415, 'The body must not be compressed: leave Content-Encoding out');
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

/** The caller's own id where it is fit for a log line, or a new one. */
export const readRequestId = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();

/** Bytes that are no request: the answer is written by hand, and the connection ends. */
export const answerBrokenRequest = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = BROKEN[error.code ?? ''] ?? 400;
  const { detail } = toHttpError(Object.assign(new Error(), { statusCode: status }));
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

const BROKEN: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const REASONS: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
