/**
 * How much of the released text of the corpora's PDF and Word documents extraction finds, and how much it adds: recall and
 * precision of the words that both have in the same order (their longest common subsequence).
 *
 *   node dist/test/bench/extraction.js [part of a document's path] [--differences] [--half look|held]
 *
 * Rules are made by looking at one half of the documents and measured on the other; a hash of the name parts them.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { LIMITS, openExtractor } from '../../pipeline/1-ingest/extract.js';
import { listInput } from '../../pipeline/1-ingest/sources/index.js';
import { packagePath } from '../../src/package-root.js';
import { findShared, toWords } from '../support/words.js';

const corpus = packagePath('..', 'shared', 'corpora', 'WorldCentralBanks');
const released = packagePath('..', 'shared', 'eval', 'extraction');

type Half = 'look' | 'held';

const halfOf = (path: string): Half =>
  (createHash('sha256').update(basename(path)).digest()[0] ?? 0) % 2 === 0 ? 'look' : 'held';

interface Score {
  readonly path: string;
  readonly bank: string;
  readonly recall: number;
  readonly precision: number;
}

const main = async (wanted: string, half: string | undefined, showDifferences: boolean): Promise<void> => {
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
    if (!path.includes(wanted) || (half !== undefined && halfOf(path) !== half)) continue;
    const name = basename(path).replace(/\.\w+$/, '.txt');
    const text = await readFile(`${released}/${dimensions.bank_name}/${name}`, 'utf8');
    if (text === '') continue;
    const theirs = toWords(text);
    const ours = toWords((await extractor.extract(file, path)).text);
    const { shared, missing, added } = findShared(theirs, ours);
    scores.push({
      path,
      bank: String(dimensions.bank_name),
      recall: shared / Math.max(1, theirs.length),
      precision: shared / Math.max(1, ours.length),
    });
    if (showDifferences)
      process.stdout.write(
        `${path}\n  missing: ${missing.join('\n           ')}\n  added:   ${added.join('\n           ')}\n`,
      );
  }
  await extractor.close();

  for (const { path, recall, precision } of scores)
    process.stdout.write(`${recall.toFixed(4)} ${precision.toFixed(4)} ${path}\n`);
  for (const bank of [...new Set(scores.map((score) => score.bank))].sort())
    print(
      bank,
      scores.filter((score) => score.bank === bank),
    );
  for (const each of ['look', 'held'] as const)
    print(
      `half ${each}`,
      scores.filter(({ path }) => halfOf(path) === each),
    );
  print('all', scores);
  process.stdout.write(`${scores.length} documents, ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
};

/** Medians, and means of the worst tenth. */
const print = (name: string, scores: readonly Score[]): void => {
  if (scores.length === 0) return;
  const figures = (['recall', 'precision'] as const).map((figure) => {
    const sorted = scores.map((score) => score[figure]).sort((a, b) => a - b);
    const tenth = sorted.slice(0, Math.max(1, Math.round(sorted.length / 10)));
    const worst = tenth.reduce((sum, value) => sum + value, 0) / tenth.length;
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `${figure} ${median.toFixed(4)} (worst tenth ${worst.toFixed(4)})`;
  });
  process.stdout.write(`${name.padEnd(34)}${String(scores.length).padStart(4)}  ${figures.join('  ')}\n`);
};

const words = process.argv.slice(2);
const half = words.includes('--half') ? words.splice(words.indexOf('--half'), 2)[1] : undefined;
const [first] = words.filter((word) => !word.startsWith('--'));
await main(first ?? '', half, words.includes('--differences'));
