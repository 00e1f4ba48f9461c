/** What is asked of the models: which texts, by which of them, in which order. */
import type { ModelId } from '../../models/catalog.js';
import { type Database, parquet } from '../../src/database.js';
import type { ModelFingerprint } from '../../src/inference/fingerprints.js';
import type { Classifier } from '../../src/inference/pool.js';
import type { Answerers, Prediction } from './store.js';

/** Models that one pass answers: those of one package. */
export const groupByPackage = (fingerprints: readonly ModelFingerprint[]): readonly Answerers[] => {
  const groups = new Map<string, ModelId[]>();
  for (const { model, packageFingerprint } of fingerprints) {
    groups.set(packageFingerprint, [...(groups.get(packageFingerprint) ?? []), model]);
  }
  return [...groups].map(([packageFingerprint, members]) => ({ packageFingerprint, models: members }));
};

/** Predictions that the table `missing` asks for. */
export const sumOfMissing = async (database: Database): Promise<number> => {
  const [row] = await database.rows("SELECT sum(len(string_split(models, ','))) AS n FROM missing");
  return Number(row?.n ?? 0);
};

/** Sentences with a mark are asked of no model, and have no label. */
export const ASKED = 'mark IS NULL';

/** Fills the table `needed` with the texts of `spans` that are asked: the same ones for a run here and for jobs elsewhere. */
export const fillNeeded = (database: Database, spans: readonly string[]): Promise<void> =>
  database.run(`CREATE OR REPLACE TABLE needed AS SELECT DISTINCT text_hash FROM ${parquet(spans)} WHERE ${ASKED}`);

export interface TextToAsk {
  readonly hash: string;
  readonly text: string;
}

/**
 * The texts of `spans` that the table `missing` asks these models for, each once, in the order of their length: a batch so
 * holds texts of one length and little is padded. A shard ends where `isFull` says so.
 */
export const textShards = async function* (
  database: Database,
  spans: readonly string[],
  models: string,
  isFull: (shard: readonly TextToAsk[], text: string) => boolean,
): AsyncGenerator<readonly TextToAsk[]> {
  let shard: TextToAsk[] = [];
  const sql = `SELECT text_hash, any_value(text) AS text FROM ${parquet(spans)}
    SEMI JOIN (SELECT text_hash FROM missing WHERE models = '${models}') USING (text_hash)
    GROUP BY text_hash ORDER BY length(any_value(text)), text_hash`;
  for await (const rows of database.stream(sql)) {
    for (const row of rows) {
      const text = String(row.text);
      shard.push({ hash: String(row.text_hash).replaceAll('-', ''), text });
      if (isFull(shard, text)) {
        yield shard;
        shard = [];
      }
    }
  }
  if (shard.length > 0) yield shard;
};

/** Answers as rows of the prediction store. */
export const predictionRows = function* (
  models: readonly ModelId[],
  shard: readonly TextToAsk[],
  answers: Awaited<ReturnType<Classifier['classify']>>,
): Generator<readonly [string, readonly Prediction[]]> {
  for (const [at, { hash }] of shard.entries()) {
    yield [
      hash,
      models.map((model) => {
        const answer = answers.get(model);
        const label = answer?.labels[at];
        const score = answer?.scores[at];
        if (label === undefined || score === undefined) throw new RangeError(`${model} gave no answer to text ${at}.`);
        return { label, score };
      }),
    ];
  }
};
