import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import { getModel, type ModelId } from '../../../models/catalog.js';
import { countsFor, metricsOf } from '../../../pipeline/4-aggregate/metrics.js';
import type { CheckInput, KeptIngredients } from '../../../pipeline/5-publish/checks/input.js';
import { type CheckResult, isBlocking, runChecks } from '../../../pipeline/5-publish/checks/run.js';
import { CHECKS } from '../../../pipeline/5-publish/checks.js';
import { type Database, identifier, quote, type Value } from '../../../src/database.js';
import { countColumn, countTableColumn, evaluate, metricTableColumn } from '../../../src/formula.js';
import { readSettings, type Settings } from '../../../src/settings.js';
import { countsTable, documentsTable, rejectsTable, sentencesTable, type Table } from '../../../src/tables.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

const folder = temporaryFolder();
let database: Database;

beforeAll(async () => {
  database = await testDatabase(folder);
});

const settings = readSettings({}, {});
type MutableRow = Record<string, Value>;

interface Sketch {
  readonly document_id: Value;
  readonly smallest: readonly string[];
}

interface Draft {
  documents: MutableRow[];
  counts: MutableRow[];
  sentences: MutableRow[];
  rejects: MutableRow[];
  lastDocuments: MutableRow[];
  lastCounts: MutableRow[];
  sketches: readonly Sketch[];
}

type TableName = Exclude<keyof Draft, 'sketches'>;

const tablesOf = (id: DatasetId): Readonly<Record<'documents' | 'counts' | 'sentences' | 'rejects', Table>> => ({
  documents: documentsTable(DATASETS[id], metricsOf(id, settings).map(metricTableColumn)),
  counts: countsTable(countsFor(id, settings).map(countTableColumn)),
  sentences: sentencesTable(DATASETS[id]),
  rejects: rejectsTable,
});

/** A document: its dimensions, and for each sentence the labels by model, the last label where none is said. */
interface Written {
  readonly id: string;
  readonly dimensions: Readonly<Record<string, Value>>;
  readonly sentences: readonly Readonly<Partial<Record<ModelId, string>>>[];
}

/** Stands for the hashes of as many sentences that nobody else has. */
const sentencesOf = (id: string, many: number): string[] => Array.from({ length: many }, (_, at) => `${id} ${at}`);

/** Tables as the pipeline would make them of these documents, with the last snapshot's the same. */
const draftOf = (dataset: DatasetId, written: readonly Written[]): Draft => {
  const sentences = written.flatMap(({ id, sentences: labelled }) =>
    labelled.map(
      (labels, at): MutableRow => ({
        document_id: id,
        sentence_index: at,
        char_start: at * 20,
        char_end: at * 20 + 19,
        text: `Sentence ${at}.`,
        language: 'en',
        ...Object.fromEntries(
          DATASETS[dataset].models.map((model) => [model, labels[model] ?? getModel(model).labels.at(-1) ?? '']),
        ),
      }),
    ),
  );
  const counts = written.map(({ id }): MutableRow => {
    const mine = sentences.filter((row) => row.document_id === id);
    const count = (model: ModelId, label: string | null, given?: { model: ModelId; label: string }): number =>
      mine.filter(
        (row) => (label === null || row[model] === label) && (given === undefined || row[given.model] === given.label),
      ).length;
    return {
      document_id: id,
      ...Object.fromEntries(
        countsFor(dataset, settings).map((entry) => [countColumn(entry), count(entry.model, entry.label, entry.given)]),
      ),
    };
  });
  const documents = written.map(({ id, dimensions, sentences: own }, at): MutableRow => {
    const { document_id: _, ...numbers } = counts[at] ?? {};
    const byColumn = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
    return {
      document_id: id,
      ...dimensions,
      title: null,
      source_url: null,
      language: 'en',
      path: `${id}.txt`,
      file_sha256: 'f',
      text_sha256: id,
      sentence_count: own.length,
      marked_count: 0,
      ...Object.fromEntries(
        metricsOf(dataset, settings).map(({ name, formula }) => [name, evaluate(formula, byColumn)]),
      ),
    };
  });
  return {
    documents,
    counts,
    sentences,
    rejects: [],
    sketches: written.map(({ id }) => ({ document_id: id, smallest: sentencesOf(id, 4) })),
    lastDocuments: documents.map((row) => ({ ...row })),
    lastCounts: counts.map((row) => ({ ...row })),
  };
};

const HAWKISH = { cb_stance_label: 'Hawkish', cb_certain_label: 'Certain' } as const;
const DOVISH = { cb_stance_label: 'Dovish' } as const;

