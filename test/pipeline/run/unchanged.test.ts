import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { manifestOf, openNights, textOf } from '../../support/nightly.js';

const nights = openNights();
const LONG = `${textOf(99)}\n`.repeat(20);
/** Bytes of plain text for a sentence, and distinct texts for each, as they are estimated; models of the dataset. */
const estimateOf = (text: string): { readonly sentences: number; readonly predictions: number } => {
  const sentences = Math.round(Buffer.byteLength(text) / 150);
  return { sentences, predictions: Math.round(sentences * 0.78) * 7 };
};

beforeAll(async () => {
  for (const at of [1, 2, 3]) nights.write(`corpus/${at}.txt`, textOf(at));
  nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt', '3.txt']));
  await nights.rebuild(['corpus']);
});

describe('a partition in which one document changed', () => {
  it('is estimated by that document alone: the sentences of the others are known, and answered', async () => {
    nights.write('corpus/2.txt', LONG);
    const [inspection] = await nights.inspect(['corpus']);
    const { sentences, predictions } = estimateOf(LONG);
    expect(inspection?.sentences).toEqual({ known: 4, estimated: sentences });
    expect(inspection?.predictions).toEqual({ known: 0, estimated: predictions });
    // All of its files are read again all the same.
    expect(inspection?.work.documents).toBe(3);
  });

  it('is so too where one was added', async () => {
    nights.write('corpus/2.txt', textOf(2));
    nights.write('corpus/4.txt', LONG);
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt', '3.txt', '4.txt']));
    const [inspection] = await nights.inspect(['corpus']);
    expect(inspection?.sentences).toEqual({ known: 6, estimated: estimateOf(LONG).sentences });
    const [full] = await nights.inspect(['corpus'], { redo: { what: 'everything' } });
    expect(full?.sentences.known).toBe(0);
  });

  it('is estimated as a whole where what reads the files is not what it was', async () => {
    const file = join(nights.outputs.unit('wcb', 'ingest', 'bank_of_mexico/2023'), 'unit.json');
    const marker = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...marker, ingredients: { ...marker.ingredients, libraries: 'older' } }));
    const [inspection] = await nights.inspect(['corpus']);
    const all = [textOf(1), textOf(2), textOf(3), LONG].join('');
    expect(inspection?.sentences).toEqual({ known: 0, estimated: estimateOf(all).sentences });
  });

  it('needs the answers that nobody has kept, of the unchanged documents too', async () => {
    await nights.rebuild(['corpus']);
    nights.write('corpus/4.txt', `${LONG}${textOf(5)}`);
    rmSync(nights.outputs.predictions, { recursive: true });
    const [inspection] = await nights.inspect(['corpus']);
    expect(inspection?.sentences.known).toBe(6);
    expect(inspection?.predictions.known).toBe(6 * 7);
  });
});
