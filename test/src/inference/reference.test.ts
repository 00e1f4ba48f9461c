import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashFile } from '../../../src/files.js';
import type { Engine } from '../../../src/inference/engine.js';
import { probabilitiesOf } from '../../../src/inference/scores.js';
import { packagePath } from '../../../src/package-root.js';
import { FAMILIES, hasCorpora, openReference, PACKAGES, readHard, readSlices, readTexts } from './reference.js';

const TOLERANCE = 1e-4;

const hashIds = (ids: Int32Array): string => createHash('sha256').update(ids.join(',')).digest('hex').slice(0, 16);

/** The greatest distance of any probability from what Python said. */
const worstDistance = async (
  engine: Engine,
  texts: readonly string[],
  outputs: readonly string[],
  expected: readonly (readonly (readonly number[])[])[],
): Promise<number> => {
  let worst = 0;
  let seen = 0;
  await engine.classify({
    texts,
    outputs,
    onLogits: (output, places, values, classes) => {
      places.forEach((place, row) => {
        const wanted = expected[place]?.[outputs.indexOf(output)] ?? [];
        expect(wanted).toHaveLength(classes);
        probabilitiesOf(values, row * classes, classes).forEach((probability, column) => {
          worst = Math.max(worst, Math.abs(probability - (wanted[column] ?? Number.NaN)));
          seen += 1;
        });
      });
    },
  });
  expect(seen).toBe(expected.flat(2).length);
  return worst;
};

describe.each(FAMILIES)('%s', (family) => {
  const folder = join(PACKAGES, family);

  test('hard sentences have the token ids and probabilities of the Python libraries', async () => {
    const engine = await openReference(folder);
    const rows = readHard(family);
    for (const { text, ids } of rows) expect([...engine.tokenize(text).ids], JSON.stringify(text)).toEqual(ids);
    const probabilities = rows.map((row) => row.probabilities);
    expect(
      await worstDistance(
        engine,
        rows.map(({ text }) => text),
        ['logits'],
        probabilities,
      ),
    ).toBeLessThan(TOLERANCE);
    await engine.close();
  });
});

describe.skipIf(!hasCorpora)('slices of the public corpora (skipped where ../shared/corpora is not there)', () => {
  for (const name of [...FAMILIES, 'central-bank', 'earnings-call']) {
    const fixture = readSlices(name);
    const folder = packagePath(...fixture.package.split('/'));

    test(`${fixture.rows.length} have the token ids and probabilities of the Python libraries with ${name}`, async () => {
      const again = `${fixture.package} was trained again: run models/training/reference/make_reference.py`;
      expect(await hashFile(join(folder, 'model.onnx')), again).toBe(fixture.model_sha256);
      const engine = await openReference(folder);
      const texts = readTexts(fixture);
      const wrong = texts.filter((text, at) => {
        const { ids } = engine.tokenize(text);
        const [, , , hash, count] = fixture.rows[at] ?? [];
        return ids.length !== count || hashIds(ids) !== hash;
      });
      expect(wrong).toEqual([]);
      const probabilities = fixture.rows.map((row) => row[5]);
      expect(await worstDistance(engine, texts, fixture.outputs, probabilities)).toBeLessThan(TOLERANCE);
      await engine.close();
    });
  }
});
