/**
 * How much of the released text of the corpora's PDF and Word documents extraction finds, and how much it adds: recall and
 * precision of the words that both have in the same order (their longest common subsequence), and F1, their harmonic mean.
 * Beside ours, what the libraries of npm give as they come (unpdf, mammoth), and poppler's pdftotext where it is installed.
 *
 *   node dist/test/bench/extraction.js [part of a document's path] [--documents] [--differences] [--worst] [--half look|held]
 *
 * `--worst` says of the twenty worst in recall and in precision which words only the release, or only ours, has.
 * Rules are made by looking at one half of the documents and measured on the other; a hash of the name parts them.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import { LIMITS, openExtractor } from '../../pipeline/1-ingest/extract.js';
import { listInput } from '../../pipeline/1-ingest/sources/index.js';
import { packagePath } from '../../src/package-root.js';
import { findRepeated, findShared, toWords } from '../support/words.js';
import { explainAdded, explainMissing, type Texts } from './extraction-losses.js';

const corpus = packagePath('..', 'shared', 'corpora', 'WorldCentralBanks');
const released = packagePath('..', 'shared', 'eval', 'extraction');

/** Their releases leave whole annexes and paragraphs out, so that precision says what those lack. */
const INCOMPLETE: readonly string[] = ['bank_of_mexico', 'central_bank_of_brazil'];

type Half = 'look' | 'held';

const halfOf = (path: string): Half =>
  (createHash('sha256').update(basename(path)).digest()[0] ?? 0) % 2 === 0 ? 'look' : 'held';

interface Score {
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
}

interface Scored {
  readonly path: string;
  readonly bank: string;
  /** By the name of what extracted it; without one that cannot read it, or is not there. */
  readonly scores: ReadonlyMap<string, Score>;
  /** Of ours, when words count once that the release has oftener than the file. */
  readonly recallOfSaidOnce: number;
  readonly texts: Texts;
}

const OURS = 'fintext';
const PDFTOTEXT = 'pdftotext';
const LIBRARIES: Readonly<Record<string, string>> = { '.pdf': 'unpdf', '.docx': 'mammoth' };

