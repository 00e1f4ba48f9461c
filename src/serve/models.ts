/** The inference area: which models there are, and what they say of texts. */
import type { ModelEntry, ModelId } from '../../models/catalog.js';
import { isTierEnough } from '../accounts/tiers.js';
import { type Answer, type Call, cached, cacheHeaders, JSON_TYPE, jsonAnswer } from './answer.js';
import { badRequest, HttpError, notFound } from './http-error.js';
import { readQuery } from './parameters.js';
import type { Service } from './service.js';

/** Characters of a text, as JSON Schema's `maxLength` counts them: by code points. */
export const LONGEST_TEXT = 32_768;

/** `GET /v1/models` */
export const listModels = async (call: Call, { models }: Service): Promise<Answer> => {
  readQuery({}, call.query);
  const listed = models.map(toModel);
  const headers = { ...cacheHeaders('models', listed), 'content-type': JSON_TYPE };
  return cached(call, headers, () => JSON.stringify({ models: listed, total: listed.length }));
};

/** `POST /v1/models/infer` */
export const infer = async (call: Call, { models, inference }: Service): Promise<Answer> => {
  readQuery({}, call.query);
  const { account } = call;
  if (account === undefined) throw new Error('Inference was reached without an account.');
  const { modelId, texts, returnScores } = readInference(call.body, account.batchSize);
  const model = models.find(({ id }) => id === modelId);
  if (model === undefined) throw notFound(`Model not found: ${modelId}`);
  if (!isTierEnough(account.tier, model.access_tier))
    throw new HttpError(403, `Insufficient tier for model ${modelId}: requires ${model.access_tier}`);
  // The catalog's entries are all of the models that can be opened.
  const predictions = await inference.classify(model.id as ModelId, texts, {
    account: account.accountId,
    signal: call.signal,
  });
  return jsonAnswer({
    model_id: model.id,
    task: model.task,
    predictions: predictions.labels.map((label, at) =>
      returnScores
        ? { label, score: toScore(predictions.scores[at]), truncated: predictions.truncated[at] === 1 }
        : { label },
    ),
  });
};

const toModel = ({ package: _package, listed: _listed, ...model }: ModelEntry) => model;

/** A single-precision number in the digits that it has. */
const toScore = (score = 0): number => Number(Math.min(1, score).toPrecision(7));

interface InferenceRequest {
  readonly modelId: string;
  readonly texts: readonly string[];
  readonly returnScores: boolean;
}

/**
 * What the body asks; fields that nobody knows are ignored.
 *
 * @throws HttpError 400 that names the field, and the place in `instances`
 */
const readInference = (body: unknown, batchSize: number): InferenceRequest => {
  if (!isObject(body)) throw badRequest('The body must be a JSON object with model_id and instances.');
  const modelId = own(body, 'model_id');
  const instances = own(body, 'instances');
  const parameters = own(body, 'parameters') ?? {};
  if (typeof modelId !== 'string' || modelId === '') throw badRequest('model_id must be the id of a model, a string.');
  if (!Array.isArray(instances) || instances.length === 0)
    throw badRequest('instances must be an array of at least one object with text.');
  if (instances.length > batchSize)
    throw badRequest(`instances has ${instances.length} entries; at most ${batchSize} are allowed.`);
  if (!isObject(parameters)) throw badRequest('parameters must be an object.');
  const returnScores = own(parameters, 'return_scores') ?? false;
  if (typeof returnScores !== 'boolean') throw badRequest('parameters.return_scores must be true or false.');
  return { modelId, texts: instances.map(readText), returnScores };
};

const readText = (instance: unknown, at: number): string => {
  const text = isObject(instance) ? own(instance, 'text') : undefined;
  if (typeof text !== 'string') throw badRequest(`instances[${at}].text must be a string.`);
  const characters = countCharacters(text);
  if (characters > LONGEST_TEXT) {
    const many = characters === Number.POSITIVE_INFINITY ? `more than ${LONGEST_TEXT}` : characters;
    throw badRequest(`instances[${at}].text has ${many} characters; at most ${LONGEST_TEXT} are allowed.`);
  }
  if (text.trim() === '') throw badRequest(`instances[${at}].text is empty.`);
  // Half a pair, as cutting a text in the middle leaves it, is no character.
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
};

/**
 * Code points of a text. A text of a body's length takes the event loop for a good part of a second, so they are counted
 * only where they decide; Infinity where even pairs of code units would be too many.
 */
const countCharacters = (text: string): number => {
  if (text.length <= LONGEST_TEXT) return text.length;
  if (text.length > 2 * LONGEST_TEXT) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;