const WCB: readonly Written[] = Array.from({ length: 10 }, (_, at) => ({
  id: `doc_${at}`,
  dimensions: {
    bank_name: at < 5 ? 'bank_of_japan' : 'bank_of_england',
    year: 2020 + (at % 5),
    start_date: null,
    end_date: null,
    release_date: `${2020 + (at % 5)}-06-15`,
    date: `${2020 + (at % 5)}-06-15`,
    document_type: 'minutes',
  },
  sentences: [HAWKISH, DOVISH, {}, HAWKISH],
}));

const EARNINGS: readonly Written[] = [1, 2, 3, 4].map((quarter) => ({
  id: `ACME_2024_Q${quarter}`,
  dimensions: { ticker: 'ACME', company: null, year: 2024, quarter, date: null },
  sentences: [{ ec_growth: 'Positive Growth', ec_price_relevancy: 'Relevant' }, {}, { ec_growth: 'Negative Growth' }],
}));

const load = async (dataset: DatasetId, draft: Draft, options: CheckChoices = {}): Promise<void> => {
  const tables = tablesOf(dataset);
  const places: readonly (readonly [name: string, table: Table, rows: readonly MutableRow[]])[] = [
    ['documents', tables.documents, draft.documents],
    ['counts', tables.counts, draft.counts],
    ['sentences', tables.sentences, draft.sentences],
    ['rejects', tables.rejects, draft.rejects],
    ['last_documents', tables.documents, draft.lastDocuments],
    ['last_counts', tables.counts, draft.lastCounts],
  ];
  for (const [name, { columns }, rows] of places) {
    const literal = (value: Value | undefined): string =>
      value === null || value === undefined ? 'NULL' : quote(String(value));
    // No constraints: what a fault puts there must get in.
    await database.run(`CREATE OR REPLACE TABLE ${name} (${columns.map((column) => `${identifier(column.name)} ${column.type}`).join(', ')});
      ${rows.length === 0 ? '' : `INSERT INTO ${name} VALUES ${rows.map((row) => `(${columns.map((column) => literal(row[column.name])).join(', ')})`).join(', ')}`}`);
  }
  await database.run(`CREATE OR REPLACE TABLE sketches (document_id VARCHAR, smallest VARCHAR[]);
    INSERT INTO sketches VALUES ${draft.sketches.map((row) => `(${quote(String(row.document_id))}, [${row.smallest.map(quote).join(', ')}])`).join(', ')}`);
  const { uncompared } = options;
  const why = uncompared === undefined ? 'NULL AS why WHERE false' : `${quote(uncompared)} AS why`;
  await database.run(`CREATE OR REPLACE VIEW last_uncompared AS SELECT ${why}`);
  for (const name of ['documents', 'counts', 'sentences']) {
    await database.run(`CREATE OR REPLACE VIEW changed_${name} AS SELECT * FROM ${name}`);
  }
};

/** Everything as in the last snapshot. */
const allKept = (dataset: DatasetId): KeptIngredients => ({
  models: new Set(DATASETS[dataset].models),
  metrics: new Set(metricsOf(dataset, settings).map(({ name }) => name)),
});
const NOTHING_KEPT: KeptIngredients = { models: new Set(), metrics: new Set() };

interface CheckChoices {
  readonly comparable?: boolean;
  /** Why there is nothing to compare with. */
  readonly uncompared?: string;
  readonly settings?: Partial<Settings>;
  readonly kept?: KeptIngredients;
  readonly allowed?: ReadonlyMap<string, string>;
}

const inputFor = (dataset: DatasetId, options: CheckChoices): CheckInput => ({
  dataset: DATASETS[dataset],
  metrics: metricsOf(dataset, settings),
  counts: countsFor(dataset, settings),
  settings: { ...settings, ...options.settings },
  now: new Date('2026-01-02T03:04:05Z'),
  kept: options.kept ?? allKept(dataset),
});

const check = async (dataset: DatasetId, draft: Draft, options: CheckChoices = {}): Promise<readonly CheckResult[]> => {
  await load(dataset, draft, options);
  return runChecks(database, inputFor(dataset, options), {
    comparable: options.comparable ?? true,
    allowed: options.allowed ?? new Map(),
  });
};

const failing = (results: readonly CheckResult[]): readonly string[] =>
  results.filter(({ passed }) => !passed).map(({ name }) => name);

