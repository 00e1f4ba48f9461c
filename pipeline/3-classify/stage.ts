import { join } from 'node:path';
import PQueue from 'p-queue';
import { type Database, identifier, parquet, quote } from '../../src/database.js';
import { type Classifier, openClassifier } from '../../src/inference/pool.js';
import { libraryOf } from '../../src/libraries.js';
import { sentencesTable } from '../../src/tables.js';
import type { Stage, World } from '../stage.js';
import {
  ASKED,
  fillNeeded,
  groupByPackage,
  predictionRows,
  sumOfMissing,
  type TextToAsk,
  textShards,
} from './asking.js';
import { spread } from './spread.js';
import { type Answerers, openPredictionStore, type PredictionStore } from './store.js';

/** Texts that are classified and kept together: what a killed run has to do again at most, for each one under way. */
const SHARD = 4096;

/**
 * Sentences to labels. Opening asks the prediction store which texts of the stale partitions no model has seen, has them
 * classified, each distinct text once, and keeps the answers; running a partition joins its sentences to its answers, as
 * they are published: publishing puts the files of the partitions one behind another and encodes none of them again.
 */
export const classify: Stage = {
  name: 'classify',
  version: '3',
  scope: 'partition',
  about: 'sentences to labels',
  ingredients: async (partition, { fingerprints, output }) => ({
    spans: output('segment', partition).files['spans.parquet'] ?? 'missing',
    // What it writes is published byte for byte, beside what other partitions wrote.
    writer: libraryOf('duckdb'),
    ...Object.fromEntries(fingerprints.map(({ model, fingerprint }) => [`model ${model}`, fingerprint])),
  }),
  open: async (partitions, world) => {
    const { dataset, database, outputs, output, alone } = world;
    const store = openPredictionStore(outputs.predictions, database, alone);
    const spans = partitions.map((partition) => join(output('segment', partition).folder, 'spans.parquet'));
    await fillNeeded(database, spans);
    const [asked] = await database.rows('SELECT count(*) AS texts FROM needed');
    const texts = Number(asked?.texts ?? 0);
    const groups = groupByPackage(world.fingerprints);
    const done = await answerAll({ world, store, groups, spans });
    return {
      concurrency: 4,
      run: async (partition, folder) => {
        const from = parquet(join(output('segment', partition).folder, 'spans.parquet'));
        // A text may stand in a marked place and, elsewhere, in one that was asked.
        const isLabel = new Set<string>(dataset.models);
        const columns = sentencesTable(dataset).columns.map(({ name }) =>
          isLabel.has(name)
            ? `CASE WHEN ${ASKED} THEN ${identifier(name)} END AS ${identifier(name)}`
            : identifier(name),
        );
        const joins = groups.map((_group, at) => `LEFT JOIN answers_${at} USING (text_hash)`).join(' ');
        const sentences = await database.writeQuery(
          `SELECT ${columns.join(', ')} FROM ${from} ${joins} ORDER BY document_id, sentence_index`,
          join(folder, 'sentences.parquet'),
        );
        return { files: ['sentences.parquet'], amounts: { sentences } };
      },
      close: async () => {
        for (const at of groups.keys()) await database.run(`DROP TABLE IF EXISTS answers_${at}`);
        await database.run('DROP TABLE IF EXISTS needed');
        return {
          amounts: {
            unique_texts: texts,
            predictions_made: done.made,
            predictions_reused: texts * dataset.models.length - done.made,
          },
          facts: done.facts,
        };
      },
    };
  },
  spread,
};

/**
 * Fills a table of answers for each group. A run of another dataset that shares a package may forget answers in order to
 * ask them again, just when we rely on them: then they are asked here as well.
 */
const answerAll = async (asking: Asking): Promise<Answered> => {
  const { world, store, groups } = asking;
  const { database } = world;
  let done = await answerMissing(asking);
  for (const [at, group] of groups.entries()) {
    const table = `answers_${at}`;
    const read = async (): Promise<boolean> => {
      await database.run(`DROP TABLE IF EXISTS ${table}`);
      await store.readAnswers(group, 'needed', table);
      const lacking = group.models.map((model) => `${identifier(model)} IS NULL`).join(' OR ');
      const [row] = await database.rows(`SELECT count(*) AS n FROM ${table} WHERE ${lacking}`);
      return row?.n === 0;
    };
    await store.compact(group.packageFingerprint);
    for (let again = 0; !(await read()) && again < MOST_AGAIN; again += 1) {
      const more = await answerMissing({ ...asking, world: { ...world, redoModels: [] } });
      done = { made: done.made + more.made, facts: { ...done.facts, ...more.facts } };
    }
  }
  return done;
};

const MOST_AGAIN = 3;

export interface Missing {
  readonly predictions: number;
  /** Texts to run through a network: once for each package, however many of its models are asked. */
  readonly texts: number;
}

