import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentAndMark } from '../../../pipeline/2-segment/mark.js';
import { segment } from '../../../pipeline/2-segment/segment.js';
import type { Sentence } from '../../../pipeline/2-segment/sentence.js';

const WHITE = /[\s\u0085\u200b\u2060\ufeff]+/gu;
const KINDS = ['document', 'transcript', 'detect'] as const;

const bare = (text: string): string => text.replace(WHITE, '');

/** Per character: whether it belongs to a line of nothing but rule characters. */
const rulesOf = (text: string): Uint8Array => {
  const rules = new Uint8Array(text.length);
  for (const { 0: line, index } of text.matchAll(/[^\n\v\f\r\u0085\u2028\u2029]+/gu)) {
    const trimmed = line.replace(/^[\s\u200b\u2060\ufeff]+|[\s\u200b\u2060\ufeff]+$/gu, '');
    if (/^[-_.*=|:~ \t\u00a0─━═—–]{3,}$/u.test(trimmed)) rules.fill(1, index, index + line.length);
  }
  return rules;
};

/** What a span holds, white space and rule lines aside. */
const held = (text: string, rules: Uint8Array, start: number, end: number): string =>
  bare(
    text
      .slice(start, end)
      .split('')
      .map((unit, index) => (rules[start + index] === 1 ? ' ' : unit))
      .join(''),
  );

const PIECES = [
  'Prices rose',
  'in the U.S.',
  'The',
  'committee',
  'Mr.',
  'J.',
  'Inc.',
  'p.m.',
  'No.',
  '12.',
  '(a)',
  '•',
  '-',
  '--',
  '“',
  '”',
  '"',
  '(',
  ')',
  '[',
  ']',
  '...',
  '. . .',
  '?',
  '!',
  '.',
  ';',
  ':',
  ',',
  '\n',
  '\n\n',
  '\r\n',
  '\f',
  '\t',
  ' ',
  ' ',
  ' ',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\ufeff',
  '-----',
  '|a|b|',
  '# Heading',
  '**bold**',
  'Operator',
  'Ida Holm -- Analyst',
  'Ida Holm:',
  '2021.',
  '5',
  'www.example.org',
  'short-',
  'term',
  '2.5%',
  '[Operator Instructions]',
  '日本。',
  '😀',
  '\ud800',
  'word',
];

const texts = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const inOrder = (text: string, sentences: readonly Sentence[]): void => {
  let position = 0;
  for (const { start, end } of sentences) {
    expect(start).toBeGreaterThanOrEqual(position);
    expect(end).toBeGreaterThan(start);
    position = end;
  }
  expect(position).toBeLessThanOrEqual(text.length);
};

describe('segment', () => {
  it('covers every character once, in order, rule lines aside', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...KINDS), (text, kind) => {
        const sentences = segment(text, { kind });
        inOrder(text, sentences);
        const rules = rulesOf(text);
        const covered = sentences.map(({ start, end }) => held(text, rules, start, end)).join('');
        expect(covered).toBe(held(text, rules, 0, text.length));
      }),
      { numRuns: 2000 },
    );
  });

  /** What readers of PDF files leave of a hyphen at the end of a line is read as one, and where a word may be broken none. */
  const withHyphens = (text: string): string => text.replaceAll('\u0002', '-').replaceAll('\u00ad', '');

  it('gives each unit the text of its span, white space, rule lines and such hyphens aside', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...KINDS), (text, kind) => {
        const rules = rulesOf(text);
        for (const sentence of segment(text, { kind })) {
          expect(withHyphens(bare(sentence.text))).toBe(withHyphens(held(text, rules, sentence.start, sentence.end)));
          expect(sentence.text).not.toBe('');
          expect(sentence.text).toBe(sentence.text.trim());
          expect(sentence.text).not.toMatch(/\s\s|[\n\r\f\v\u2028\u2029]/u);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('says the same every time', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...KINDS), (text, kind) => {
        expect(segment(text, { kind })).toEqual(segment(text, { kind }));
      }),
      { numRuns: 300 },
    );
  });

  const words = fc.constantFrom(
    'prices',
    'growth',
    'the',
    'rate',
    'of',
    'members',
    'noted',
    'wages',
    'had',
    'risen',
    'weaker',
  );
  const sentence = fc
    .array(words, { minLength: 3, maxLength: 30 })
    .map((parts) => `${parts.join(' ').replace(/^./, (first) => first.toUpperCase())} again.`);
  const paragraph = fc
    .tuple(fc.array(sentence, { minLength: 1, maxLength: 5 }), fc.integer({ min: 40, max: 100 }))
    .map(([sentences, width]) => wrap(sentences.join(' '), width));
  const document = fc.array(paragraph, { minLength: 1, maxLength: 5 }).map((paragraphs) => paragraphs.join('\n\n'));

  it('cuts two documents joined by blank lines as it cuts each', () => {
    fc.assert(
      fc.property(document, document, (first, second) => {
        const apart = [first, second].flatMap((text) => segment(text, { kind: 'document' }).map((unit) => unit.text));
        const together = segment(`${first}\n\n\n\n\n\n${second}`, { kind: 'document' }).map((unit) => unit.text);
        expect(together).toEqual(apart);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts wrapped paragraphs into the sentences they were made of, whatever the width', () => {
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 40, max: 100 }),
        (sentences, width) => {
          const found = segment(wrap(sentences.join(' '), width), { kind: 'document' }).map((unit) => unit.text);
          expect(found).toEqual(sentences);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('cuts text on pages into the sentences it was made of, whatever is printed around it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sentence, { minLength: 30, maxLength: 60 }),
        fc.integer({ min: 40, max: 100 }),
        fc.integer({ min: 10, max: 25 }),
        fc.constantFrom(...PAGE_ENDS),
        async (sentences, width, height, pageEnd) => {
          const lines = wrap(sentences.join(' '), width).split('\n');
          const text = lines
            .map((line, at) => (at % height < height - 1 ? `${line}\n` : `${line}\n${pageEnd((at + 1) / height)}\n`))
            .join('');
          // What returns is taken for printed on every page.
          fc.pre(lines.length > height * 4 && new Set(lines).size === lines.length);
          const found = await segmentAndMark(text, { kind: 'document' });
          expect(found.filter(({ mark }) => mark === undefined).map((each) => each.sentence.text)).toEqual(sentences);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** What stands between the text of a page and that of the next, by the number of the page. */
const PAGE_ENDS: readonly ((page: number) => string)[] = [
  (page) => `${page}`,
  (page) => `\n\n                    Page ${page} of 99\n\n`,
  (page) => `Page | ${page}`,
  (page) => `Northwind Bank | ${page + 3}\n\nMinutes, 3 June 2031`,
  (page) => `Minutes of the Northern Board\n3 June 2031\n${page}\nFor release at two`,
  (page) => `- ${page} -\f${page % 2 === 0 ? 'Northern Bank' : 'Minutes of the Northern Board'}\n`,
  (page) =>
    `${page}\nThis record may be copied with\nthe consent of the board and its\nmembers.\nMINUTES OF JUNE 3, 2031 / 9:00AM`,
  (page) => `(C) Northern Bank\fMinutes of the Northern Board          June 3, 2031\n${page}\n`,
  () => '\n\n\fMinutes of the Northern Board          June 3, 2031\n\n',
];

const wrap = (text: string, width: number): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
};
