/**
 * Scores segmentation beside the segmenters that npm has: on ../shared/eval/segmentation by the rules of the README there, and on
 * passages of ../shared/corpora that a language model cut by the same rules (all of them read since the first score); measures speed and overlong units on ../shared/corpora.
 * `node dist/test/bench/segmentation.js [--errors]`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { segment } from '../../pipeline/2-segment/segment.js';
import { packagePath } from '../../src/package-root.js';
import { CORPORA, loadBoundaryPassages } from '../pipeline/2-segment/boundaries.js';
import { loadPassages, type Passage, type Score, scoreBoundaries, wrongPassages } from '../pipeline/2-segment/score.js';
import { fintext, SEGMENTERS, type Segmenter } from './segmenters.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const percent = (share: number): string => (share * 100).toFixed(1).padStart(6);

const printScore = (name: string, score: Score): void =>
  print(
    `${name.padEnd(36)}${percent(score.precision)}${percent(score.recall)}${percent(score.f1)}${percent(score.exact)}   ${score.passages}`,
  );

const printBy = (passages: readonly Passage[], field: 'cat' | 'track'): void => {
  const groups = new Map<string, Passage[]>();
  for (const passage of passages) {
    const key = passage[field] ?? '-';
    groups.set(key, [...(groups.get(key) ?? []), passage]);
  }
  for (const [key, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const score = scoreBoundaries(group, fintext);
    if (field === 'track' || score.exact < 1) printScore(`    ${key}`, score);
  }
};

const printErrors = (passages: readonly Passage[]): void => {
  for (const { passage, sentences } of wrongPassages(passages, fintext)) {
    print(`\n##### ${passage.id} ${passage.cat ?? ''} ${passage.source ?? ''}`);
    const wanted = new Set(passage.sentences);
    const found = new Set(sentences.map((sentence) => sentence.trim()));
    for (const sentence of passage.sentences)
      if (!found.has(sentence.trim())) print(`  wanted ${JSON.stringify(sentence)}`);
    for (const sentence of sentences) if (!wanted.has(sentence.trim())) print(`  found  ${JSON.stringify(sentence)}`);
  }
};

const readCorpora = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.txt'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

const OVERLONG = 1000;

const printCorpora = (folder: string): void => {
  const texts = readCorpora(folder);
  let characters = 0;
  let overlong = 0;
  let units = 0;
  let longest = 0;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // Time of the processor, not of the clock: a busy machine measures the same.
  const begun = process.cpuUsage();
  for (const text of texts) {
    for (const sentence of segment(text, { kind: 'detect' })) {
      const length = sentence.end - sentence.start;
      units++;
      characters += length;
      longest = Math.max(longest, length);
      if (length > OVERLONG) overlong += length;
    }
  }
  const used = process.cpuUsage(begun);
  const seconds = (used.user + used.system) / 1e6;
  const megabytes = bytes / 1e6;
  print(
    `${texts.length} documents, ${megabytes.toFixed(1)} MB, ${units} units, ${(megabytes / seconds).toFixed(1)} MB a processor second, ` +
      `longest unit ${longest}, units over ${OVERLONG} characters hold ${((overlong / characters) * 100).toFixed(3)}% of the text`,
  );
};

/** Processor seconds of a segmenter: so many to be compiled in, then so many that are counted. */
const WARM_UP = 1;
const COUNTED = 2;

/** Megabytes a processor second on documents of both corpora, over and over. */
const speedOf = (segmenter: Segmenter, texts: readonly string[]): number => {
  if (texts.length === 0) return Number.NaN;
  bytesWithin(WARM_UP, segmenter, texts);
  const begun = process.cpuUsage();
  return bytesWithin(COUNTED, segmenter, texts) / 1e6 / secondsSince(begun);
};

const bytesWithin = (seconds: number, segmenter: Segmenter, texts: readonly string[]): number => {
  const begun = process.cpuUsage();
  let bytes = 0;
  for (let index = 0; secondsSince(begun) < seconds; index++) {
    const text = texts[index % texts.length] ?? '';
    segmenter(text);
    bytes += Buffer.byteLength(text);
  }
  return bytes;
};

const secondsSince = (begun: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};

const SAMPLED = 40;

/** Every so many documents of a corpus, banks and calls in turn. */
const sampleCorpora = (): string[] => {
  const samples = ['fin-num-claim', 'WorldCentralBanks']
    .map((corpus) => join(CORPORA, corpus))
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const texts = readCorpora(folder);
      return texts.filter((_, index) => index % Math.ceil(texts.length / SAMPLED) === 0);
    });
  return Array.from({ length: SAMPLED }, (_, index) => samples.flatMap((sample) => sample[index] ?? [])).flat();
};

const folder = packagePath('..', 'shared', 'eval', 'segmentation');

const sets: readonly (readonly [string, readonly Passage[]])[] = [
  ...['dev', 'golden48', 'golden_extra4'].map((name): readonly [string, Passage[]] => [
    name,
    existsSync(folder) ? loadPassages(join(folder, `${name}.jsonl`)) : [],
  ]),
  ['passages, 141', loadBoundaryPassages('seen')],
  ['passages, 77', loadBoundaryPassages('unseen')],
];

/** One table: a row for each segmenter, F1 and the share of passages without an error for each set, and speed. */
const printComparison = (): void => {
  const there = sets.filter(([, passages]) => passages.length > 0);
  const sample = sampleCorpora();
  print(`\n${''.padEnd(30)}${there.map(([name]) => name.padStart(17)).join('')}    MB/s`);
  print(`${''.padEnd(30)}${there.map(() => 'F1  exact'.padStart(17)).join('')}`);
  for (const [name, segmenter] of SEGMENTERS) {
    const scores = there.map(([, passages]) => scoreBoundaries(passages, segmenter));
    const cells = scores.map(({ f1, exact }) => `${percent(f1)} ${percent(exact)}`.padStart(17));
    print(`${name.padEnd(30)}${cells.join('')}${speedOf(segmenter, sample).toFixed(1).padStart(8)}`);
  }
};

const flags = new Set(process.argv.slice(2));

if (sets.every(([, passages]) => passages.length === 0)) print(`${folder} is not there: nothing to score`);
else printComparison();

for (const [name, passages] of sets) {
  if (passages.length === 0) continue;
  print(`\n${name.padEnd(36)}     P     R    F1 exact   passages`);
  printScore('  fintext', scoreBoundaries(passages, fintext));
  if (name === 'dev') printBy(passages, 'track');
  printBy(passages, 'cat');
  if (flags.has('--errors')) printErrors(passages);
}

for (const corpus of ['fin-num-claim', 'WorldCentralBanks']) {
  const texts = join(CORPORA, corpus);
  if (existsSync(texts)) {
    print(`\n${corpus}`);
    printCorpora(texts);
  }
}
