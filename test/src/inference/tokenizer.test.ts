import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTokenizer } from '../../../src/inference/tokenizer.js';
import { packagePath } from '../../../src/package-root.js';
import { FAMILIES, PACKAGES } from './reference.js';

const MARKS = ['\u0334', '\u0301', '\u0345', '\u0323'];

const folders = [...FAMILIES.map((family) => join(PACKAGES, family)), packagePath('models', 'central-bank')];

test.each(folders)('a text of nothing but combining marks takes no longer than one of words: %s', async (folder) => {
  const tokenizer = await openTokenizer(folder, 64);
  const began = performance.now();
  tokenizer.encode(`a${MARKS.join('').repeat(25_000)}`);
  // Sorting that many marks takes ten seconds and more.
  expect(performance.now() - began).toBeLessThan(3000);
});

test('of combining marks in a row the first thirty count', async () => {
  const run = (length: number): string => Array.from({ length }, (_, at) => MARKS[at % MARKS.length]).join('');
  for (const folder of folders) {
    const tokenizer = await openTokenizer(folder, 512);
    for (const length of [1, 29, 30, 31, 60, 300])
      expect(tokenizer.encode(`rate${run(length)} held`)).toEqual(
        tokenizer.encode(`rate${run(Math.min(30, length))} held`),
      );
  }
});

test('a text that is too long is never cut in the middle of a pair of code units', async () => {
  const tokenizer = await openTokenizer(join(PACKAGES, 'roberta'), 200_000);
  const [odd, even] = [`a${'😀'.repeat(50_000)}`, `a${'😀'.repeat(49_999)}`].map((text) => tokenizer.encode(text));
  expect(odd?.truncated).toBe(true);
  expect(odd?.ids).toEqual(even?.ids);
});
