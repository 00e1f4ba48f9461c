/** Between the framework's requests and replies, and what handlers are asked and answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call } from './answer.js';
import { type Encoding, tagFor } from './conditional.js';
import { HttpError, notFound, unavailable } from './http-error.js';
import { whenOver } from './over.js';
import { type Access, methodsOf } from './routes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/** What is not there needs a key below /v1, like what is. */
export const accessOf = (request: FastifyRequest): Access => {
  if (request.is404) return /^\/v1(\/|$)/.test(pathOf(request)) ? 'counted' : 'open';
  return request.routeOptions.config.access ?? 'open';
};

/** @param pages paths that are no routes of the API and can be read all the same */
export const missing = (request: FastifyRequest, pages: readonly string[]): HttpError => {
  const path = pathOf(request);
  const allowed = pages.includes(path) ? ['GET', 'HEAD'] : methodsOf(path);
  if (allowed.length === 0 || allowed.includes(request.method)) return notFound('Not found');
  const allow = allowed.join(', ');
  return new HttpError(405, `${request.method} is not allowed here; allowed: ${allow}`, { allow });
};

export const toCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  more: Pick<Call, 'account' | 'now' | 'holds' | 'memory'>,
): Call => {
  const gone = new AbortController();
  whenOver(request, reply, () => {
    if (!reply.raw.writableFinished) gone.abort(unavailable('The client went away', 1));
  });
  return {
    ...more,
    path: request.params as Readonly<Record<string, string>>,
    query: new URLSearchParams(request.url.slice(pathOf(request).length)),
    body: request.body,
    head: request.method === 'HEAD',
    signal: gone.signal,
  };
};

export const send = (reply: FastifyReply, answer: Answer, encoding: Encoding): FastifyReply => {
  const { etag, ...headers } = answer.headers;
  return reply
    .code(answer.status)
    .headers({ ...headers, ...(etag === undefined ? {} : { etag: tagFor(etag, encoding) }), vary: 'accept-encoding' })
    .send(answer.body);
};