/** The row that a fault changes; a test without it would test nothing. */
const at = <T>(rows: readonly T[], index: number): T => {
  const row = rows[index];
  if (row === undefined) throw new Error(`There is no row ${index}.`);
  return row;
};

/** Changes the labels and leaves counts and metrics as they would then be. */
const redraft = (draft: Draft, change: (sentences: Written['sentences'][number], index: number) => object): Draft => {
  const made = draftOf(
    'wcb',
    WCB.map((document) => ({
      ...document,
      sentences: document.sentences.map((labels, index) => ({ ...labels, ...change(labels, index) })),
    })),
  );
  return { ...made, lastDocuments: draft.lastDocuments, lastCounts: draft.lastCounts };
};

/** Takes a sentence out of what the models were asked, with everything that follows from it. */
const marking = (draft: Draft, index: number): Draft => {
  const sentence = at(draft.sentences, index);
  const blank = Object.fromEntries(DATASETS.wcb.models.map((model) => [model, null]));
  const sentences = draft.sentences.with(index, { ...sentence, ...blank, language: 'es', mark: 'foreign' });
  const place = draft.documents.findIndex((row) => row.document_id === sentence.document_id);
  const counts = at(draft.counts, place);
  const less = Object.fromEntries(
    countsFor('wcb', settings)
      .filter(({ model, label }) => label === null || sentence[model] === label)
      .map((entry) => [countColumn(entry), Number(counts[countColumn(entry)]) - 1]),
  );
  const recounted = { ...counts, ...less };
  const byColumn = Object.fromEntries(Object.entries(recounted).map(([name, value]) => [name, Number(value)]));
  return {
    ...draft,
    sentences,
    counts: draft.counts.with(place, recounted),
    documents: draft.documents.with(place, {
      ...at(draft.documents, place),
      marked_count: 1,
      ...Object.fromEntries(metricsOf('wcb', settings).map(({ name, formula }) => [name, evaluate(formula, byColumn)])),
    }),
  };
};

describe('valid tables', () => {
  it('pass where a sentence has a mark and no label, and is in no count', async () => {
    const draft = marking(draftOf('wcb', WCB), 6);
    expect(failing(await check('wcb', draft))).toEqual([]);
    expect(at(draft.counts, 1).cb_stance_label__total).toBe(3);
  });

  it.each<readonly [DatasetId, readonly Written[]]>([
    ['wcb', WCB],
    ['earnings', EARNINGS],
  ])('of %s pass every check', async (dataset, written) => {
    const results = await check(dataset, draftOf(dataset, written));
    expect(results.map(({ name }) => name)).toEqual(CHECKS.map(({ name }) => name));
    expect(failing(results)).toEqual([]);
    expect(results.every(({ offending, rows }) => offending === 0 && rows.length === 0)).toBe(true);
  });

  it('are not compared where there is nothing to compare with', async () => {
    const draft = draftOf('wcb', WCB);
    const results = await check('wcb', { ...draft, lastDocuments: [], lastCounts: [] }, { comparable: false });
    expect(failing(results)).toEqual([]);
    expect(results.map(({ name }) => name)).not.toContain('documents_kept');
  });

  it('pass, whatever their labels, spans and numbers of documents', async () => {
    const labels = fc.record(
      Object.fromEntries(
        DATASETS.wcb.models.map((model): [ModelId, fc.Arbitrary<string>] => [
          model,
          fc.constantFrom(...getModel(model).labels),
        ]),
      ),
    );
    const document = fc.record({
      sentences: fc.array(labels, { minLength: 1, maxLength: 6 }),
      year: fc.integer({ min: 1950, max: 2025 }),
      bank: fc.constantFrom('bank_of_japan', 'czech_national_bank'),
      dated: fc.boolean(),
      gap: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 20 }),
        async (documents, rejects) => {
          const draft = draftOf(
            'wcb',
            documents.map(({ sentences, year, bank, dated }, index) => ({
              id: `doc ${index}'s`,
              dimensions: { bank_name: bank, year, date: dated ? `${year}-02-28` : null },
              sentences,
            })),
          );
          // Spans may leave room between them, and none.
          const gaps = new Map(documents.map(({ gap }, index) => [`doc ${index}'s`, gap]));
          for (const row of draft.sentences) {
            const step = 19 + (gaps.get(String(row.document_id)) ?? 0);
            row.char_start = Number(row.sentence_index) * step;
            row.char_end = row.char_start + 19;
          }
          draft.rejects = Array.from({ length: rejects }, (_, index) => ({
            subject: `r${index}`,
            stage: 'ingest',
            reason: 'r',
          }));
          expect(failing(await check('wcb', draft))).toEqual([]);
        },
      ),
      { numRuns: 6 },
    );
  });
});