/** What the stale partitions would need; what `--dry-run` tells. Asks the store, and no model. */
export const countMissing = async (partitions: readonly string[], world: World): Promise<Missing> => {
  const { database, outputs, output, alone } = world;
  const store = openPredictionStore(outputs.predictions, database, alone);
  const spans = partitions.map((partition) => join(output('segment', partition).folder, 'spans.parquet'));
  if (spans.length === 0) return { predictions: 0, texts: 0 };
  await fillNeeded(database, spans);
  let [predictions, texts] = [0, 0];
  for (const group of groupByPackage(world.fingerprints)) {
    await store.findMissing(group, 'needed', 'missing');
    predictions += await sumOfMissing(database);
    texts += await countRows(database, 'missing');
    await database.run('DROP TABLE missing');
  }
  await database.run('DROP TABLE needed');
  return { predictions, texts };
};

const countRows = async (database: Database, table: string): Promise<number> => {
  const [row] = await database.rows(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n ?? 0);
};

interface Asking {
  readonly world: World;
  readonly store: PredictionStore;
  readonly groups: readonly Answerers[];
  readonly spans: readonly string[];
}

interface Answered {
  /** Predictions. */
  readonly made: number;
  readonly facts: Readonly<Record<string, string>>;
}

const answerMissing = async ({ world, store, groups, spans }: Asking): Promise<Answered> => {
  const { database, settings, fingerprints, redoModels, signal } = world;
  let made = 0;
  let classifier: Classifier | undefined;
  try {
    for (const group of groups) {
      const redo = group.models.filter((model) => redoModels.includes(model));
      if (redo.length > 0) await forget(world, store, { ...group, models: redo }, spans);
      await database.run('DROP TABLE IF EXISTS missing');
      await store.findMissing(group, 'needed', 'missing');
      const total = await sumOfMissing(database);
      if (total === 0) continue;
      // The models are opened only when there is something to ask them.
      classifier ??= await openClassifier({
        models: groups.flatMap(({ models }) => models),
        modelsFolder: settings.models,
        device: settings.device,
        variant: settings.variant,
        workers: settings.workers,
        fingerprints,
        signal,
      });
      made += await answerGroup({ world, store, group, spans, classifier });
    }
    return { made, facts: classifier === undefined ? {} : { ...describe(classifier) } };
  } finally {
    await database.run('DROP TABLE IF EXISTS missing');
    await classifier?.close();
  }
};

/** Drops what is to be asked again: of all that is stale or, where documents were named, of their sentences. */
const forget = async (
  { database, redoDocuments }: World,
  store: PredictionStore,
  answerers: Answerers,
  spans: readonly string[],
): Promise<void> => {
  if (redoDocuments === undefined) return store.forget(answerers, 'needed');
  const ids = [...redoDocuments].map(quote).join(', ');
  await database.run(
    `CREATE OR REPLACE TABLE again AS SELECT DISTINCT text_hash FROM ${parquet(spans)} WHERE document_id IN (${ids}) AND ${ASKED}`,
  );
  await store.forget(answerers, 'again');
  await database.run('DROP TABLE again');
};

const describe = ({ report }: Classifier): Readonly<Record<string, string>> => ({
  provider: report.provider,
  device_asked: report.requested,
  variants: [...report.variants].map(([name, variant]) => `${name}: ${variant}`).join(', '),
  ...(report.tried.length === 0
    ? {}
    : { not_used: report.tried.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ') }),
});

const answerGroup = async ({
  world,
  store,
  group,
  spans,
  classifier,
}: Omit<Asking, 'groups'> & { readonly group: Answerers; readonly classifier: Classifier }): Promise<number> => {
  const { dataset, database, signal, log } = world;
  const asks = await database.rows('SELECT models, count(*) AS texts FROM missing GROUP BY models ORDER BY models');
  const total = asks.reduce((sum, ask) => sum + Number(ask.texts), 0);
  let made = 0;
  let texts = 0;
  for (const ask of asks) {
    const models = group.models.filter((model) => String(ask.models).split(',').includes(model));
    const queue = new PQueue({ concurrency: 2 });
    let failure: { readonly error: unknown } | undefined;
    const answer = async (shard: readonly TextToAsk[]): Promise<void> => {
      if (failure !== undefined || signal.aborted) return;
      try {
        const answers = await classifier.classify(
          models,
          shard.map(({ text }) => text),
          { signal },
        );
        await store.add(group.packageFingerprint, models, predictionRows(models, shard, answers));
        made += shard.length * models.length;
        texts += shard.length;
        log({ type: 'progress', dataset: dataset.id, stage: 'classify', what: 'texts', done: texts, total });
      } catch (error) {
        failure ??= { error };
      }
    };
    for await (const shard of textShards(database, spans, String(ask.models), ({ length }) => length === SHARD)) {
      if (failure !== undefined || signal.aborted) break;
      await queue.onSizeLessThan(1);
      void queue.add(() => answer(shard));
    }
    await queue.onIdle();
    signal.throwIfAborted();
    if (failure !== undefined) throw failure.error;
  }
  return made;
};
