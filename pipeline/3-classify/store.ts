/**
 * The prediction store: what a model answered to a text, kept for ever. A part is a Parquet file of `text_hash` and, for
 * each model that was asked, its label and its score; it is written whole and named by its content, so that a repeated or
 * late attempt changes nothing. Parts lie in one folder for each model package, named by the package's fingerprint:
 * another model, another folder. Reading never trusts that a text occurs once.
 *
 * Runs of two datasets may ask one package at the same time. Adding a part disturbs nobody. Whoever takes parts away does
 * it alone, and so does whoever relies on all of them being there; who only asks what is missing looks again.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelId } from '../../models/catalog.js';
import { type Database, identifier, parquet, quote, type Row } from '../../src/database.js';
import { hashFile, makeFolder, moveInPlace, readdirIfThere, temporaryBeside } from '../../src/files.js';
import type { Table } from '../../src/tables.js';
import type { Alone } from '../stage.js';

/** The models of one package that a dataset asks. */
export interface Answerers {
  readonly packageFingerprint: string;
  readonly models: readonly ModelId[];
}

export interface Prediction {
  readonly label: string;
  /** Probability of the label, 0 to 1. */
  readonly score: number;
}

export interface PredictionStore {
  /** Fills the table `into` with `text_hash` and `models` (a comma list) for every text of `needed` that some model has not answered. */
  readonly findMissing: (answerers: Answerers, needed: string, into: string) => Promise<void>;
  /** Adds one part: the answers of these models to these texts (32 hexadecimal digits each). */
  readonly add: (
    packageFingerprint: string,
    models: readonly ModelId[],
    rows: Iterable<readonly [textHash: string, predictions: readonly Prediction[]]>,
  ) => Promise<void>;
  /** Fills the table `into` with `text_hash` and one label column a model, for the texts of `needed`, each once. */
  readonly readAnswers: (answerers: Answerers, needed: string, into: string) => Promise<void>;
  /** Drops what these models answered to the texts of `needed`. */
  readonly forget: (answerers: Answerers, needed: string) => Promise<void>;
  /** Joins small parts, when there are many. */
  readonly compact: (packageFingerprint: string) => Promise<void>;
}

/** Small parts are joined when there are more of them than this. */
const MOST_SMALL_PARTS = 48;
const SMALL_PART_BYTES = 4 << 20;

/** How often it is looked what is missing, where parts are taken away at the same time. */
const MOST_LOOKS = 20;

interface Part {
  readonly file: string;
  readonly models: readonly string[];
}