interface Fault {
  readonly what: string;
  /** Exactly the checks that fail. The first is the one that is meant. */
  readonly fails: readonly [string, ...string[]];
  readonly seed: (draft: Draft) => Draft;
  readonly choices?: CheckChoices;
  /** Part of an offending row of the check that is meant. */
  readonly names: Readonly<Record<string, unknown>>;
}

const changing =
  (table: TableName, index: number, values: MutableRow): Fault['seed'] =>
  (draft) => ({ ...draft, [table]: draft[table].with(index, { ...at(draft[table], index), ...values }) });

const repeating =
  (table: TableName, index: number, values: MutableRow = {}): Fault['seed'] =>
  (draft) => ({ ...draft, [table]: [...draft[table], { ...at(draft[table], index), ...values }] });

const quarterMoved: Fault['seed'] = (draft) =>
  redraft(draft, (_, index) => (index === 2 ? { cb_stance_label: 'Dovish' } : {}));

/** The sketches of the first documents, otherwise. */
const sketched =
  (...changes: readonly Partial<Sketch>[]): Fault['seed'] =>
  (draft) => ({ ...draft, sketches: draft.sketches.map((sketch, index) => ({ ...sketch, ...changes[index] })) });

const CALL = sentencesOf('a call', 32);

/** Eight new documents of four sentences beside the ten, all of them Hawkish and nothing else changed. */
const hawkishNight: Fault['seed'] = (draft) => {
  const night = WCB.slice(0, 8).map(({ dimensions }, index) => ({
    id: `new_${index}`,
    dimensions,
    sentences: [HAWKISH, HAWKISH, HAWKISH, HAWKISH],
  }));
  const made = draftOf('wcb', [...WCB, ...night]);
  return { ...made, lastDocuments: draft.lastDocuments, lastCounts: draft.lastCounts };
};

