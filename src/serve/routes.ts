/** EVERY ADDRESS of the service, as data: what it takes, what it answers, who may ask, and what answers it. */
import type { TSchema } from 'typebox';
import type { Answer, Call } from './answer.js';
import { listDatasets } from './catalog.js';
import { COVERAGE_QUERY, listCoverage } from './coverage.js';
import { DOCUMENT_PAGE_QUERY, getDocument, listSentences, SENTENCES_QUERY } from './document.js';
import { DOCUMENT_QUERY, SUMMARY_QUERY } from './filters.js';
import { document, live, measurements, ready } from './health.js';
import { listDocuments, summarizeDocuments } from './metrics.js';
import { infer, listModels } from './models.js';
import type { Parameters } from './parameters.js';
import * as schemas from './schemas.js';
import type { Service } from './service.js';
import { getUsage, USAGE_QUERY } from './usage.js';

/** `counted` and `paced` need a key; only `counted` takes from its quota. */
export type Access = 'open' | 'paced' | 'counted';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Placeholders in braces. */
  readonly path: string;
  readonly access: Access;
  readonly tag: 'inference' | 'usage' | 'metrics' | 'operations';
  readonly operation: string;
  readonly summary: string;
  readonly about?: string;
  readonly query: Parameters;
  readonly body?: TSchema;
  /** The body of 200, by content type. */
  readonly answer: Readonly<Record<string, TSchema | undefined>>;
  /** Failures beside those that any address has. */
  readonly failures: readonly number[];
  readonly handle: (call: Call, service: Service) => Promise<Answer>;
}

const json = (schema: TSchema): Route['answer'] => ({ 'application/json': schema });

const dataset = '/v1/metrics/{dataset_id}';

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/models',
    access: 'counted',
    tag: 'inference',
    operation: 'listModels',
    summary: 'The models and their labels',
    query: {},
    answer: json(schemas.modelList),
    failures: [],
    handle: listModels,
  },
  {
    method: 'POST',
    path: '/v1/models/infer',
    access: 'counted',
    tag: 'inference',
    operation: 'infer',
    summary: 'One label for each text',
    about: 'Counts as one request, whatever its number of texts. A label depends on its text alone.',
    query: {},
    body: schemas.inferenceRequest,
    answer: json(schemas.inferenceResponse),
    failures: [403, 404, 413],
    handle: infer,
  },
  {
    method: 'GET',
    path: '/v1/usage/me',
    access: 'paced',
    tag: 'usage',
    operation: 'getUsage',
    summary: 'Tier, quota and requests of the caller',
    about: 'Is not counted itself, and answers also when the quota is spent.',
    query: USAGE_QUERY,
    answer: json(schemas.usageRecord),
    failures: [],
    handle: getUsage,
  },
  {
    method: 'GET',
    path: '/v1/metrics',
    access: 'counted',
    tag: 'metrics',
    operation: 'listDatasets',
    summary: 'Datasets, metrics with their formulas, filters, aggregation levels',
    query: {},
    answer: json(schemas.datasetList),
    failures: [],
    handle: listDatasets,
  },
  {
    method: 'GET',
    path: `${dataset}/documents`,
    access: 'counted',
    tag: 'metrics',
    operation: 'listDocuments',
    summary: 'Documents with their metrics, by date and document_id',
    about:
      'Documents without a date come last. A metric whose denominator is zero is null. X-Total-Count, X-Snapshot and Link rel="next" say the same as the envelope; the link stays with its snapshot.',
    query: DOCUMENT_QUERY,
    answer: {
      ...json(schemas.documentList),
      'text/csv': undefined,
      'application/vnd.apache.parquet': undefined,
      'application/vnd.apache.arrow.stream': undefined,
    },
    failures: [404],
    handle: listDocuments,
  },
  {
    method: 'GET',
    path: `${dataset}/summary`,
    access: 'counted',
    tag: 'metrics',
    operation: 'summarizeDocuments',
    summary: 'Average, minimum, maximum and count of each metric',
    about: 'Over the documents that meet the filters; count is those with a value.',
    query: SUMMARY_QUERY,
    answer: json(schemas.summary),
    failures: [404],
    handle: summarizeDocuments,
  },
  {
    method: 'GET',
    path: `${dataset}/coverage`,
    access: 'counted',
    tag: 'metrics',
    operation: 'listCoverage',
    summary: 'The banks or tickers that have documents: how many, and from when to when',
    query: COVERAGE_QUERY,
    answer: json(schemas.coverage),
    failures: [404],
    handle: listCoverage,
  },
  {
    method: 'GET',
    path: `${dataset}/documents/{document_id}`,
    access: 'counted',
    tag: 'metrics',
    operation: 'getDocument',
    summary: 'One document: its row, counts, formulas and the fingerprints of the models',
    query: DOCUMENT_PAGE_QUERY,
    answer: json(schemas.documentPage),
    failures: [404],
    handle: getDocument,
  },
  {
    method: 'GET',
    path: `${dataset}/documents/{document_id}/sentences`,
    access: 'counted',
    tag: 'metrics',
    operation: 'listSentences',
    summary: 'The sentences of a document with their labels',
    query: SENTENCES_QUERY,
    answer: json(schemas.sentenceList),
    failures: [404],
    handle: listSentences,
  },
  {
    method: 'GET',
    path: '/health/live',
    access: 'open',
    tag: 'operations',
    operation: 'live',
    summary: 'The process answers',
    query: {},
    answer: json(schemas.alive),
    failures: [],
    handle: live,
  },
  {
    method: 'GET',
    path: '/health/ready',
    access: 'open',
    tag: 'operations',
    operation: 'ready',
    summary: 'Requests are welcome; what is served, and what was refused',
    query: {},
    answer: json(schemas.readiness),
    failures: [],
    handle: ready,
  },
  {
    method: 'GET',
    path: '/metrics',
    access: 'open',
    tag: 'operations',
    operation: 'measurements',
    summary: 'Measurements for Prometheus',
    query: {},
    answer: { 'text/plain': undefined },
    failures: [],
    handle: measurements,
  },
  {
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    tag: 'operations',
    operation: 'document',
    summary: 'This document',
    query: {},
    answer: { 'application/json': undefined },
    failures: [],
    handle: document,
  },
];

/** The route of an address by its method, and the methods that the address has. */
export const methodsOf = (path: string): readonly string[] => [
  ...new Set(
    ROUTES.filter((route) => patternOf(route.path).test(path)).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    ),
  ),
];

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}/?$`);