/** @param alone holds off the other runs that use the store */
export const openPredictionStore = (folder: string, database: Database, alone: Alone): PredictionStore => {
  const folderOf = (packageFingerprint: string): string => join(folder, packageFingerprint.slice(0, 32));
  const lockOf = (packageFingerprint: string): string => join(folderOf(packageFingerprint), 'lock.json');

  const namesOf = async (packageFingerprint: string): Promise<readonly string[]> =>
    (await readdirIfThere(folderOf(packageFingerprint)))
      .filter((name) => /^part-[0-9a-f]+\.parquet$/.test(name))
      .sort();

  const partsOf = async (packageFingerprint: string): Promise<readonly Part[]> => {
    const home = folderOf(packageFingerprint);
    const names = await namesOf(packageFingerprint);
    if (names.length === 0) return [];
    const files = names.map((name) => join(home, name));
    const columns = await database.rows(
      `SELECT file_name, name FROM parquet_schema([${files.map(quote).join(', ')}]) WHERE type IS NOT NULL ORDER BY ALL`,
    );
    return files.map((file) => ({
      file,
      models: columns
        .filter((row) => row.file_name === file)
        .map((row) => String(row.name))
        .filter((name) => name !== 'text_hash' && !name.endsWith('.score')),
    }));
  };

  /** Models that lie in the same parts are read together: nearly always all of a package. */
  const groupsOf = async ({ packageFingerprint, models }: Answerers): Promise<readonly Group[]> => {
    const parts = await partsOf(packageFingerprint);
    const groups = new Map<string, { models: ModelId[]; files: readonly string[] }>();
    for (const model of models) {
      const files = parts.filter((part) => part.models.includes(model)).map((part) => part.file);
      const group = groups.get(files.join());
      if (group === undefined) groups.set(files.join(), { models: [model], files });
      else group.models.push(model);
    }
    return [...groups.values()];
  };

  /** @returns the part's file */
  const writePart = async (home: string, write: (temporary: string) => Promise<unknown>): Promise<string> => {
    await makeFolder(home);
    const temporary = temporaryBeside(join(home, 'part'));
    try {
      await write(temporary);
      const file = join(home, `part-${(await hashFile(temporary)).slice(0, 32)}.parquet`);
      await moveInPlace(temporary, file);
      return file;
    } finally {
      await rm(temporary, { force: true });
    }
  };

  return {
    findMissing: async (answerers, needed, into) => {
      for (let looks = 1; ; looks += 1) {
        const before = await namesOf(answerers.packageFingerprint);
        try {
          const groups = await groupsOf(answerers);
          const flags = groups.map(
            ({ models, files }, at) =>
              `CASE WHEN ${files.length === 0 ? 'true' : `g${at}.text_hash IS NULL`} THEN ${quote(models.join(','))} END`,
          );
          const joins = groups.map(({ files }, at) =>
            files.length === 0
              ? ''
              : `LEFT JOIN (SELECT DISTINCT text_hash FROM ${parquet(files)} SEMI JOIN ${needed} USING (text_hash)) AS g${at}
                 ON g${at}.text_hash = n.text_hash`,
          );
          // Joins and no aggregate of texts: they spill to disk where memory ends, however many there are.
          await database.run(
            `CREATE TABLE ${into} AS SELECT * FROM (SELECT n.text_hash, concat_ws(',', ${flags.join(', ')}) AS models
             FROM ${needed} AS n ${joins.join(' ')}) WHERE models <> ''`,
          );
          return;
        } catch (error) {
          // Parts were joined meanwhile. No lock is taken, for `status` asks as well, and changes nothing.
          const after = await namesOf(answerers.packageFingerprint);
          if (looks === MOST_LOOKS || after.join() === before.join()) throw error;
        }
      }
    },

    add: async (packageFingerprint, models, rows) => {
      const home = folderOf(packageFingerprint);
      await writePart(home, (temporary) => database.writeTable(partTable(models), temporary, partRows(models, rows)));
    },

    readAnswers: (answerers, needed, into) =>
      alone(lockOf(answerers.packageFingerprint), async () => {
        const groups = await groupsOf(answerers);
        const joins = groups.map(({ models, files }, at) =>
          files.length === 0
            ? undefined
            : `LEFT JOIN (SELECT text_hash, ${models.map((model) => `min(${identifier(model)}) AS ${identifier(model)}`).join(', ')}
             FROM ${parquet(files)} SEMI JOIN ${needed} USING (text_hash) GROUP BY text_hash) AS g${at} USING (text_hash)`,
        );
        const columns = groups.flatMap(({ models, files }) =>
          models.map((model) => (files.length === 0 ? `NULL::VARCHAR AS ${identifier(model)}` : identifier(model))),
        );
        await database.run(
          `CREATE TABLE ${into} AS SELECT text_hash, ${columns.join(', ')} FROM ${needed} ${joins.filter(Boolean).join(' ')}`,
        );
      }),

    forget: ({ packageFingerprint, models }, needed) =>
      alone(lockOf(packageFingerprint), async () => {
        const home = folderOf(packageFingerprint);
        for (const part of await partsOf(packageFingerprint)) {
          if (!part.models.some((model) => models.some((forgotten) => forgotten === model))) continue;
          const from = parquet(part.file);
          const kept = part.models.filter((model) => !models.some((forgotten) => forgotten === model));
          const hits = await database.rows(`SELECT count(*) AS n FROM ${from} SEMI JOIN ${needed} USING (text_hash)`);
          if (hits[0]?.n === 0) continue;
          const others = `SELECT * FROM ${from} ANTI JOIN ${needed} USING (text_hash) ORDER BY text_hash`;
          await writePart(home, (temporary) => database.writeQuery(others, temporary));
          if (kept.length > 0) {
            const columns = kept.flatMap(columnsOf).map(identifier).join(', ');
            const rest = `SELECT text_hash, ${columns} FROM ${from} SEMI JOIN ${needed} USING (text_hash) ORDER BY text_hash`;
            await writePart(home, (temporary) => database.writeQuery(rest, temporary));
          }
          await rm(part.file, { force: true });
        }
      }),

    compact: (packageFingerprint) =>
      alone(lockOf(packageFingerprint), async () => {
        const home = folderOf(packageFingerprint);
        const byModels = new Map<string, string[]>();
        for (const part of await partsOf(packageFingerprint)) {
          if ((await stat(part.file)).size > SMALL_PART_BYTES) continue;
          const key = part.models.join();
          byModels.set(key, [...(byModels.get(key) ?? []), part.file]);
        }
        for (const files of byModels.values()) {
          if (files.length <= MOST_SMALL_PARTS) continue;
          const all = `SELECT * FROM ${parquet(files)} ORDER BY text_hash`;
          const joined = await writePart(home, (temporary) => database.writeQuery(all, temporary));
          // Where all the others are empty, the joined part is one of them.
          for (const file of files) if (file !== joined) await rm(file, { force: true });
        }
      }),
  };
};

interface Group {
  readonly models: readonly ModelId[];
  readonly files: readonly string[];
}

const columnsOf = (model: string): readonly string[] => [model, `${model}.score`];

const partTable = (models: readonly ModelId[]): Table => ({
  name: 'predictions',
  row: 'what some models of a package answered to a text',
  columns: [
    { name: 'text_hash', type: 'UUID', nullable: false, about: 'first 128 bits of the sha256 of the text' },
    ...models.flatMap((model) => [
      { name: model, type: 'VARCHAR', nullable: false, about: 'label' } as const,
      { name: `${model}.score`, type: 'FLOAT', nullable: false, about: 'probability of the label' } as const,
    ]),
  ],
  key: ['text_hash'],
});

const partRows = function* (
  models: readonly ModelId[],
  rows: Iterable<readonly [string, readonly Prediction[]]>,
): Generator<Row> {
  for (const [textHash, predictions] of rows) {
    const row: Record<string, string | number> = { text_hash: textHash };
    for (const [at, { label, score }] of predictions.entries()) {
      const model = models[at];
      if (model === undefined) throw new RangeError('More predictions than models.');
      row[model] = label;
      row[`${model}.score`] = score;
    }
    yield row;
  }
};
