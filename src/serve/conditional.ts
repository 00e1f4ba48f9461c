/** Conditional requests: ETags as they are compared and as they are sent. */
import type { IncomingHttpHeaders } from 'node:http';

export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * Leaves a request the one coding that it gets. What encodes the answers reads the same header by rules of its own: the
 * tag would name one coding and the bytes have another.
 */
export const settleEncoding = (headers: IncomingHttpHeaders): void => {
  const isRefused = headers['x-no-compression'] !== undefined;
  headers['accept-encoding'] = isRefused ? 'identity' : negotiate(headers['accept-encoding']);
};

/** The content coding that a client gets, of those that are offered; brotli first. Who takes any (`*`) gets gzip. */
export const negotiate = (accepted: string | undefined): Encoding => {
  const offers = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      // RFC 9110, section 8.4.1.3.
      return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const;
    }),
  );
  const br = offers.get('br') ?? 0;
  const gzip = offers.get('gzip') ?? offers.get('*') ?? 0;
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
};

/** A strong ETag names bytes, so each coding has its own. */
export const tagFor = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`);

/** Does If-None-Match name the ETag? */
export const isHeld = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
