/** The page of a document: every number down to the sentences that it was counted from. */
import { type Answer, type Call, cached, cacheHeaders, JSON_TYPE } from './answer.js';
import { checkPin, getDataset, LIMIT, PAGE, PINS } from './filters.js';
import { badRequest, notFound } from './http-error.js';
import type { OpenSnapshot, Row } from './open-snapshot.js';
import { readQuery, several, shown, someText } from './parameters.js';
import type { Service } from './service.js';
import type { SentenceSelection } from './sql.js';
import { withSnapshot } from './with-snapshot.js';

export const DOCUMENT_PAGE_QUERY = PINS;

export const SENTENCES_QUERY = {
  ...PAGE,
  model: several(someText('model whose labels are wanted', 100)),
  label: several(someText('label that the model gave; together with exactly one model', 100)),
  ...PINS,
};

/** `GET /v1/metrics/{dataset_id}/documents/{document_id}` */
export const getDocument = async (call: Call, { snapshots }: Service): Promise<Answer> => {
  const query = readQuery(DOCUMENT_PAGE_QUERY, call.query);
  checkPin(query);
  const { dataset_id = '', document_id = '' } = call.path;
  const dataset = getDataset(dataset_id);
  return snapshots.use(dataset.id, query, async (snapshot) => {
    const found = await snapshot.findDocument(document_id);
    if (found === undefined) throw notFound(`Document not found: ${document_id}`);
    const headers = {
      ...cacheHeaders('document', snapshot.id, document_id),
      'content-type': JSON_TYPE,
      'x-snapshot': snapshot.id,
    };
    return cached(call, headers, () => JSON.stringify(describe(snapshot, found)));
  });
};

/** `GET /v1/metrics/{dataset_id}/documents/{document_id}/sentences` */
export const listSentences = async (call: Call, service: Service): Promise<Answer> => {
  const query = readQuery(SENTENCES_QUERY, call.query);
  checkPin(query);
  if (query.label !== undefined && query.model?.length !== 1)
    throw badRequest('label needs exactly one model: model=<id>&label=<label>.');
  const { dataset_id = '', document_id = '' } = call.path;
  const dataset = getDataset(dataset_id);
  const { limit = LIMIT.fallback, offset = 0 } = query;
  const question = {
    dataset: dataset.id,
    pin: query,
    check: (snapshot: OpenSnapshot) => toSelection(snapshot, document_id, query.model, query.label),
  };
  return withSnapshot(service, question, async (snapshot, selection) => {
    if ((await snapshot.findDocument(document_id)) === undefined) throw notFound(`Document not found: ${document_id}`);
    const models = query.model ?? snapshot.manifest.models.map(({ id }) => id);
    const headers = {
      ...cacheHeaders('sentences', snapshot.id, document_id, selection.columns, selection.labelled, limit, offset),
      'content-type': JSON_TYPE,
      'x-snapshot': snapshot.id,
    };
    return cached(call, headers, async () => {
      const total = await snapshot.countSentences(selection);
      const rows = await snapshot.listSentences(selection, { limit, offset });
      return JSON.stringify({
        dataset_id: dataset.id,
        snapshot: snapshot.id,
        document_id,
        total,
        limit,
        offset,
        next_offset: offset + limit < total ? offset + limit : null,
        sentences: rows.map((row) => withLabels(row, models)),
      });
    });
  });
};

const describe = (
  { dataset, id, manifest }: OpenSnapshot,
  { row, counts }: { readonly row: Row; readonly counts: Row },
) => {
  const { document_id: _, ...numbers } = counts;
  return {
    dataset_id: dataset,
    snapshot: id,
    document: row,
    metrics: manifest.metrics.map(({ name, formula, description, range, plus, minus, over, over_minus }) => ({
      metric: name,
      value: row[name] ?? null,
      formula,
      description,
      range,
      counts: Object.fromEntries([...plus, ...minus, ...over, ...over_minus].map((count) => [count, numbers[count]])),
    })),
    counts: numbers,
    models: manifest.models,
  };
};

const toSelection = (
  { manifest }: OpenSnapshot,
  documentId: string,
  models: readonly string[] | undefined,
  labels: readonly string[] | undefined,
): SentenceSelection => {
  const known = manifest.models.map(({ id }) => id);
  const unknown = models?.find((model) => !known.includes(model));
  if (unknown !== undefined)
    throw badRequest(`Unknown model ${shown(unknown)}: ${manifest.dataset} has ${known.join(', ')}.`);
  const columns = (manifest.tables.sentences?.columns ?? [])
    .map(({ name }) => name)
    .filter(
      (name) => name !== 'document_id' && (models === undefined || !known.includes(name) || models.includes(name)),
    );
  const [model] = models ?? [];
  if (labels === undefined || model === undefined) return { documentId, columns };
  const allowed = manifest.models.find(({ id }) => id === model)?.labels ?? [];
  const wrong = labels.find((label) => !allowed.includes(label));
  if (wrong !== undefined) throw badRequest(`label is one of ${allowed.join(', ')} for ${model}; not ${shown(wrong)}.`);
  return { documentId, columns, labelled: { model, labels } };
};

/** The labels apart from what the sentence is. */
const withLabels = (row: Row, models: readonly string[]) => ({
  ...Object.fromEntries(Object.entries(row).filter(([name]) => !models.includes(name))),
  labels: Object.fromEntries(models.map((model) => [model, row[model] ?? null])),
});