const main = async (wanted: string, half: string | undefined, shows: ReadonlySet<string>): Promise<void> => {
  if (!existsSync(corpus) || !existsSync(released)) {
    process.stderr.write('Skipped: the corpora and their released texts are not there (../shared).\n');
    return;
  }
  const extractor = openExtractor({ limits: LIMITS, processes: 1, signal: new AbortController().signal });
  const all: Scored[] = [];
  const began = performance.now();
  for await (const listed of listInput(corpus)) {
    if (listed.kind !== 'document' || !/\.(pdf|docx)$/.test(listed.document.path)) continue;
    const { path, file, dimensions } = listed.document;
    if (!path.includes(wanted) || (half !== undefined && halfOf(path) !== half)) continue;
    const name = basename(path).replace(/\.\w+$/, '.txt');
    const text = await readFile(`${released}/${dimensions.bank_name}/${name}`, 'utf8');
    if (text === '') continue;
    const theirs = toWords(text);
    const extracted = (await extractor.extract(file, path)).text;
    const ours = toWords(extracted);
    const { shared, missing, added } = findShared(theirs, ours);
    const raw = toWords(await readRaw(file));
    const scores = new Map([[OURS, toScore(shared, theirs, ours)]]);
    scores.set(LIBRARIES[/\.\w+$/.exec(path)?.[0] ?? ''] ?? '', scoreOf(theirs, raw));
    const poppler = path.endsWith('.pdf') ? readWithPoppler(file) : undefined;
    if (poppler !== undefined) scores.set(PDFTOTEXT, scoreOf(theirs, toWords(poppler)));
    const saidOnce = theirs.length - findRepeated(theirs, raw).size;
    all.push({
      path,
      bank: String(dimensions.bank_name),
      scores,
      recallOfSaidOnce: Math.min(1, shared / Math.max(1, saidOnce)),
      texts: { released: theirs, text: extracted, raw },
    });
    if (shows.has('--differences'))
      print(`${path}\n  missing: ${missing.join('\n           ')}\n  added:   ${added.join('\n           ')}`);
  }
  await extractor.close();

  if (shows.has('--documents')) for (const { path, scores } of all) print(`${figuresOf(scores.get(OURS))} ${path}`);
  if (shows.has('--worst')) printWorst(all);
  printTable(all);
  printBeside(all);
  print(`${all.length} documents, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (spawnSync(PDFTOTEXT, ['-v']).error !== undefined) print(`${PDFTOTEXT} is not installed, so it is not measured.`);
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** All that the library of npm for a format gives. */
const readRaw = async (file: string): Promise<string> => {
  const bytes = await readFile(file);
  if (!file.endsWith('.pdf')) return (await mammoth.extractRawText({ buffer: bytes })).value;
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    return (await extractText(document, { mergePages: true })).text;
  } finally {
    await document.loadingTask.destroy();
  }
};

const readWithPoppler = (file: string): string | undefined => {
  const { error, status, stdout } = spawnSync(PDFTOTEXT, ['-q', '-enc', 'UTF-8', file, '-'], {
    encoding: 'utf8',
    maxBuffer: LIMITS.maxTextCharacters * 4,
  });
  return error === undefined && status === 0 ? stdout : undefined;
};

const scoreOf = (theirs: readonly string[], found: readonly string[]): Score =>
  toScore(findShared(theirs, found).shared, theirs, found);

const toScore = (shared: number, theirs: readonly string[], found: readonly string[]): Score => ({
  recall: shared / Math.max(1, theirs.length),
  precision: shared / Math.max(1, found.length),
  f1: (2 * shared) / Math.max(1, theirs.length + found.length),
});

const figuresOf = (score: Score | undefined): string =>
  score === undefined ? '' : [score.recall, score.precision, score.f1].map((value) => value.toFixed(4)).join(' ');

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Mean of the worst tenth. */
const worst = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b).slice(0, Math.max(1, Math.round(values.length / 10)));
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
};

const summaryOf = (values: readonly number[]): string => `${median(values).toFixed(4)} (${worst(values).toFixed(4)})`;

const isComplete = ({ bank }: Scored): boolean => !INCOMPLETE.includes(bank);

const groupsOf = (all: readonly Scored[]): readonly (readonly [string, readonly Scored[]])[] => {
  const banks = [...new Set(all.map(({ bank }) => bank))].sort();
  const groups: (readonly [string, readonly Scored[]])[] = [
    ...banks.map((bank) => [bank, all.filter((scored) => scored.bank === bank)] as const),
    ['half look', all.filter(({ path }) => halfOf(path) === 'look')],
    ['half held', all.filter(({ path }) => halfOf(path) === 'held')],
    ['half held, without Brazil and Mexico', all.filter((each) => halfOf(each.path) === 'held' && isComplete(each))],
    ['without Brazil and Mexico', all.filter(isComplete)],
    ['all', all],
  ];
  return groups.filter(([, scored]) => scored.length > 0);
};

const WORST = 20;

const printWorst = (all: readonly Scored[]): void => {
  for (const [figure, explain, whose, scored] of [
    ['recall', explainMissing, 'the release', all],
    ['precision', explainAdded, 'ours', all],
    ['precision', explainAdded, 'ours', all.filter(isComplete)],
  ] as const) {
    const by = ({ scores }: Scored): number => scores.get(OURS)?.[figure] ?? 0;
    print(`\nThe worst in ${figure} of ${scored.length}: recall, precision, F1, words that only ${whose} has`);
    for (const each of [...scored].sort((a, b) => by(a) - by(b)).slice(0, WORST)) {
      const counts = Object.entries(explain(each.texts)).map(([name, count]) => `${name} ${count}`);
      print(`${figuresOf(each.scores.get(OURS))} ${basename(each.path)}: ${counts.join(', ')}`);
    }
  }
};

const NAME = 38;

const printTable = (all: readonly Scored[]): void => {
  print(`\nOurs: median (mean of the worst tenth)`);
  print(`${''.padEnd(NAME)}documents  recall           of words said once  precision        F1`);
  for (const [name, scored] of groupsOf(all)) {
    const ours = scored.flatMap(({ scores }) => scores.get(OURS) ?? []);
    const columns = [
      ours.map(({ recall }) => recall),
      scored.map(({ recallOfSaidOnce }) => recallOfSaidOnce),
      ours.map(({ precision }) => precision),
      ours.map(({ f1 }) => f1),
    ].map(summaryOf);
    print(
      `${name.padEnd(NAME)}${String(scored.length).padStart(9)}  ${columns.map((each, index) => each.padEnd(index === 1 ? 20 : 17)).join('')}`,
    );
  }
};

const printBeside = (all: readonly Scored[]): void => {
  print('\nBeside the others: recall, precision, F1; median (mean of the worst tenth)');
  for (const [name, scored] of groupsOf(all))
    for (const [extension, library] of Object.entries(LIBRARIES)) {
      const files = scored.filter(({ path }) => path.endsWith(extension));
      for (const who of [library, PDFTOTEXT, OURS]) {
        const scores = files.flatMap((each) => each.scores.get(who) ?? []);
        if (scores.length === 0) continue;
        const columns = (['recall', 'precision', 'f1'] as const).map((figure) =>
          summaryOf(scores.map((score) => score[figure])),
        );
        print(`${name.padEnd(NAME)}${String(scores.length).padStart(9)}  ${who.padEnd(11)}${columns.join('  ')}`);
      }
    }
};

const words = process.argv.slice(2);
const half = words.includes('--half') ? words.splice(words.indexOf('--half'), 2)[1] : undefined;
const [first] = words.filter((word) => !word.startsWith('--'));
await main(first ?? '', half, new Set(words.filter((word) => word.startsWith('--'))));
