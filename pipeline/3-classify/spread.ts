/** The texts that nobody has classified yet, cut into shards; and answering them, anywhere. */
import { join } from 'node:path';
import PQueue from 'p-queue';
import { type Database, parquet } from '../../src/database.js';
import { UsageError } from '../../src/errors.js';
import { openClassifier } from '../../src/inference/pool.js';
import type { Table } from '../../src/tables.js';
import type { Shard, Spread, World } from '../stage.js';
import { fillNeeded, groupByPackage, predictionRows, type TextToAsk, textShards } from './asking.js';
import { type Answerers, openPredictionStore } from './store.js';

/** Bounds on the texts of a shard: what is lost with a machine, and what is held in memory. */
const FEWEST = 256;
const MOST = 32_768;

/** What a text costs, as SQL and as code: its characters as far as a model reads them, and something for itself. */
const COST_SQL = 'least(length(any_value(text)), 2000) + 40';
const costOf = (text: string): number => Math.min(text.length, 2000) + 40;

const SHARD_TABLE: Table = {
  name: 'shard',
  row: 'a text to be classified',
  columns: [
    { name: 'text_hash', type: 'UUID', nullable: false, about: 'first 128 bits of the sha256 of the text' },
    { name: 'text', type: 'VARCHAR', nullable: false, about: 'the text' },
  ],
  key: ['text_hash'],
};

export const spread: Spread = {
  cut: async (partitions, world, { folder, pieces }) => {
    const { database, outputs, output, alone, fingerprints, signal } = world;
    const store = openPredictionStore(outputs.predictions, database, alone);
    const spans = partitions.map((partition) => join(output('segment', partition).folder, 'spans.parquet'));
    if (spans.length === 0) return [];
    await fillNeeded(database, spans);
    const shards: Shard[] = [];
    for (const group of groupByPackage(fingerprints)) {
      await database.run('DROP TABLE IF EXISTS missing');
      await store.findMissing(group, 'needed', 'missing');
      for (const ask of await readAsks(database, spans)) {
        const most = ask.cost / pieces;
        let cost = 0;
        const isFull = (shard: readonly TextToAsk[], text: string): boolean => {
          cost += costOf(text);
          const full = shard.length >= MOST || (cost >= most && shard.length >= FEWEST);
          if (full) cost = 0;
          return full;
        };
        for await (const shard of textShards(database, spans, ask.models, isFull)) {
          signal.throwIfAborted();
          const file = `${String(shards.length).padStart(7, '0')}.parquet`;
          const rows = shard.map(({ hash, text }) => ({ text_hash: hash, text }));
          await database.writeTable(SHARD_TABLE, join(folder, file), rows);
          shards.push({ file, kind: kindOf(group, ask.models), amount: shard.length });
        }
      }
    }
    await database.run('DROP TABLE IF EXISTS missing');
    await database.run('DROP TABLE needed');
    return shards;
  },

  make: async (shards, world, { folder, onMade }) => {
    for (const kind of new Set(shards.map((shard) => shard.kind))) {
      const { packageFingerprint, models } = answerersOf(kind, world);
      const classifier = await openClassifier({
        models,
        modelsFolder: world.settings.models,
        device: world.settings.device,
        variant: world.settings.variant,
        workers: world.settings.workers,
        fingerprints: world.fingerprints,
        signal: world.signal,
      });
      try {
        const store = openPredictionStore(world.outputs.predictions, world.database, world.alone);
        const answer = async (shard: Shard): Promise<void> => {
          const texts = await readTexts(world.database, join(folder, shard.file));
          const answers = await classifier.classify(
            models,
            texts.map(({ text }) => text),
            { signal: world.signal },
          );
          await store.add(packageFingerprint, models, predictionRows(models, texts, answers));
          await onMade(shard);
        };
        await eachInTurn(
          shards.filter((shard) => shard.kind === kind),
          answer,
          world.signal,
        );
      } finally {
        await classifier.close();
      }
    }
  },
};

const readAsks = async (
  database: Database,
  spans: readonly string[],
): Promise<readonly { readonly models: string; readonly cost: number }[]> => {
  const rows = await database.rows(`SELECT models, sum(cost) AS cost FROM (
      SELECT any_value(models) AS models, ${COST_SQL} AS cost
      FROM ${parquet(spans)} JOIN missing USING (text_hash) GROUP BY text_hash)
    GROUP BY models ORDER BY models`);
  return rows.map(({ models, cost }) => ({ models: String(models), cost: Number(cost) }));
};

const kindOf = ({ packageFingerprint }: Answerers, models: string): string => `${packageFingerprint} ${models}`;

/** @throws UsageError where this machine would answer with another model file than was planned, which would answer for nobody */
const answerersOf = (kind: string, { fingerprints }: World): Answerers => {
  const [packageFingerprint = '', names = ''] = kind.split(' ');
  const wanted = names.split(',');
  const group = groupByPackage(fingerprints).find((one) => one.packageFingerprint === packageFingerprint);
  const models = group?.models.filter((model) => wanted.includes(model)) ?? [];
  if (models.length !== wanted.length) {
    throw new UsageError(
      `The package that is to answer for ${names} is another one here than where the texts were cut: the same models folder, --device and --variant are needed on every machine. Where the package was replaced since, start the rebuild again.`,
    );
  }
  return { packageFingerprint, models };
};

const readTexts = async (database: Database, file: string): Promise<readonly TextToAsk[]> =>
  (await database.rows(`SELECT text_hash, text FROM ${parquet(file)}`)).map((row) => ({
    hash: String(row.text_hash).replaceAll('-', ''),
    text: String(row.text),
  }));

/** Two under way, so that one is read and written while the other is classified. */
const eachInTurn = async (
  shards: readonly Shard[],
  act: (shard: Shard) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const queue = new PQueue({ concurrency: 2 });
  let failure: { readonly error: unknown } | undefined;
  for (const shard of shards) {
    void queue.add(async () => {
      if (failure !== undefined || signal.aborted) return;
      try {
        await act(shard);
      } catch (error) {
        failure ??= { error };
      }
    });
  }
  await queue.onIdle();
  signal.throwIfAborted();
  if (failure !== undefined) throw failure.error;
};
