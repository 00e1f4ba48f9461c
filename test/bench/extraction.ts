/**
 * How much of the released text of the corpora's PDF and Word documents extraction finds, and how much it adds: recall and
 * precision of the words that both have in the same order (their longest common subsequence).
 *
 *   node dist/test/bench/extraction.js [part of a document's path] [--differences]
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { LIMITS, openExtractor } from '../../pipeline/1-ingest/extract.js';
import { listInput } from '../../pipeline/1-ingest/sources/index.js';
import { packagePath } from '../../src/package-root.js';
import { findShared, toWords } from '../support/words.js';

const corpus = packagePath('..', 'shared', 'corpora', 'WorldCentralBanks');
const released = packagePath('..', 'shared', 'eval', 'extraction');

interface Score {
  readonly path: string;
  readonly recall: number;
  readonly precision: number;
}

const main = async (wanted: string, showDifferences: boolean): Promise<void> => {
  if (!existsSync(corpus) || !existsSync(released)) {
    process.stderr.write('Skipped: the corpora and their released texts are not there (../shared).\n');
    return;
  }
  const extractor = openExtractor({ limits: LIMITS, processes: 1, signal: new AbortController().signal });
  const scores: Score[] = [];
  const began = performance.now();
  for await (const listed of listInput(corpus)) {
    if (listed.kind !== 'document' || !/\.(pdf|docx)$/.test(listed.document.path)) continue;
    const { path, file, dimensions } = listed.document;
    if (!path.includes(wanted)) continue;
    const name = basename(path).replace(/\.\w+$/, '.txt');
    const text = await readFile(`${released}/${dimensions.bank_name}/${name}`, 'utf8');
    if (text === '') continue;
    const theirs = toWords(text);
    const ours = toWords((await extractor.extract(file, path)).text);
    const { shared, missing, added } = findShared(theirs, ours);
    scores.push({ path, recall: shared / Math.max(1, theirs.length), precision: shared / Math.max(1, ours.length) });
    if (showDifferences)
      process.stdout.write(
        `${path}\n  missing: ${missing.join('\n           ')}\n  added:   ${added.join('\n           ')}\n`,
      );
  }
  await extractor.close();

  for (const { path, recall, precision } of scores)
    process.stdout.write(`${recall.toFixed(4)} ${precision.toFixed(4)} ${path}\n`);
  for (const figure of ['recall', 'precision'] as const) {
    const sorted = scores.map((score) => score[figure]).sort((a, b) => a - b);
    const tenth = sorted.slice(0, Math.max(1, Math.round(sorted.length / 10)));
    const worst = tenth.reduce((sum, value) => sum + value, 0) / Math.max(1, tenth.length);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    process.stdout.write(`${figure}: median ${median.toFixed(4)}, mean of the worst tenth ${worst.toFixed(4)}\n`);
  }
  process.stdout.write(`${scores.length} documents, ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
};

const [first] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
await main(first ?? '', process.argv.includes('--differences'));