const FAULTS: readonly Fault[] = [
  {
    what: 'a document occurs twice',
    // Its sentences are then found twice as well.
    fails: ['document_ids_unique', 'sentences_complete', 'sentences_counted'],
    seed: repeating('documents', 3),
    names: { document_id: 'doc_3', times: 2 },
  },
  {
    what: 'a document has two rows of counts',
    fails: ['counts_unique'],
    seed: repeating('counts', 3),
    names: { document_id: 'doc_3', times: 2 },
  },
  {
    what: 'a sentence occurs twice',
    fails: ['sentences_unique', 'sentences_complete', 'sentences_counted', 'spans_in_order', 'counts_agree'],
    seed: repeating('sentences', 5),
    names: { document_id: 'doc_1', sentence_index: 1, times: 2 },
  },
  {
    what: 'there is no document',
    fails: ['documents_present', 'documents_kept', 'newest_document_kept'],
    seed: (draft) => ({ ...draft, documents: [], counts: [], sentences: [] }),
    names: { documents: 0 },
  },
  {
    what: 'counts belong to no document',
    fails: ['foreign_keys_found'],
    seed: repeating('counts', 0, { document_id: 'orphan' }),
    names: { document_id: 'orphan', where_from: 'in counts, not in documents' },
  },
  {
    what: 'sentences belong to no document',
    fails: ['sentences_have_documents', 'sentences_counted'],
    seed: repeating('sentences', 0, { document_id: 'orphan' }),
    names: { document_id: 'orphan', where_from: 'in sentences, not in documents' },
  },
  {
    what: 'a document has no counts',
    fails: ['foreign_keys_found'],
    seed: (draft) => ({ ...draft, counts: draft.counts.toSpliced(2, 1) }),
    names: { document_id: 'doc_2', where_from: 'in documents, not in counts' },
  },
  {
    what: 'a document has no sentence',
    fails: ['sentences_have_documents', 'sentences_counted'],
    seed: (draft) => ({ ...draft, sentences: draft.sentences.filter((row) => row.document_id !== 'doc_2') }),
    names: { document_id: 'doc_2', where_from: 'in documents, not in sentences' },
  },
  {
    what: 'the last sentence of a document is missing',
    fails: ['sentences_complete', 'sentences_counted', 'counts_agree'],
    seed: (draft) => ({ ...draft, sentences: draft.sentences.toSpliced(7, 1) }),
    names: { document_id: 'doc_1', sentence_count: 4, sentences: 3, last_index: 2 },
  },
  {
    what: 'the index of the sentences has a gap',
    fails: ['sentences_complete'],
    seed: changing('sentences', 7, { sentence_index: 4 }),
    names: { document_id: 'doc_1', sentences: 4, last_index: 4 },
  },
  {
    what: 'there are fewer sentences than the documents say',
    fails: ['sentences_counted', 'sentences_complete'],
    seed: changing('documents', 7, { sentence_count: 5 }),
    names: { of_documents: 41, sentences: 40 },
  },
  {
    what: 'two spans overlap',
    fails: ['spans_in_order'],
    seed: changing('sentences', 6, { char_start: 38 }),
    names: { document_id: 'doc_1', sentence_index: 2, char_start: 38 },
  },
  {
    what: 'a span is empty',
    fails: ['spans_in_order'],
    seed: changing('sentences', 6, { char_end: 40 }),
    names: { document_id: 'doc_1', sentence_index: 2, char_end: 40 },
  },
  {
    what: 'a span begins before the text',
    fails: ['spans_in_order'],
    seed: changing('sentences', 4, { char_start: -1 }),
    names: { document_id: 'doc_1', sentence_index: 0, char_start: -1 },
  },
  {
    what: 'a sentence was not classified',
    fails: ['predictions_present', 'counts_agree'],
    seed: changing('sentences', 6, { cb_certain_label: null }),
    names: { document_id: 'doc_1', sentence_index: 2, model: 'cb_certain_label', label: null },
  },
  {
    what: 'a sentence with a mark was classified',
    fails: ['sentences_complete', 'predictions_present'],
    seed: changing('sentences', 6, { mark: 'foreign' }),
    names: { document_id: 'doc_1', marked_count: 0, marked: 1 },
  },
  {
    what: 'a label is none of its model’s',
    fails: ['predictions_present', 'counts_agree'],
    seed: changing('sentences', 6, { cb_stance_label: 'hawkish' }),
    names: { document_id: 'doc_1', sentence_index: 2, model: 'cb_stance_label', label: 'hawkish' },
  },
  {
    what: 'a total is not the number of sentences',
    fails: ['counts_agree', 'metrics_agree'],
    seed: changing('counts', 1, { cb_stance_label__total: 5 }),
    names: { document_id: 'doc_1', name: 'cb_stance_label__total', stored: 5, counted: 4 },
  },
  {
    what: 'the count of a label is not the number of sentences that have it',
    fails: ['counts_agree'],
    seed: changing('counts', 1, { cb_stance_label__neutral: 3 }),
    names: { document_id: 'doc_1', name: 'cb_stance_label__neutral', stored: 3, counted: 0 },
  },
  {
    what: 'a metric is not what its formula makes of the counts',
    fails: ['metrics_agree'],
    seed: changing('documents', 1, { stance: 0.25 }),
    names: { document_id: 'doc_1', name: 'stance', published: 0.25, derived: 1 / 3 },
  },
  {
    what: 'a metric is null though its denominator is not zero',
    fails: ['metrics_agree'],
    seed: changing('documents', 1, { stance: null }),
    names: { document_id: 'doc_1', name: 'stance', published: null },
  },
  {
    what: 'a metric is 1.2',
    fails: ['metrics_in_range', 'metrics_agree', 'metric_means_steady'],
    seed: changing('documents', 1, { forward_looking: 1.2 }),
    names: { document_id: 'doc_1', metric: 'forward_looking', value: 1.2 },
  },
  {
    what: 'a share is negative',
    fails: ['metrics_in_range', 'metrics_agree'],
    seed: changing('documents', 1, { inflation_relevancy: -0.1 }),
    names: { document_id: 'doc_1', metric: 'inflation_relevancy', value: -0.1 },
  },
  {
    what: 'a metric is NaN',
    fails: ['metrics_in_range', 'metrics_agree', 'metric_means_steady'],
    seed: changing('documents', 1, { stance: 'NaN' }),
    names: { document_id: 'doc_1', metric: 'stance' },
  },
  {
    what: 'a metric is infinite',
    fails: ['metrics_in_range', 'metrics_agree', 'metric_means_steady'],
    seed: changing('documents', 1, { stance: 'Infinity' }),
    names: { document_id: 'doc_1', metric: 'stance' },
  },
  {
    what: 'a bank is none of the list',
    fails: ['dimensions_known'],
    seed: changing('documents', 1, { bank_name: 'bank_of_nowhere' }),
    names: { document_id: 'doc_1', dimension: 'bank_name', value: 'bank_of_nowhere' },
  },
  {
    what: 'a required dimension is missing',
    fails: ['dimensions_known'],
    seed: changing('documents', 1, { year: null }),
    names: { document_id: 'doc_1', dimension: 'year', value: null },
  },
  {
    what: 'more is rejected than may be',
    fails: ['rejects_bounded'],
    seed: (draft) => ({
      ...draft,
      rejects: Array.from({ length: 21 }, (_, n) => ({ subject: `r${n}`, stage: 'ingest', reason: 'r' })),
    }),
    names: { rejected: 21, published: 10 },
  },
  {
    what: 'three of ten documents are gone',
    fails: ['documents_kept'],
    // The newest of each bank stay.
    seed: (draft) => {
      const stays = (row: MutableRow): boolean => !['doc_0', 'doc_1', 'doc_5'].includes(String(row.document_id));
      return {
        ...draft,
        documents: draft.documents.filter(stays),
        counts: draft.counts.filter(stays),
        sentences: draft.sentences.filter(stays),
      };
    },
    names: { before: 10, missing: 3, first_missing: 'doc_0' },
  },
  {
    what: 'the newest document of a bank is gone',
    fails: ['newest_document_kept'],
    seed: (draft) => {
      const stays = (row: MutableRow): boolean => row.document_id !== 'doc_9';
      return {
        ...draft,
        documents: draft.documents.filter(stays),
        counts: draft.counts.filter(stays),
        sentences: draft.sentences.filter(stays),
      };
    },
    names: { subject: 'bank_of_england', before: '2024-06-15', now: '2023-06-15' },
  },
  {
    what: 'the share of a label moved by a quarter',
    fails: ['label_shares_steady', 'metric_means_steady'],
    seed: quarterMoved,
    names: { model: 'cb_stance_label', label: 'Dovish', before: 0.25, now: 0.5 },
  },
  {
    what: 'the share of a label moved by a quarter, because the model is another',
    fails: ['label_shares_steady_across_models', 'metric_means_steady_across_versions'],
    choices: { kept: NOTHING_KEPT },
    seed: quarterMoved,
    names: { model: 'cb_stance_label', label: 'Dovish', before: 0.25, now: 0.5 },
  },
  {
    what: 'the mean of a metric moved by a quarter',
    fails: ['metric_means_steady', 'label_shares_steady'],
    seed: quarterMoved,
    names: { metric: 'stance', documents: 10 },
  },
  {
    what: 'the mean of a metric moved, because its formula is another',
    fails: ['metric_means_steady_across_versions', 'label_shares_steady'],
    choices: { kept: { ...allKept('wcb'), metrics: new Set() } },
    seed: quarterMoved,
    names: { metric: 'stance', documents: 10 },
  },
  {
    what: 'a night of new documents is Hawkish throughout',
    fails: ['new_labels_alike'],
    seed: hawkishNight,
    names: { model: 'cb_stance_label', label: 'Hawkish', before: 0.5, now: 1 },
  },
  {
    what: 'a night of new documents is Hawkish throughout, by another model',
    fails: ['new_labels_alike_across_models'],
    choices: { kept: NOTHING_KEPT },
    seed: hawkishNight,
    names: { model: 'cb_stance_label', label: 'Hawkish', now: 1 },
  },
  {
    what: 'everything is Hawkish from the first day on',
    fails: ['labels_vary'],
    choices: { comparable: false },
    seed: () =>
      draftOf(
        'wcb',
        WCB.map((document) => ({ ...document, sentences: Array(30).fill({ cb_stance_label: 'Hawkish' }) })),
      ),
    names: { model: 'cb_stance_label', label: 'Hawkish', sentences: 300 },
  },
  {
    what: 'the last snapshot is of another corpus',
    fails: ['last_snapshot_compared'],
    choices: { comparable: false, uncompared: 'The input folders are others.' },
    seed: (draft) => draft,
    names: { why: 'The input folders are others.' },
  },
  {
    what: 'a third of the sentences of the same documents is gone',
    fails: ['sentences_kept'],
    seed: (draft) => ({
      ...draft,
      lastDocuments: draft.lastDocuments.map((row) => ({ ...row, sentence_count: 6 })),
    }),
    names: { documents: 10, before: 60, now: 40 },
  },
  {
    what: 'the newest document of a bank is older than it may be',
    fails: ['newest_document_recent'],
    choices: { settings: { maxAgeDays: 500 } },
    seed: (draft) => ({
      ...draft,
      documents: draft.documents.map((row) =>
        row.bank_name === 'bank_of_england' ? { ...row, date: '2024-01-01' } : { ...row, date: '2025-12-31' },
      ),
      lastDocuments: [],
      lastCounts: [],
    }),
    names: { subject: 'bank_of_england', newest: '2024-01-01', days: 732 },
  },
  {
    what: 'a document is dated 2062 for 2026',
    fails: ['dates_not_ahead'],
    seed: changing('documents', 3, { date: '2062-01-01', release_date: '2062-01-01' }),
    names: { document_id: 'doc_3', dated: '2062-01-01' },
  },
  {
    what: 'a text was released before its meeting began',
    fails: ['released_after_start'],
    seed: changing('documents', 1, { start_date: '2021-06-16' }),
    names: { document_id: 'doc_1', start_date: '2021-06-16', release_date: '2021-06-15' },
  },
  {
    what: 'two documents share three quarters of their sentences',
    fails: ['texts_filed_once'],
    seed: sketched({ smallest: CALL }, { smallest: [...CALL.slice(0, 24), ...sentencesOf('its end', 8)] }),
    names: { document_id: 'doc_0', nearly_the_same_as: 'doc_1', shared: 24 },
  },
];

