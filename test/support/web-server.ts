/** A web server of a test's own, as good or as bad as the test wants it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, answer: ServerResponse) => void;

export interface WebServer {
  /** The address of a path. */
  readonly at: (path: string) => string;
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** What each path answers; 404 where there is nothing. */
  readonly pages: Record<string, Handler>;
  /** The most requests that were under way at once. */
  readonly busiest: () => number;
  /** Connections that were made to it, whatever came of them. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** @param tls a certificate and its key, for a server that is spoken to in https */
export const openWebServer = async (
  pages: Readonly<Record<string, Handler>> = {},
  tls?: { readonly cert: string; readonly key: string },
): Promise<WebServer> => {
  const asked: string[] = [];
  const mutable: Record<string, Handler> = { ...pages };
  let open = 0;
  let busiest = 0;
  let connections = 0;
  const answerTo = (request: IncomingMessage, answer: ServerResponse): void => {
    open += 1;
    busiest = Math.max(busiest, open);
    answer.on('close', () => {
      open -= 1;
    });
    asked.push(request.url ?? '');
    const page = mutable[(request.url ?? '').split('?')[0] ?? ''];
    if (page === undefined) answer.writeHead(404).end('There is no such page.');
    else page(request, answer);
  };
  const server = tls === undefined ? createServer(answerTo) : createTlsServer({ ...tls }, answerTo);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    at: (path) => `${tls === undefined ? 'http' : 'https'}://localhost:${port}${path}`,
    port,
    asked,
    pages: mutable,
    busiest: () => busiest,
    connections: () => connections,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

/** Answers with a text and, where it is given, an etag by which it need not be sent again. */
export const page =
  (text: string, { type = 'text/plain', etag }: { readonly type?: string; readonly etag?: string } = {}): Handler =>
  (request, answer) => {
    if (etag !== undefined && request.headers['if-none-match'] === etag) answer.writeHead(304, { etag }).end();
    else answer.writeHead(200, { 'content-type': type, ...(etag !== undefined && { etag }) }).end(text);
  };

/** Fails a number of times, then answers. */
export const failingFirst = (times: number, fail: Handler, then: Handler): Handler => {
  let failed = 0;
  return (request, answer) => {
    failed += 1;
    (failed <= times ? fail : then)(request, answer);
  };
};

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, answer) => {
    answer.writeHead(code, headers).end();
  };

export const redirect = (to: string): Handler => status(302, { location: to });
