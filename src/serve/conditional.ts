/** Conditional requests: ETags as they are compared and as they are sent. */

export type Encoding = 'br' | 'gzip' | 'identity';

/** The content coding that a client gets, of those that are offered; brotli first. */
export const negotiate = (accepted: string | undefined): Encoding => {
  const offers = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const;
    }),
  );
  const weigh = (name: string): number => offers.get(name) ?? offers.get('*') ?? 0;
  const [br, gzip] = [weigh('br'), weigh('gzip')];
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
