/** The HTTP side: Fastify, made from the table of routes. */
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { MODELS, type ModelEntry } from '../../models/catalog.js';
import type { Accounts } from '../accounts/accounts.js';
import { withoutKeys } from '../accounts/keys.js';
import type { Classifier } from '../inference/pool.js';
import type { Outputs } from '../outputs.js';
import { createAnswerMemory } from './answer-memory.js';
import { isHeld, negotiate, settleEncoding, tagFor } from './conditional.js';
import { addDocs } from './docs.js';
import { accessOf, missing, pathOf, send, toCall } from './exchange.js';
import { addExplorer } from './explorer-page.js';
import type { SnapshotEvent } from './follow.js';
import { type Admission, admit, isCounted, quotaHeaders } from './gate.js';
import { badRequest, notFound, toHttpError, tooLarge, unavailable } from './http-error.js';
import { createInference, type InferenceOptions } from './inference.js';
import { LIMITS } from './limits.js';
import { createMeasures } from './measures.js';
import { openApiDocument } from './openapi.js';
import { whenOver } from './over.js';
import { answerBrokenRequest, bytesToCome, parseJson, readPast, readRequestId } from './parsing.js';
import { ROUTES } from './routes.js';
import type { Service } from './service.js';
import { createShares } from './shares.js';
import { openSnapshots, type SnapshotsOptions } from './snapshots.js';
import { createTurns } from './turns.js';
import { watchAccounts } from './watched-accounts.js';

export interface ServerOptions {
  readonly outputs: Outputs;
  /** Stays open when the server has stopped: whoever opened it closes it. */
  readonly accounts: Accounts;
  readonly openClassifier: () => Promise<Classifier>;
  readonly logger: Logger;
  /** A folder of this process for answers under way. */
  readonly scratch: string;
  readonly version: string;
  readonly now?: () => Date;
  readonly models?: readonly ModelEntry[];
  readonly snapshots?: Partial<Omit<SnapshotsOptions, 'outputs' | 'scratch' | 'log'>>;
  readonly inference?: Partial<Omit<InferenceOptions, 'open' | 'log'>>;
  readonly limits?: Partial<Record<keyof typeof LIMITS, number>>;
}

export interface Server {
  /** Starts to listen; the address, `http://127.0.0.1:8080`. */
  readonly listen: (at: { readonly host: string; readonly port: number }) => Promise<string>;
  readonly service: Service;
  /** Takes no new connections, ends what is under way, then lets everything go. */
  readonly stop: () => Promise<void>;
}

