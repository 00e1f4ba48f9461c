/** The sentence segmenters that npm has and ours, behind one signature: as they come, and behind a simple line unwrapper. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ParseEnglish } from 'parse-english';
import { sentences as sbdSentences } from 'sbd';
import { split } from 'sentence-splitter';
import { initSync, segment as sentencexSegment } from 'sentencex-wasm';
import { segment } from '../../pipeline/2-segment/segment.js';

/** The sentences of a text, in order. */
export type Segmenter = (text: string) => string[];

export const fintext: Segmenter = (text) =>
  segment(text, { kind: 'detect' }).map(({ start, end }) => text.slice(start, end));

const intl = new Intl.Segmenter('en', { granularity: 'sentence' });

const intlSentences: Segmenter = (text) => [...intl.segment(text)].map((part) => part.segment);

const sentencex = (): Segmenter => {
  const wasm = createRequire(import.meta.url)
    .resolve('sentencex-wasm')
    .replace(/[^/\\]+$/, 'sentencex_wasm_bg.wasm');
  initSync({ module: readFileSync(wasm) });
  return (text) => {
    const sentences: unknown = sentencexSegment('en', text);
    if (!Array.isArray(sentences)) throw new Error('sentencex-wasm gave no list of sentences.');
    return sentences.map(String);
  };
};

const parseEnglish = (): Segmenter => {
  const parser = new ParseEnglish();
  return (text) =>
    parser
      .parse(text)
      .children.flatMap((paragraph) => (paragraph.type === 'ParagraphNode' ? paragraph.children : []))
      .filter((node) => node.type === 'SentenceNode')
      .map(({ position }) => text.slice(position?.start.offset, position?.end.offset));
};

const sentenceSplitter: Segmenter = (text) =>
  split(text)
    .filter((node) => node.type === 'Sentence')
    .map((node) => node.raw);

const sbd: Segmenter = (text) => sbdSentences(text, { preserve_whitespace: true });

/** What a few lines of code do before a segmenter: the lines that run on become one, all others a text each. */
const unwrapped =
  (segmenter: Segmenter): Segmenter =>
  (text) =>
    unwrap(text).flatMap(segmenter);

const LONG_LINE = 50;

const unwrap = (text: string): string[] => {
  const paragraphs: string[] = [];
  let previous = '';
  let blank = false;
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '') blank = true;
    else {
      const runsOn = /^\p{Ll}/u.test(line) || (!blank && previous.length >= LONG_LINE);
      const last = paragraphs.at(-1);
      if (runsOn && last !== undefined) paragraphs[paragraphs.length - 1] = `${last} ${line}`;
      else paragraphs.push(line);
      previous = line;
      blank = false;
    }
  }
  return paragraphs;
};

const PUBLISHED: readonly (readonly [string, Segmenter])[] = [
  ['Intl.Segmenter', intlSentences],
  ['sentencex-wasm', sentencex()],
  ['parse-english', parseEnglish()],
  ['sentence-splitter', sentenceSplitter],
  ['sbd', sbd],
];

/** Ours first, then the published ones, each raw and unwrapped. */
export const SEGMENTERS: readonly (readonly [string, Segmenter])[] = [
  ['fintext', fintext],
  ...PUBLISHED,
  ...PUBLISHED.map(([name, segmenter]) => [`${name}, unwrapped`, unwrapped(segmenter)] as const),
];
