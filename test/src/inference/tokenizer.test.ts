import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTokenizer, type TextTokenizer } from '../../../src/inference/tokenizer.js';
import { packagePath } from '../../../src/package-root.js';
import { FAMILIES, PACKAGES, readKinds } from './reference.js';

const MARKS = ['\u0334', '\u0301', '\u0345', '\u0323'];

const folders = [...FAMILIES.map((family) => join(PACKAGES, family)), packagePath('models', 'central-bank')];

test.each(folders)('a text of nothing but combining marks takes no longer than one of words: %s', async (folder) => {
  const tokenizer = await openTokenizer(folder, 64);
  const began = performance.now();
  tokenizer.encode(`a${MARKS.join('').repeat(25_000)}`);
  // Sorting that many marks takes ten seconds and more.
  expect(performance.now() - began).toBeLessThan(3000);
});

test('a long text in another script takes no longer than one of words', async () => {
  const tokenizer = await openTokenizer(join(PACKAGES, 'deberta-v2'), 64);
  const began = performance.now();
  tokenizer.encode('日'.repeat(100_000));
  // Looking for graphemes in all of it at once takes ten seconds and more.
  expect(performance.now() - began).toBeLessThan(2000);
});

test('a letter and its accent stay together wherever a long text is divided', async () => {
  const tokenizer = await openTokenizer(join(PACKAGES, 'deberta-v2'), 4096);
  for (const before of ['', '日']) {
    const ids = (letter: string) => tokenizer.encode(before + letter.repeat(3000)).ids;
    expect(ids('e\u0301')).toEqual(ids('\u00e9'));
  }
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

const openWritten = async (tokenizer: Readonly<Record<string, unknown>>): Promise<TextTokenizer> => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-tokenizer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  return openTokenizer(folder, 64);
};

const { texts, rows: kinds } = readKinds();

test.each(kinds)('a tokenizer that splits a text into $name gives the ids of the Python library', async (kind) => {
  const tokenizer = await openWritten(kind.tokenizer);
  for (const [at, text] of texts.entries()) {
    expect([...tokenizer.encode(text).ids], JSON.stringify(text)).toEqual(kind.ids[at]);
  }
});

test('a tokenizer that would give other ids than the Python library is refused, with the part that is not known', async () => {
  const [kind] = kinds;
  if (kind === undefined) throw new Error('There is a kind.');
  const { tokenizer } = kind;
  const added = { id: 4, content: 'rate', normalized: true, special: false };
  const template = (single: readonly unknown[]) => ({
    post_processor: { type: 'TemplateProcessing', single, pair: [], special_tokens: {} },
  });
  for (const [change, reason] of [
    [{ added_tokens: [{ ...added, single_word: true }] }, 'its added token rate counts as a whole word only'],
    [{ pre_tokenizer: { type: 'UnicodeScripts' } }, 'its pre-tokenizer UnicodeScripts is not known'],
    [
      { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Split' }] } },
      'its pre-tokenizer Split is not known',
    ],
    [
      template([{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[CLS]', type_id: 2 } }]),
      'it puts special tokens in a segment of their own',
    ],
  ] as const) {
    await expect(openWritten({ ...tokenizer, ...change })).rejects.toThrow(reason);
  }
});
