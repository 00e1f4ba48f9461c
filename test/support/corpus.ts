/**
 * A corpus of any size, the same for the same seed: documents of central banks made of the sample's sentences, with their
 * words and numbers changed for others of the sample, so that nearly every sentence is a text of its own.
 */
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CENTRAL_BANKS } from '../../data/catalog.js';
import { segment } from '../../pipeline/2-segment/segment.js';
import { packagePath } from '../../src/package-root.js';
import { type Random, seededRandom } from './random.js';

const SENTENCES_A_DOCUMENT = 200;
const SENTENCES_A_PARAGRAPH = 5;
const YEARS = { first: 1996, count: 30 } as const;
const COLUMNS = [
  'path',
  'dataset',
  'document_id',
  'bank_name',
  'year',
  'start_date',
  'end_date',
  'document_type',
  'title',
];

export interface Corpus {
  readonly folder: string;
  readonly documents: number;
  /** One document more: what a night brings. */
  readonly grow: () => Promise<void>;
}

/** Writes a manifest and its files; `sentences` is rounded to whole documents. A larger corpus begins with the smaller. */
export const writeCorpus = async (folder: string, sentences: number, seed: number): Promise<Corpus> => {
  const language = await learn();
  const documents = Math.max(1, Math.round(sentences / SENTENCES_A_DOCUMENT));
  const manifest = join(folder, 'manifest.csv');
  const add = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 1) {
      const { path, row, text } = documentOf(at, language, seed);
      await writeFile(join(folder, path), text);
      await appendFile(manifest, `${row}\n`);
    }
  };
  await mkdir(join(folder, 'files'), { recursive: true });
  await writeFile(manifest, `${COLUMNS.join(',')}\n`);
  await add(0, documents);
  let grown = documents;
  return {
    folder,
    documents,
    grow: async () => {
      await add(grown, grown + 1);
      grown += 1;
    },
  };
};

interface Language {
  readonly shapes: readonly (readonly string[])[];
  /** Words by how they end, which mostly keeps a verb a verb. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

const WORD = /^[a-z]{5,}$/;
const endOf = (word: string): string => word.slice(-2);

const learn = async (): Promise<Language> => {
  const files = packagePath('data', 'sample', 'wcb-manifest', 'files');
  const shapes: (readonly string[])[] = [];
  const words = new Map<string, Set<string>>();
  for (const name of (await readdir(files)).filter((file) => file.endsWith('.txt')).sort()) {
    for (const { text } of segment(await readFile(join(files, name), 'utf8'), { kind: 'document' })) {
      if (!/^[A-Z].*\.$/s.test(text)) continue;
      const tokens = text.match(/[A-Za-z]+|\d+|[^A-Za-z\d]+/g) ?? [];
      shapes.push(tokens);
      for (const word of tokens.filter((token) => WORD.test(token))) {
        words.set(endOf(word), (words.get(endOf(word)) ?? new Set()).add(word));
      }
    }
  }
  return { shapes, words: new Map([...words].map(([end, group]) => [end, [...group].sort()])) };
};

const documentOf = (
  at: number,
  language: Language,
  seed: number,
): { readonly path: string; readonly row: string; readonly text: string } => {
  const random = seededRandom(seed + at * 7919);
  const id = `grown_${String(at).padStart(6, '0')}`;
  const year = YEARS.first + (Math.floor(at / CENTRAL_BANKS.length) % YEARS.count);
  const day = `${year}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
  const bank = CENTRAL_BANKS[at % CENTRAL_BANKS.length] ?? '';
  const path = `files/${id}.txt`;
  const row = [path, 'wcb', id, bank, year, day, day, 'minutes', `Minutes ${at}`].join(',');
  const paragraphs = Array.from({ length: SENTENCES_A_DOCUMENT / SENTENCES_A_PARAGRAPH }, () =>
    Array.from({ length: SENTENCES_A_PARAGRAPH }, () => sentenceOf(language, random)).join(' '),
  );
  return { path, row, text: `${paragraphs.join('\n\n')}\n` };
};

const sentenceOf = ({ shapes, words }: Language, random: Random): string =>
  random
    .of(shapes)
    .map((token) => {
      if (/^\d+$/.test(token)) return numberLike(token, random);
      if (!WORD.test(token) || random.next() < 0.3) return token;
      return random.of(words.get(endOf(token)) ?? [token]);
    })
    .join('');

/** As many digits, and no other first one than a number can have; a year stays one. */
const numberLike = (digits: string, random: Random): string =>
  /^(19|20)\d\d$/.test(digits)
    ? digits
    : [...digits]
        .map((_digit, at) => (at === 0 && digits.length > 1 ? 1 + random.below(9) : random.below(10)))
        .join('');

const twoDigits = (n: number): string => String(n).padStart(2, '0');