describe('a fault is found by the check that is meant for it, which names the row', () => {
  it.each(FAULTS)('$what: $fails', async ({ fails, seed, names, choices }) => {
    const draft = draftOf('wcb', WCB);
    const results = await check('wcb', seed(draft), choices);
    expect([...failing(results)].sort()).toEqual([...fails].sort());
    const meant = results.find(({ name }) => name === fails[0]);
    expect(meant?.rows).toContainEqual(expect.objectContaining(names));
    expect(meant?.offending).toBeGreaterThanOrEqual(meant?.rows.length ?? 1);
  });

  it('of every check there is', () => {
    const meant = new Set(FAULTS.map(({ fails: [name] }) => name));
    expect(CHECKS.map(({ name }) => name).filter((name) => !meant.has(name))).toEqual([]);
  });

  it('of earnings: a fifth quarter, a joint count, a conditional metric', async () => {
    const draft = draftOf('earnings', EARNINGS);
    at(draft.documents, 0).quarter = 5;
    const joint = 'ec_growth__positive_growth__and__ec_price_relevancy__relevant';
    at(draft.counts, 1)[joint] = 3;
    at(draft.documents, 2).ec_growth_metric_given_price = 0.5;
    const results = await check('earnings', draft);
    expect([...failing(results)].sort()).toEqual(['counts_agree', 'dimensions_known', 'metrics_agree']);
    const rowsOf = (wanted: string): readonly unknown[] => results.find(({ name }) => name === wanted)?.rows ?? [];
    expect(rowsOf('dimensions_known')).toContainEqual({
      document_id: 'ACME_2024_Q1',
      dimension: 'quarter',
      value: '5',
    });
    expect(rowsOf('counts_agree')).toEqual([{ document_id: 'ACME_2024_Q2', name: joint, stored: 3, counted: 1 }]);
    expect(rowsOf('metrics_agree')).toContainEqual({
      document_id: 'ACME_2024_Q3',
      name: 'ec_growth_metric_given_price',
      published: 0.5,
      derived: 1,
    });
  });
});

