import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelId } from '../../../models/catalog.js';
import { openPredictionStore, type Prediction, type PredictionStore } from '../../../pipeline/3-classify/store.js';
import type { Alone } from '../../../pipeline/stage.js';
import { type Database, openDatabase, quote } from '../../../src/database.js';
import { textHash } from '../../../src/files.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

const PACKAGE = 'a1'.repeat(32);
const STANCE: ModelId = 'cb_stance_label';
const CERTAIN: ModelId = 'cb_certain_label';
const CLAIM: ModelId = 'cb_claim_projection_label';

/** One test at a time uses a store, but for those that are about more. */
const alone: Alone = (_path, work) => work();

const root = temporaryFolder();
let database: Database;
let home: string;
let store: PredictionStore;
let stores = 0;

beforeAll(async () => {
  database = await testDatabase(root);
});
beforeEach(() => {
  stores += 1;
  home = join(root, `store-${stores}`);
  store = openPredictionStore(home, database, alone);
});

const packageFolder = (): string => join(home, PACKAGE.slice(0, 32));
const parts = (): string[] => readdirSync(packageFolder()).sort();

const needs = async (texts: readonly string[]): Promise<void> => {
  const hashes = texts.map((text) => `(${quote(textHash(text))}::UUID)`);
  await database.run(
    `CREATE OR REPLACE TABLE needed AS SELECT text_hash FROM (SELECT NULL::UUID AS text_hash WHERE false
     ${hashes.length === 0 ? '' : `UNION ALL VALUES ${hashes.join(', ')}`})`,
  );
};

/** What lacks an answer: text to models. */
const missing = async (
  texts: readonly string[],
  models: readonly ModelId[],
): Promise<Readonly<Record<string, readonly string[]>>> => {
  await needs(texts);
  await database.run('DROP TABLE IF EXISTS missing');
  await store.findMissing({ packageFingerprint: PACKAGE, models }, 'needed', 'missing');
  const rows = await database.rows('SELECT text_hash, models FROM missing');
  const byHash = new Map(rows.map((row) => [String(row.text_hash).replaceAll('-', ''), String(row.models)]));
  expect(rows).toHaveLength(byHash.size);
  return Object.fromEntries(
    texts.flatMap((text) => {
      const found = byHash.get(textHash(text));
      return found === undefined ? [] : [[text, found.split(',').sort()]];
    }),
  );
};

/** What is answered: text to the labels of the models, null where there is none. */
const answers = async (
  texts: readonly string[],
  models: readonly ModelId[],
): Promise<Readonly<Record<string, readonly (string | null)[]>>> => {
  await needs(texts);
  await database.run('DROP TABLE IF EXISTS answers');
  await store.readAnswers({ packageFingerprint: PACKAGE, models }, 'needed', 'answers');
  const rows = await database.rows('SELECT * FROM answers');
  expect(rows).toHaveLength(texts.length);
  const byHash = new Map(rows.map((row) => [String(row.text_hash).replaceAll('-', ''), row]));
  return Object.fromEntries(
    texts.map((text) => {
      const row = byHash.get(textHash(text));
      return [text, models.map((model) => (row?.[model] === undefined ? null : String(row[model] ?? '') || null))];
    }),
  );
};

const add = (models: readonly ModelId[], rows: Readonly<Record<string, readonly string[]>>): Promise<void> =>
  store.add(
    PACKAGE,
    models,
    Object.entries(rows).map(([text, labels]): readonly [string, Prediction[]] => [
      textHash(text),
      labels.map((label) => ({ label, score: 0.75 })),
    ]),
  );

const forget = async (texts: readonly string[], models: readonly ModelId[]): Promise<void> => {
  await needs(texts);
  await store.forget({ packageFingerprint: PACKAGE, models }, 'needed');
};

describe('an empty store', () => {
  it('lacks every answer', async () => {
    expect(await missing(['a', 'b'], [STANCE, CERTAIN])).toEqual({ a: [CERTAIN, STANCE], b: [CERTAIN, STANCE] });
    expect(await answers(['a'], [STANCE])).toEqual({ a: [null] });
  });

  it('lacks nothing when nothing is needed', async () => {
    expect(await missing([], [STANCE])).toEqual({});
  });

  it('may be told to forget and to compact', async () => {
    await forget(['a'], [STANCE]);
    await store.compact(PACKAGE);
    expect(await missing(['a'], [STANCE])).toEqual({ a: [STANCE] });
  });
});

describe('more texts than memory has room for', () => {
  it('are found missing all the same: what does not fit is spilled', async () => {
    const small = await openDatabase({ memoryMb: 128, temporaryFolder: root, threads: 1 });
    try {
      await small.run(
        'CREATE TABLE needed AS SELECT md5(CAST(range AS VARCHAR))::UUID AS text_hash FROM range(2000000)',
      );
      const models: readonly ModelId[] = [STANCE, CERTAIN, CLAIM];
      await openPredictionStore(home, small, alone).findMissing(
        { packageFingerprint: PACKAGE, models },
        'needed',
        'missing',
      );
      expect(await small.rows('SELECT models, count(*) AS n FROM missing GROUP BY models')).toEqual([
        { models: models.join(','), n: 2_000_000 },
      ]);
    } finally {
      small.close();
    }
  });
});