export const buildServer = async (options: ServerOptions): Promise<Server> => {
  const { logger, outputs, scratch, now = () => new Date() } = options;
  const accounts = watchAccounts(options.accounts, ({ type, ...facts }) =>
    logger[type === 'accounts-failed' ? 'error' : 'info'](facts, type),
  );
  const limits = { ...LIMITS, ...options.limits };
  const loggerInstance: FastifyBaseLogger = logger;
  let stopping = false;
  const snapshots = await openSnapshots({
    ...options.snapshots,
    outputs,
    scratch,
    log: ({ type, ...facts }) => logger[LEVELS[type]](facts, type),
  });
  const inference = createInference({
    ...options.inference,
    open: options.openClassifier,
    log: (event) =>
      event.type === 'models-failed'
        ? logger.error({ err: event.error }, event.type)
        : logger.info({ ...event, type: undefined }, event.type),
  });
  const measures = createMeasures({ snapshots, inference });
  const service: Service = {
    accounts,
    snapshots,
    inference,
    turns: createTurns(limits.turns),
    models: (options.models ?? MODELS).filter(({ listed }) => listed),
    measurements: measures.read,
    document: () => openApiDocument(options.version),
    stopping: () => stopping,
  };

  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']),
    bodyLimit: limits.bodyBytes,
    connectionTimeout: limits.silentMs,
    keepAliveTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.overdueMs,
      // Asked for below, where the refusal gets a body.
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.placeholder },
    // For the pages of the documentation: other routes name their methods.
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => {
      const answered = answerBrokenRequest(error, socket);
      if (answered === undefined) return;
      logger.info({ request_id: answered.id, status: answered.status, reason: error.code }, 'request');
    },
    frameworkErrors: (error, request, reply) => {
      void refuse(error, request as FastifyRequest, reply as unknown as FastifyReply);
    },
  });
  app.server.maxConnections = limits.connections;
  // An expectation that nobody knows may be left unmet; Node's own refusal has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(request.headers['content-encoding'], body as Buffer, limits.bodyValues));
    } catch (error) {
      done(toHttpError(error));
    }
  });

  await app.register(helmet, {
    // The service may stand behind a proxy or on plain HTTP: nothing here makes a browser insist on HTTPS below it.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  });

  const memoryOf = createAnswerMemory(limits);
  // Without a bound, one key could fill the memory with bodies that are all within their own.
  const bodies = createShares({ all: limits.bodiesBytes, account: limits.accountBodiesBytes });
  const admissions = new WeakMap<FastifyRequest, Admission>();
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const bytes = Number(request.headers['content-length']);
    const failure = toHttpError(error);
    const { status, detail, headers, cause } = failure.status === 413 ? tooLarge(bytes, limits.bodyBytes) : failure;
    if (status === 500) request.log.error({ err: cause ?? error }, 'failed');
    const answer = (): void => {
      void reply
        .code(status)
        .header('x-request-id', request.id)
        .headers(headers)
        .headers(FAILURE_HEADERS)
        .send(JSON.stringify({ detail }));
    };
    const { shouldKeepAlive } = reply.raw;
    // The framework hangs up on who sends too much; until a bound, it is read past instead, and the answer arrives.
    if (status === 413 && bytes <= limits.drainedBytes && shouldKeepAlive && !stopping)
      reply.removeHeader('connection');
    const closes = !shouldKeepAlive || reply.hasHeader('connection');
    if (closes && !request.raw.complete && !(bytes > limits.drainedBytes))
      void readPast(request.raw, limits.drainedBytes).then(answer);
    else answer();
  };
  const letIn = async (request: FastifyRequest): Promise<Admission | undefined> => {
    const access = accessOf(request);
    if (access === 'open') return undefined;
    const admission = await admit(request.raw.rawHeaders, access, accounts, now());
    admissions.set(request, admission);
    return admission;
  };
  /** Once the status is known: says what is left of the quota, and gives back what is not counted. */
  const settle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const grant = admissions.get(request)?.grant;
    if (grant === undefined) return;
    const counted = isCounted(reply.statusCode);
    void reply.headers(quotaHeaders(grant.quota, counted));
    if (counted) return;
    await accounts.giveBack(grant).catch((error: unknown) => {
      request.log.error({ err: error }, 'not given back');
    });
  };
  const tell = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method } = request;
    const status = reply.statusCode;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    measures.answered({ method, route, status, seconds: reply.elapsedTime / 1000 });
    // The path, not the query, and that without what looks like a key: somebody may have put one there.
    const path = withoutKeys(pathOf(request)).slice(0, 200);
    const key = admissions.get(request)?.account.keyId;
    request.log.info({ method, path, status, ms: Math.round(reply.elapsedTime * 10) / 10, key }, 'request');
  };
  /** An address that the framework cannot read passes none of the hooks below: key and quota come first here too. */
  const refuse = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.raw.once('finish', () => tell(request, reply));
    const refusal = await letIn(request).then(
      () => error,
      (notLetIn: unknown) => notLetIn,
    );
    void reply.code(toHttpError(refusal).status);
    await settle(request, reply);
    fail(refusal, request, reply);
  };
  app.setErrorHandler(fail);
  app.setNotFoundHandler(() => {
    throw notFound('Not found');
  });

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    settleEncoding(request.raw.headers);
    if (stopping) void reply.header('connection', 'close');
    const admission = await letIn(request);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw badRequest('The request has no Host header.');
    if (request.is404) throw missing(request, pages);
    if (admission !== undefined) {
      const bytes = bytesToCome(request.headers, limits.bodyBytes);
      const hold = bodies.open(admission.account.accountId);
      if (!hold(bytes)) throw unavailable('Too many bodies are arriving at once', 1);
      if (bytes > 0) whenOver(request, reply, () => hold(0));
    }
  });
  app.addHook('onSend', async (request, reply, payload) => {
    await settle(request, reply);
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => tell(request, reply));

  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    customTypes: /json|text|arrow|javascript|svg|css/,
    // A window of 256 kilobytes instead of 4 megabytes: each reader has one for as long as it reads.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    zlibOptions: { level: 4 },
  });
  await addDocs(app, service.document());
  const pages = await addExplorer(app);

  for (const route of ROUTES) {
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: route.path.replaceAll(/\{([a-z_]+)\}/g, ':$1'),
      config: { access: route.access },
      handler: async (request, reply) => {
        const encoding = negotiate(request.headers['accept-encoding']);
        const account = admissions.get(request)?.account;
        const memory = memoryOf(request, reply, account?.accountId, encoding);
        const holds = (etag: string): boolean => isHeld(request.headers['if-none-match'] ?? '', tagFor(etag, encoding));
        const call = toCall(request, reply, { account, now: now(), holds, memory });
        const answer = await route.handle(call, service);
        memory.reserveBody(answer.body);
        return send(reply, answer, encoding);
      },
    });
  }
  await app.ready();

  return {
    service,
    listen: ({ host, port }) => app.listen({ host, port, backlog: 1024 }),
    stop: async () => {
      stopping = true;
      const deadline = setTimeout(() => app.server.closeAllConnections(), limits.drainMs);
      // A connection whose answer was under way is kept alive by its client: it ends once it has nothing to do.
      const idle = setInterval(() => app.server.closeIdleConnections(), 50);
      await app.close();
      clearInterval(idle);
      clearTimeout(deadline);
      await inference.close();
      await snapshots.close();
    },
  };
};

/** Of what is told about snapshots. */
const LEVELS: Readonly<Record<SnapshotEvent['type'], 'info' | 'warn' | 'error'>> = {
  'snapshot-opened': 'info',
  'snapshot-fetched': 'info',
  'snapshot-closed': 'info',
  'snapshot-refused': 'error',
  'rows-kept': 'info',
  'rows-not-kept': 'warn',
};

const FAILURE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  // A cache may keep a 404 unless it is told not to; and what the framework refuses has passed no other hook.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