describe('what a check says', () => {
  it('counts all offending rows and shows the first twenty', async () => {
    const draft = draftOf('wcb', WCB);
    for (const row of draft.sentences) row.cb_stance_label = null;
    const found = (await check('wcb', draft)).find(({ name }) => name === 'predictions_present');
    expect(found).toMatchObject({ passed: false, severity: 'block', offending: 40 });
    expect(found?.rows).toHaveLength(20);
    expect(found?.rows[0]).toMatchObject({ document_id: 'doc_0', sentence_index: 0 });
  });

  it('follows the settings: a larger share may be rejected where that is asked for', async () => {
    const draft = draftOf('wcb', WCB);
    draft.rejects = Array.from({ length: 21 }, (_, n) => ({ subject: `r${n}`, stage: 'ingest', reason: 'r' }));
    expect(failing(await check('wcb', draft, { settings: { maxRejects: 0.7 } }))).toEqual([]);
    expect(failing(await check('wcb', draft, { settings: { maxRejects: 0.6 } }))).toEqual(['rejects_bounded']);
  });

  it('names what is old by its quarter where a call has no date, and nothing where the setting is 0', async () => {
    const draft = draftOf('earnings', EARNINGS);
    const old = await check('earnings', draft, { settings: { maxAgeDays: 300 } });
    expect(failing(old)).toEqual(['newest_document_recent']);
    expect(old.find(({ passed }) => !passed)?.rows).toEqual([{ subject: 'ACME', newest: '2024 Q4', days: 367 }]);
    expect(failing(await check('earnings', draft, { settings: { maxAgeDays: 0 } }))).toEqual([]);
  });

  it('finds what is stale behind a date in the future, of calls as of texts', async () => {
    const draft = draftOf('wcb', WCB);
    at(draft.documents, 9).date = '2062-01-01';
    const results = await check(
      'wcb',
      { ...draft, lastDocuments: [], lastCounts: [] },
      { settings: { maxAgeDays: 600 } },
    );
    expect([...failing(results)].sort()).toEqual(['dates_not_ahead', 'newest_document_recent']);
    expect(results.find(({ name }) => name === 'newest_document_recent')?.rows).toEqual([
      { subject: 'bank_of_england', newest: '2023-06-15', days: 932 },
    ]);
    const calls = draftOf('earnings', EARNINGS);
    at(calls.documents, 0).date = '2026-01-04';
    const ahead = (await check('earnings', calls)).filter(({ passed }) => !passed);
    expect(ahead).toMatchObject([
      { name: 'dates_not_ahead', severity: 'warn', rows: [{ document_id: 'ACME_2024_Q1', dated: '2026-01-04' }] },
    ]);
  });

  it('is true where it is switched off, and of a first snapshot', async () => {
    const draft = { ...draftOf('wcb', WCB), lastDocuments: [], lastCounts: [] };
    const aboutOf = async (name: string, maxAgeDays: number): Promise<string | undefined> => {
      const results = await check('wcb', draft, { comparable: false, settings: { maxAgeDays } });
      expect(failing(results)).toEqual([]);
      return results.find((result) => result.name === name)?.about;
    };
    expect(await aboutOf('newest_document_recent', 0)).toMatch(/^off: .* max-age-days is 0/);
    expect(await aboutOf('newest_document_recent', 100_000)).toContain('no more than 100000 days old');
    expect(await aboutOf('last_snapshot_compared', 0)).toContain('a first snapshot has nothing to be compared with');
  });

  it('keeps the reason for which it was allowed to fail, where it blocks and fails', async () => {
    const draft = draftOf('wcb', WCB);
    at(draft.documents, 1).bank_name = 'bank_of_nowhere';
    const allowed = new Map([
      ['dimensions_known', 'a new bank'],
      ['counts_agree', 'not needed'],
      ['newest_document_kept', 'only a warning'],
    ]);
    const results = await check('wcb', draft, { allowed });
    expect(results.filter(({ overridden }) => overridden !== undefined)).toMatchObject([
      { name: 'dimensions_known', passed: false, overridden: 'a new bank' },
    ]);
    expect(results.filter(isBlocking)).toEqual([]);
    expect((await check('wcb', draft)).filter(isBlocking).map(({ name }) => name)).toEqual(['dimensions_known']);
  });

  it('a subject that is rejected for two reasons counts once', async () => {
    const draft = draftOf('wcb', WCB);
    draft.rejects = Array.from({ length: 40 }, (_, n) => ({ subject: `r${n % 20}`, stage: 'ingest', reason: `${n}` }));
    expect(failing(await check('wcb', draft))).toEqual([]);
  });

  it('a model that the last snapshot did not have is not compared', async () => {
    const draft = draftOf('wcb', WCB);
    await load('wcb', draft);
    await database.run('ALTER TABLE last_counts DROP COLUMN cb_labor_market_relevancy__relevant');
    await database.run('ALTER TABLE last_counts DROP COLUMN cb_labor_market_relevancy__total');
    const results = await runChecks(database, inputFor('wcb', {}), { comparable: true, allowed: new Map() });
    expect(failing(results)).toEqual([]);
  });
});

describe('texts that are not likely to be filed wrongly', () => {
  it('share few sentences, or those that many documents say', async () => {
    const less = sketched({ smallest: CALL }, { smallest: [...CALL.slice(0, 23), ...sentencesOf('its end', 9)] });
    expect(failing(await check('wcb', less(draftOf('wcb', WCB))))).toEqual([]);
    const eleven = draftOf('wcb', [...WCB, { ...at(WCB, 0), id: 'doc_10' }]);
    expect(failing(await check('wcb', sketched(...eleven.sketches.map(() => ({ smallest: CALL })))(eleven)))).toEqual(
      [],
    );
  });
});