describe('an answer', () => {
  it('is kept for its text and its model', async () => {
    await add([STANCE, CERTAIN], { a: ['Hawkish', 'Certain'], b: ['Dovish', 'Uncertain'] });
    expect(await missing(['a', 'b', 'c'], [STANCE, CERTAIN])).toEqual({ c: [CERTAIN, STANCE] });
    expect(await answers(['a', 'b', 'c'], [STANCE, CERTAIN])).toEqual({
      a: ['Hawkish', 'Certain'],
      b: ['Dovish', 'Uncertain'],
      c: [null, null],
    });
  });

  it('belongs to its package: another package has none', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    await needs(['a']);
    await database.run('DROP TABLE IF EXISTS missing');
    await store.findMissing({ packageFingerprint: 'b2'.repeat(32), models: [STANCE] }, 'needed', 'missing');
    expect(await database.rows('SELECT models FROM missing')).toEqual([{ models: STANCE }]);
  });

  it('of one model leaves the others of the package to be asked', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    await add([STANCE, CERTAIN], { b: ['Dovish', 'Certain'] });
    await add([CLAIM, CERTAIN], { a: ['IN_CLAIM', 'Uncertain'] });
    expect(await missing(['a', 'b', 'c'], [STANCE, CERTAIN, CLAIM])).toEqual({
      b: [CLAIM],
      c: [CERTAIN, CLAIM, STANCE],
    });
    expect(await answers(['a', 'b', 'c'], [CERTAIN, CLAIM, STANCE])).toEqual({
      a: ['Uncertain', 'IN_CLAIM', 'Hawkish'],
      b: ['Certain', null, 'Dovish'],
      c: [null, null, null],
    });
  });

  it('that is given again changes nothing, not even a file', async () => {
    await add([STANCE], { a: ['Hawkish'], b: ['Neutral'] });
    const before = parts();
    await add([STANCE], { a: ['Hawkish'], b: ['Neutral'] });
    expect(parts()).toEqual(before);
    expect(await answers(['a', 'b'], [STANCE])).toEqual({ a: ['Hawkish'], b: ['Neutral'] });
  });

  it('that a late attempt gives in another part is read once', async () => {
    await add([STANCE, CERTAIN], { a: ['Hawkish', 'Certain'], b: ['Neutral', 'Certain'] });
    await add([STANCE, CERTAIN], { b: ['Neutral', 'Certain'], c: ['Dovish', 'Certain'] });
    await add([STANCE], { a: ['Hawkish'] });
    expect(await missing(['a', 'b', 'c'], [STANCE, CERTAIN])).toEqual({});
    expect(await answers(['a', 'b', 'c'], [STANCE])).toEqual({ a: ['Hawkish'], b: ['Neutral'], c: ['Dovish'] });
  });

  it('that two attempts gave differently is the same in whatever order they came', async () => {
    await add([STANCE], { a: ['Neutral'] });
    await add([STANCE], { a: ['Hawkish'] });
    const once = await answers(['a'], [STANCE]);
    home = join(root, `store-${stores}-reversed`);
    store = openPredictionStore(home, database, alone);
    await add([STANCE], { a: ['Hawkish'], other: ['Dovish'] });
    await add([STANCE], { a: ['Neutral'] });
    expect(await answers(['a'], [STANCE])).toEqual(once);
  });

  it('with more labels than models is refused and leaves nothing', async () => {
    await expect(add([STANCE], { a: ['Hawkish', 'Certain'] })).rejects.toThrow('More predictions than models.');
    expect(parts()).toEqual([]);
  });

  it('without its label is refused and leaves nothing', async () => {
    await expect(add([STANCE, CERTAIN], { a: ['Hawkish'] })).rejects.toThrow('predictions.cb_certain_label');
    expect(parts()).toEqual([]);
  });
});

describe('forgetting', () => {
  it('drops what these models said of these texts and nothing else', async () => {
    await add([STANCE, CERTAIN], { a: ['Hawkish', 'Certain'], b: ['Dovish', 'Uncertain'] });
    await add([STANCE], { c: ['Neutral'] });
    await forget(['a', 'c'], [STANCE]);
    expect(await answers(['a', 'b', 'c'], [STANCE, CERTAIN])).toEqual({
      a: [null, 'Certain'],
      b: ['Dovish', 'Uncertain'],
      c: [null, null],
    });
    expect(await missing(['a', 'b', 'c'], [STANCE, CERTAIN])).toEqual({ a: [STANCE], c: [CERTAIN, STANCE] });
  });

  it('drops every copy', async () => {
    await add([STANCE, CERTAIN], { a: ['Hawkish', 'Certain'] });
    await add([STANCE], { a: ['Hawkish'], b: ['Dovish'] });
    await forget(['a'], [STANCE]);
    expect(await missing(['a', 'b'], [STANCE])).toEqual({ a: [STANCE] });
    expect(await answers(['a'], [CERTAIN])).toEqual({ a: ['Certain'] });
  });

  it('of texts that are not there touches no file', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    const before = parts();
    await forget(['z'], [STANCE]);
    await forget(['a'], [CERTAIN]);
    expect(parts()).toEqual(before);
  });

  it('of everything and asking again begins anew', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    await forget(['a'], [STANCE]);
    await add([STANCE], { a: ['Dovish'] });
    expect(await answers(['a'], [STANCE])).toEqual({ a: ['Dovish'] });
  });
});

