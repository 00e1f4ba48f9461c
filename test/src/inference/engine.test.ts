import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Engine, tryOut } from '../../../src/inference/engine.js';
import { FAMILIES, makeTexts, openReference, PACKAGES } from './reference.js';

/** The logits of each text, bit for bit. */
const logitsOf = async (engine: Engine, texts: readonly string[]): Promise<readonly string[]> => {
  const rows = new Array<string>(texts.length);
  await engine.classify({
    texts,
    outputs: ['logits'],
    onLogits: (_output, places, values, classes) => {
      places.forEach((place, row) => {
        rows[place] = Buffer.from(values.slice(row * classes, (row + 1) * classes).buffer).toString('hex');
      });
    },
  });
  return rows;
};

describe.each(FAMILIES)('%s', (family) => {
  const folder = join(PACKAGES, family);

  test('logits are the same bits alone, among others, shuffled, and in any size of run', async () => {
    const texts = makeTexts(300);
    const engine = await openReference(folder);
    const together = await logitsOf(engine, texts);

    for (const place of [0, 1, 17, 150, 299])
      expect(await logitsOf(engine, [texts[place] ?? ''])).toEqual([together[place]]);
    expect(await logitsOf(engine, texts.slice(100, 137))).toEqual(together.slice(100, 137));
    expect(await logitsOf(engine, texts.toReversed())).toEqual(together.toReversed());
    await engine.close();

    for (const [microBatch, threads] of [
      [1, 1],
      [5, 2],
      [128, 2],
    ] as const) {
      const other = await openReference(folder, microBatch, threads);
      expect(await logitsOf(other, texts)).toEqual(together);
      await other.close();
    }
  });

  test('an empty text is its special tokens, and has a label', async () => {
    const engine = await openReference(folder);
    expect(engine.tokenize('').ids).toHaveLength(2);
    const { outputs, truncated } = await engine.classify({ texts: [''], outputs: ['logits'] });
    expect(outputs[0]?.scores[0]).toBeGreaterThan(1 / 3 - 1e-6);
    expect(truncated[0]).toBe(0);
    await engine.close();
  });

  test('a text of more tokens than the model reads loses its end, keeps its special tokens and is marked', async () => {
    const engine = await openReference(folder);
    const [first, last] = [engine.tokenize('').ids[0], engine.tokenize('').ids[1]];
    const long = engine.tokenize('rate '.repeat(500));
    expect(long.truncated).toBe(true);
    expect(long.ids).toHaveLength(128);
    expect([long.ids[0], long.ids[127]]).toEqual([first, last]);
    const { truncated, outputs } = await engine.classify({
      texts: ['rate', 'rate '.repeat(500), 'rate '.repeat(900), 'x'.repeat(2_000_000)],
      outputs: ['logits'],
    });
    expect([...truncated]).toEqual([0, 1, 1, 1]);
    expect(outputs[0]?.scores[1]).toBe(outputs[0]?.scores[2]);
    await engine.close();
  });
});

test('a session is fed only the inputs that it asks for', async () => {
  const inputs = await Promise.all(
    FAMILIES.map(async (family) => {
      const engine = await openReference(join(PACKAGES, family));
      await engine.close();
      return [family, [...engine.inputs].sort()];
    }),
  );
  expect(Object.fromEntries(inputs)).toEqual({
    bert: ['attention_mask', 'input_ids', 'token_type_ids'],
    roberta: ['attention_mask', 'input_ids'],
    'deberta-v2': ['attention_mask', 'input_ids'],
  });
});

test('one pass answers all the outputs that are asked for', async () => {
  const engine = await openReference(join(PACKAGES, 'earnings-call'));
  const texts = makeTexts(40);
  const { outputs } = await engine.classify({ texts, outputs: ['ec_growth', 'ec_financial_sentiment'] });
  const alone = await engine.classify({ texts, outputs: ['ec_financial_sentiment'] });
  expect(outputs).toHaveLength(2);
  expect(outputs[1]).toEqual(alone.outputs[0]);
  expect(outputs[0]?.labels).not.toEqual(outputs[1]?.labels);
  await engine.close();
});

test('a logit that is no number names the output and the text', async () => {
  const engine = await openReference(join(PACKAGES, 'earnings-call'));
  const request = { texts: ['short', 'a much longer text than the other one is'], outputs: ['ec_material_impact'] };
  await expect(engine.classify(request)).rejects.toMatchObject({ output: 'ec_material_impact', text: 1 });
  await engine.close();
});

test('a cancelled request ends between runs', async () => {
  const engine = await openReference(join(PACKAGES, 'bert'), 8);
  let runs = 0;
  const request = {
    texts: makeTexts(200),
    outputs: ['logits'],
    isCancelled: () => runs >= 3,
    onLogits: () => {
      runs += 1;
    },
  };
  await expect(engine.classify(request)).rejects.toThrow('cancelled');
  expect(runs).toBe(3);
  await engine.close();
});

test('an engine is tried out on all of its outputs', async () => {
  const sound = await openReference(join(PACKAGES, 'bert'));
  await expect(tryOut(sound)).resolves.toBeUndefined();
  await sound.close();
  // One of its heads never gives a number.
  const broken = await openReference(join(PACKAGES, 'earnings-call'));
  expect(broken.outputs).toHaveLength(3);
  await expect(tryOut(broken)).rejects.toThrow('The output ec_material_impact is not finite');
  await broken.close();
});
