/** The shapes of bodies: what the document of the API says and the tests hold every answer to. */
import { type TSchema, Type } from 'typebox';
import { DATASET_IDS } from '../../data/catalog.js';
import { USAGE_DAYS } from '../accounts/accounts.js';
import { TIER_NAMES } from '../accounts/tiers.js';
import { LIMITS } from './limits.js';
import { LONGEST_TEXT } from './models.js';

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);
const count = Type.Integer({ minimum: 0 });
const strict = { additionalProperties: false } as const;
const oneOf = (values: readonly string[]): TSchema => Type.Enum([...values], { type: 'string' });
const instant = Type.String({ format: 'date-time' });
const day = Type.String({ format: 'date' });
const datasetId = oneOf(DATASET_IDS);
const cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);

export const errorBody = Type.Object({ detail: Type.String({ description: 'what is wrong' }) }, strict);

const model = Type.Object(
  {
    id: Type.String({ description: 'used as model_id in inference' }),
    name: Type.String(),
    description: Type.String(),
    task: Type.String(),
    model_type: Type.String(),
    access_tier: oneOf(TIER_NAMES),
    compute_tier: Type.String(),
    labels: Type.Array(Type.String()),
    training_datasets: Type.Array(Type.String()),
    updated_at: day,
  },
  strict,
);

export const modelList = Type.Object({ models: Type.Array(model), total: count }, strict);

export const inferenceRequest = Type.Object({
  model_id: Type.String({ examples: ['cb_stance_label'] }),
  instances: Type.Array(Type.Object({ text: Type.String({ minLength: 1, maxLength: LONGEST_TEXT }) }), {
    minItems: 1,
    maxItems: 128,
    description: `texts to classify; an enterprise account may have another maximum. The whole body has at most ${LIMITS.bodyBytes} bytes, which fewer texts reach where they are long and their characters take four bytes each or are written as escapes`,
    examples: [[{ text: 'The Committee decided to raise the target range.' }]],
  }),
  parameters: Type.Optional(
    Type.Object({
      return_scores: Type.Optional(Type.Boolean({ default: false, description: 'adds score and truncated' })),
    }),
  ),
});

export const inferenceResponse = Type.Object(
  {
    model_id: Type.String(),
    task: Type.String(),
    predictions: Type.Array(
      Type.Object(
        {
          label: Type.String(),
          score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'probability of the label' })),
          truncated: Type.Optional(Type.Boolean({ description: 'the text is longer than the model reads' })),
        },
        strict,
      ),
      { description: 'one for each instance, in their order' },
    ),
  },
  strict,
);

export const usageRecord = Type.Object(
  {
    email: Type.String(),
    tier: oneOf(TIER_NAMES),
    org: Type.String(),
    quota: Type.Object(
      {
        monthly_limit: count,
        used: count,
        remaining: count,
        usage_percent: Type.Number({ minimum: 0 }),
        resets_at: instant,
        period: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
      },
      strict,
    ),
    daily_usage: Type.Record(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), count),
    period_days: Type.Integer({ minimum: USAGE_DAYS.least, maximum: USAGE_DAYS.most }),
    total_requests_period: count,
    lifetime: Type.Object({ total_requests: count, member_since: instant }, strict),
  },
  strict,
);

const range = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'least and greatest value' });
const page = { total: count, limit: Type.Integer({ minimum: 1 }), offset: count, next_offset: nullable(count) };

export const datasetList = Type.Object(
  {
    datasets: Type.Array(
      Type.Object(
        {
          id: datasetId,
          name: Type.String(),
          description: Type.String(),
          metrics: Type.Array(
            Type.Object({ name: Type.String(), formula: Type.String(), description: Type.String(), range }, strict),
          ),
          filters: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                type: Type.String(),
                several: Type.Boolean({ description: 'takes several values by comma' }),
                values: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
                applies_to: Type.Array(Type.String()),
              },
              strict,
            ),
          ),
          aggregation_levels: Type.Array(Type.String()),
          snapshot: Type.String(),
          coverage: Type.Object({ published_at: instant, documents: count, sentences: count }),
        },
        strict,
      ),
    ),
    total: count,
  },
  strict,
);