describe('compacting', () => {
  const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);

  const addMany = async (): Promise<void> => {
    for (const [at, text] of texts.entries()) {
      await add([STANCE, CERTAIN], { [text]: [at % 2 === 0 ? 'Hawkish' : 'Dovish', 'Certain'] });
    }
  };

  it('joins many small parts into one that says the same', async () => {
    await addMany();
    const before = await answers(texts, [STANCE, CERTAIN]);
    await store.compact(PACKAGE);
    expect(parts()).toHaveLength(1);
    expect(await answers(texts, [STANCE, CERTAIN])).toEqual(before);
    expect(await missing([...texts, 'new'], [STANCE, CERTAIN])).toEqual({ new: [CERTAIN, STANCE] });
    const [joined] = parts();
    await store.compact(PACKAGE);
    expect(parts()).toEqual([joined]);
  });

  it('that was killed before it deleted the old parts changes nothing, and is made good later', async () => {
    await addMany();
    const before = await answers(texts, [STANCE, CERTAIN]);
    const old = join(root, `old-${stores}`);
    mkdirSync(old);
    for (const name of parts()) copyFileSync(join(packageFolder(), name), join(old, name));
    await store.compact(PACKAGE);
    for (const name of readdirSync(old)) copyFileSync(join(old, name), join(packageFolder(), name));
    expect(parts()).toHaveLength(texts.length + 1);
    expect(await answers(texts, [STANCE, CERTAIN])).toEqual(before);
    expect(await missing(texts, [STANCE, CERTAIN])).toEqual({});
    await store.compact(PACKAGE);
    expect(parts()).toHaveLength(1);
    expect(await answers(texts, [STANCE, CERTAIN])).toEqual(before);
  });

  it('leaves a few parts as they are', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    await add([STANCE], { b: ['Hawkish'] });
    const before = parts();
    await store.compact(PACKAGE);
    expect(parts()).toEqual(before);
  });
});

describe('what a killed run left', () => {
  it('is ignored: half a file under a temporary name is no part', async () => {
    await add([STANCE], { a: ['Hawkish'] });
    const [part] = parts();
    const whole = readFileSync(join(packageFolder(), part ?? ''));
    writeFileSync(join(packageFolder(), 'part.4711.0badf00d.tmp'), whole.subarray(0, 40));
    writeFileSync(join(packageFolder(), 'part.4711.0badf00e.tmp'), '');
    expect(await missing(['a', 'b'], [STANCE])).toEqual({ b: [STANCE] });
    expect(await answers(['a'], [STANCE])).toEqual({ a: ['Hawkish'] });
    await forget(['a'], [STANCE]);
    expect(await missing(['a'], [STANCE])).toEqual({ a: [STANCE] });
  });
});

describe('any sequence of operations', () => {
  it('behaves like a map from model and text to label', async () => {
    const models: readonly ModelId[] = [STANCE, CERTAIN, CLAIM];
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const someModels = fc.subarray([...models], { minLength: 1 });
    const someTexts = fc.subarray(texts, { minLength: 1 });
    // A model answers a text with one label, however often it is asked.
    const labelOf = (model: string, text: string): string => `${model}:${text}`;
    const operation = fc.oneof(
      { weight: 4, arbitrary: fc.record({ what: fc.constant('add'), models: someModels, texts: someTexts }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant('forget'), models: someModels, texts: someTexts }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('compact'), models: someModels, texts: someTexts }) },
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 7 }), async (operations) => {
        runs += 1;
        home = join(root, `map-${runs}`);
        store = openPredictionStore(home, database, alone);
        const map = new Map<string, string>();
        for (const { what, models: asked, texts: of } of operations) {
          if (what === 'add') {
            await add(asked, Object.fromEntries(of.map((text) => [text, asked.map((model) => labelOf(model, text))])));
            for (const model of asked) for (const text of of) map.set(`${model} ${text}`, labelOf(model, text));
          } else if (what === 'forget') {
            await forget(of, asked);
            for (const model of asked) for (const text of of) map.delete(`${model} ${text}`);
          } else await store.compact(PACKAGE);
        }
        expect(await answers(texts, models)).toEqual(
          Object.fromEntries(texts.map((text) => [text, models.map((model) => map.get(`${model} ${text}`) ?? null)])),
        );
        expect(await missing(texts, models)).toEqual(
          Object.fromEntries(
            texts.flatMap((text) => {
              const lacking = models.filter((model) => !map.has(`${model} ${text}`)).sort();
              return lacking.length === 0 ? [] : [[text, lacking]];
            }),
          ),
        );
      }),
      { numRuns: 10 },
    );
  });
});
