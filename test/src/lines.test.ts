import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readJsonLines } from '../../src/json-lines.js';
import { readLines } from '../../src/lines.js';

const all = async <T>(values: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
};

test('a line ends with a line feed alone, and a byte order mark at the beginning is no part of the first', async () => {
  const bytes = Buffer.from('\ufeffRates rose.\r\n\u2028one\u2028two\n\n\ufefflast');
  // Pieces that cut characters in two.
  const input = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
  expect(await all(readLines(input))).toEqual(['Rates rose.', '\u2028one\u2028two', '', '\ufefflast']);
});

test('labelled texts may come with a byte order mark and hold what ends a line elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-lines-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'labels.jsonl');
  await writeFile(file, '\ufeff{"text":"a"}\r\n\r\n{"text":"b\u2028c"}\n');
  expect(await all(readJsonLines(file))).toEqual([
    { line: 1, record: { text: 'a' } },
    { line: 3, record: { text: 'b\u2028c' } },
  ]);
  await writeFile(file, '{"text":"a"}\ntext,label\n');
  await expect(all(readJsonLines(file))).rejects.toThrow(`${file}, line 2 is no JSON object`);
});
