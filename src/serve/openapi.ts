/** The OpenAPI 3.1 document, made from the table of routes. */
import { DATASET_IDS } from '../../data/catalog.js';
import { LIMITS } from './limits.js';
import { ROUTES, type Route } from './routes.js';
import { errorBody } from './schemas.js';

/** Failures of every address, of every address that needs a key, and of every one with placeholders. */
const ALWAYS = [400, 405, 408, 431, 500, 503];
const WITH_KEY = [401, 429];
const WITH_PLACEHOLDER = [414];

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Invalid request format or parameters',
  401: 'Missing or invalid API key',
  403: 'Insufficient tier for the requested resource',
  404: 'Model, dataset, snapshot or document does not exist',
  405: 'The address has no such method; Allow names those it has',
  408: 'The request took too long to arrive',
  413: `The body has more than ${LIMITS.bodyBytes} bytes: send fewer texts a call`,
  414: `A part of the path has more than ${LIMITS.placeholder} characters`,
  429: 'Rate limit exceeded; Retry-After says when to come again',
  431: `The headers, the address among them, have more than ${LIMITS.headerBytes} bytes`,
  500: 'Internal error',
  503: 'Not ready, overloaded or stopping; Retry-After says when to come again',
};

const TAGS = {
  inference: 'Text classification models (beta)',
  metrics: 'Pre-computed metrics of documents (beta)',
  usage: 'Tier, quota and request counts of the caller',
  operations: 'For who runs the service; no key needed',
} as const satisfies Record<Route['tag'], string>;

export const openApiDocument = (version: string): Readonly<Record<string, unknown>> => ({
  openapi: '3.1.0',
  info: {
    title: 'Financial Text Models and Metrics',
    version,
    description:
      'Labels of central bank texts by named models, and metrics of central bank documents and earnings calls, each explained down to its sentences. Every failure has the body {"detail": string}. Clients retry 429 and 503 after 1, 2 and 4 seconds.',
  },
  servers: [{ url: '/' }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    schemas: { Error: errorBody },
    responses: Object.fromEntries(
      Object.entries(MEANINGS).map(([status, description]) => [
        `Failure${status}`,
        { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      ]),
    ),
  },
  paths: Object.fromEntries(ROUTES.map((route) => [route.path, { [route.method.toLowerCase()]: operationOf(route) }])),
});

const operationOf = (route: Route): Readonly<Record<string, unknown>> => {
  const keyed = route.access !== 'open';
  const placeholders = placeholdersOf(route.path);
  const failures = [
    ...ALWAYS,
    ...(keyed ? WITH_KEY : []),
    ...(placeholders.length > 0 ? WITH_PLACEHOLDER : []),
    ...route.failures,
  ].sort((a, b) => a - b);
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.about === undefined ? {} : { description: route.about }),
    tags: [route.tag],
    security: keyed ? [{ key: [] }] : [],
    parameters: [...placeholders, ...queryOf(route)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: {
      200: {
        description: route.summary,
        content: Object.fromEntries(
          Object.entries(route.answer).map(([type, schema]) => [type, schema === undefined ? {} : { schema }]),
        ),
      },
      ...(route.method === 'GET' && route.access === 'counted'
        ? { 304: { description: 'Unchanged since If-None-Match' } }
        : {}),
      ...Object.fromEntries(failures.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }])),
    },
  };
};

const placeholdersOf = (path: string): readonly unknown[] =>
  [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'dataset_id' ? { type: 'string', enum: DATASET_IDS } : { type: 'string' },
  }));

const queryOf = ({ query }: Route): readonly unknown[] =>
  Object.entries(query).map(([name, { about, of = DATASET_IDS, schema, several }]) => ({
    name,
    in: 'query',
    required: false,
    description: of.length === DATASET_IDS.length ? about : `${about}; ${of.join(' and ')} only`,
    schema,
    ...(several ? { style: 'form', explode: false } : {}),
  }));
