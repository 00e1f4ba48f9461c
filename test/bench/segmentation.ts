/**
 * Scores segmentation on ../shared/eval/segmentation beside Intl.Segmenter, by the rules of the README there, and measures
 * speed and overlong units on ../shared/corpora. `node dist/test/bench/segmentation.js [--errors] [--corpora]`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { segment } from '../../pipeline/2-segment/segment.js';
import { packagePath } from '../../src/package-root.js';
import { loadPassages, type Passage, type Score, scoreBoundaries, wrongPassages } from '../pipeline/2-segment/score.js';

type Segmenter = (text: string) => string[];

const ours: Segmenter = (text) => segment(text, { kind: 'detect' }).map(({ start, end }) => text.slice(start, end));

const intl = new Intl.Segmenter('en', { granularity: 'sentence' });
const intlSentences: Segmenter = (text) => [...intl.segment(text)].map((part) => part.segment);

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
    const score = scoreBoundaries(group, ours);
    if (field === 'track' || score.exact < 1) printScore(`    ${key}`, score);
  }
};

const printErrors = (passages: readonly Passage[]): void => {
  for (const { passage, sentences } of wrongPassages(passages, ours)) {
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

const shared = packagePath('..', 'shared');
const flags = new Set(process.argv.slice(2));

for (const set of ['dev', 'golden48', 'golden_extra4']) {
  const path = join(shared, 'eval', 'segmentation', `${set}.jsonl`);
  if (!existsSync(path)) {
    print(`${path} is not there: nothing to score`);
    continue;
  }
  const passages = loadPassages(path);
  print(`\n${set.padEnd(36)}     P     R    F1 exact   passages`);
  printScore('  fintext', scoreBoundaries(passages, ours));
  printScore('  Intl.Segmenter', scoreBoundaries(passages, intlSentences));
  if (set === 'dev') {
    printBy(passages, 'track');
    printBy(passages, 'cat');
  }
  if (flags.has('--errors')) printErrors(passages);
}

for (const corpus of ['fin-num-claim', 'WorldCentralBanks']) {
  const folder = join(shared, 'corpora', corpus);
  if (existsSync(folder)) {
    print(`\n${corpus}`);
    printCorpora(folder);
  }
}
