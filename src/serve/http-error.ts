/** Answers that are no success. Whatever is thrown ends as one of these: a status and `{"detail": string}`. */
import { AccountsUnavailable } from '../accounts/accounts.js';

export class HttpError extends Error {
  override name = 'HttpError';
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options: ErrorOptions = {},
  ) {
    super(detail, options);
  }
}

export const badRequest = (detail: string): HttpError => new HttpError(400, detail);
export const notFound = (detail: string): HttpError => new HttpError(404, detail);

/** One text for a missing, unknown, revoked or expired key: which one it was is nobody's business. */
export const unauthorized = (): HttpError =>
  new HttpError(401, 'Invalid or missing API key', { 'www-authenticate': 'ApiKey header="x-api-key"' });

export const unavailable = (detail: string, retryAfterSeconds: number, cause?: unknown): HttpError =>
  new HttpError(503, detail, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }, { cause });

/** @param bytes how many the body has, NaN where its sender did not say */
export const tooLarge = (bytes: number, most: number): HttpError => {
  const size = Number.isNaN(bytes) ? `more than the ${most} bytes` : `${bytes} bytes, more than the ${most}`;
  return new HttpError(413, `The body has ${size} that are allowed: send fewer texts a call`);
};

const INTERNAL = 'Internal error';

/** What the framework, and what serves the files of the documentation, refuse before a handler is reached: by status, in our words. */
const DETAILS: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  404: 'Not found',
  408: 'The request took too long to arrive',
  412: 'The file is not the one that the condition names',
  413: 'The body is too large',
  414: 'The address is too long',
  416: 'The file has no such range',
  431: 'The headers are too large',
};

/** Anything thrown, as what the client is told. A fault of ours says nothing of itself: the log does. */
export const toHttpError = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  if (error instanceof AccountsUnavailable)
    return unavailable('Accounts cannot be reached; nothing was counted', 2, error);
  const status = statusOf(error);
  if (status === OUTSIDE) return notFound('Not found');
  if (status === NO_JSON) return badRequest('The body must be JSON: send Content-Type: application/json');
  const detail = status === undefined ? undefined : DETAILS[status];
  if (status === undefined || detail === undefined) return new HttpError(500, INTERNAL, {}, { cause: error });
  return new HttpError(status, detail, {}, { cause: error });
};

/** The interface has one status for a body that is malformed, whatever is wrong with it. */
const NO_JSON = 415;

/** A path that leads out of the folder whose files are served; 403 is for tiers alone. */
const OUTSIDE = 403;

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