export const documentList = Type.Object(
  {
    dataset_id: datasetId,
    snapshot: Type.String(),
    ...page,
    documents: Type.Array(
      Type.Object(
        {
          document_id: Type.String(),
          year: Type.Integer(),
          date: nullable(day),
          sentence_count: count,
          marked_count: Type.Optional(count),
        },
        { additionalProperties: cell, description: 'the dimensions of the dataset and one field a metric' },
      ),
    ),
  },
  strict,
);

export const summary = Type.Object(
  {
    dataset_id: datasetId,
    snapshot: Type.String(),
    filters: Type.Record(Type.String(), Type.Unknown(), { description: 'as they were understood' }),
    documents: Type.Integer({ minimum: 0, description: 'documents that meet the filters' }),
    summary: Type.Array(
      Type.Object(
        {
          metric: Type.String(),
          avg: nullable(Type.Number()),
          min: nullable(Type.Number()),
          max: nullable(Type.Number()),
          count: Type.Integer({ minimum: 0, description: 'documents with a value' }),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const coverage = Type.Object(
  {
    dataset_id: datasetId,
    snapshot: Type.String(),
    by: Type.String({ description: 'what value is: bank_name or ticker' }),
    total: count,
    groups: Type.Array(
      Type.Object(
        {
          value: Type.String(),
          name: nullable(Type.String({ description: 'the company of a ticker, as its newest document states it' })),
          documents: Type.Integer({ minimum: 1 }),
          first_year: nullable(Type.Integer()),
          last_year: nullable(Type.Integer()),
          first_date: nullable(day),
          last_date: nullable(day),
        },
        strict,
      ),
      { description: 'by value' },
    ),
  },
  strict,
);

const models = Type.Array(
  Type.Object({ id: Type.String(), fingerprint: Type.String(), labels: Type.Array(Type.String()) }, strict),
);

export const documentPage = Type.Object(
  {
    dataset_id: datasetId,
    snapshot: Type.String(),
    document: Type.Object({ document_id: Type.String() }, { additionalProperties: cell }),
    metrics: Type.Array(
      Type.Object(
        {
          metric: Type.String(),
          value: nullable(Type.Number()),
          formula: Type.String(),
          description: Type.String(),
          range,
          counts: Type.Record(Type.String(), count),
        },
        strict,
      ),
    ),
    counts: Type.Record(Type.String(), count),
    models,
  },
  strict,
);

export const sentenceList = Type.Object(
  {
    dataset_id: datasetId,
    snapshot: Type.String(),
    document_id: Type.String(),
    ...page,
    sentences: Type.Array(
      Type.Object(
        {
          sentence_index: count,
          char_start: count,
          char_end: count,
          text: Type.String(),
          language: Type.Optional(
            Type.String({ description: 'of its paragraph, ISO 639-1, `und` where it is not clear' }),
          ),
          mark: Type.Optional(
            nullable(
              Type.String({ description: 'why no model was asked and no metric counts it; null: it was asked' }),
            ),
          ),
          speaker: Type.Optional(nullable(Type.String())),
          role: Type.Optional(nullable(Type.String())),
          section: Type.Optional(nullable(Type.String())),
          labels: Type.Record(Type.String(), nullable(Type.String())),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const alive = Type.Object({ status: Type.Literal('alive') }, strict);

export const readiness = Type.Object(
  {
    status: oneOf(['ready', 'degraded']),
    datasets: Type.Array(
      Type.Object(
        {
          id: datasetId,
          snapshot: nullable(Type.String()),
          published_at: nullable(instant),
          documents: count,
          refused: nullable(Type.Object({ snapshot: Type.String(), reason: Type.String() }, strict)),
        },
        strict,
      ),
    ),
    inference: Type.Object({ models: Type.String(), texts: count }, strict),
  },
  strict,
);
