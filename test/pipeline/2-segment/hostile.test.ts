import { describe, expect, it } from 'vitest';
import { segmentAndMark } from '../../../pipeline/2-segment/mark.js';
import { segment } from '../../../pipeline/2-segment/segment.js';

const MILLION = 1_000_000;

/** Up to 5 MB each; a scan that looks back or ahead without bound would take hours. */
const HOSTILE: Readonly<Record<string, () => string>> = {
  'stops between letters': () => 'a.'.repeat(2.5 * MILLION),
  'no white space': () => 'a'.repeat(5 * MILLION),
  'line breaks': () => '\n'.repeat(MILLION),
  'letters on lines of their own': () => 'a\n'.repeat(MILLION / 4),
  'open brackets': () => '('.repeat(MILLION),
  'open brackets and stops': () => '([. '.repeat(MILLION / 2),
  'open quotes': () => '“'.repeat(MILLION),
  'closing brackets': () => '. )'.repeat(MILLION),
  'stops alone': () => '.'.repeat(5 * MILLION),
  'stops and spaces': () => '. '.repeat(2.5 * MILLION),
  'spaces in one line': () => `a${' '.repeat(5 * MILLION)}b`,
  'rule lines': () => '-----\n'.repeat(MILLION / 2),
  'spaces and rules': () => `a\n${' '.repeat(MILLION)}-${' '.repeat(MILLION)}x\nb`,
  'one long line of words': () => 'the rate of growth '.repeat(MILLION / 4),
  'one long line of capitals': () => 'RATE '.repeat(MILLION),
  'bullets in one line': () => '• Item '.repeat(MILLION / 2),
  bars: () => '|'.repeat(MILLION),
  'rows without an end': () => '|\n'.repeat(MILLION / 4),
  'speakers without speech': () => 'Ida Holm -- Analyst\n'.repeat(MILLION / 20),
  'names and colons': () => 'Ida Holm: '.repeat(MILLION / 4),
  'colons on lines': () => 'Ida Holm: Yes\n'.repeat(MILLION / 20),
  'introductions on lines': () => 'over to Ida Holm\nIda Holm\nYes\n'.repeat(MILLION / 50),
  'introductions in one line': () => 'from Ida '.repeat(MILLION / 4),
  operators: () => 'Operator\n'.repeat(MILLION / 10),
  'dashes in one line': () => 'a -- '.repeat(MILLION),
  emphasis: () => '*'.repeat(MILLION),
  'hashes and spaces': () => '# '.repeat(MILLION),
  'dotted leaders': () => `Contents ${'. '.repeat(MILLION)}4`,
  'digits and stops': () => '1.'.repeat(MILLION),
  initials: () => 'A. '.repeat(MILLION / 2),
  'footnote marks': () => 'word.[1]'.repeat(MILLION / 4),
  'lone surrogates': () => '\ud83d'.repeat(MILLION),
  'pages of one line': () => 'Minutes of the board\n\f'.repeat(MILLION / 20),
  'numbered pages that are all alike': () =>
    Array.from({ length: MILLION / 200 }, (_, page) => `${'Minutes of the board\n'.repeat(12)}${page}\n`).join(''),
  'a sentence over pages without end': () =>
    Array.from(
      { length: MILLION / 200 },
      (_, page) => `${'the rate of growth\n'.repeat(12)}Page ${page}\nBoard\n`,
    ).join(''),
  'footers without end': () => 'REFINITIV STREETEVENTS | a | © registered trademarks of '.repeat(MILLION / 50),
  'zero-width spaces': () => '\u200b'.repeat(MILLION),
};

describe('segment', () => {
  for (const [name, make] of Object.entries(HOSTILE))
    it(`ends on a text of ${name}`, () => {
      const text = make();
      const sentences = segment(text, { kind: 'detect' });
      expect(sentences.every(({ start, end }) => end - start <= 2000)).toBe(true);
    });
});

/** Each took half a minute or more where every part of the text was read again for every other. */
const QUADRATIC: Readonly<Record<string, () => string>> = {
  'one long word': () => `il est ${'aé'.repeat(MILLION / 10)}`,
  'brackets behind quotes': () => '"'.repeat(MILLION / 10) + '()'.repeat(MILLION / 20),
  'beginnings of an advertisement': () => '10 stocks we like better than Northwind\n\n'.repeat(MILLION / 20),
};

describe('segmentAndMark', () => {
  for (const [name, make] of Object.entries(QUADRATIC))
    it(`takes no more than its share of time on a text of ${name}`, async () => {
      const marked = await segmentAndMark(make(), { kind: 'document' });
      expect(marked.every(({ sentence: { start, end } }) => end - start <= 2000)).toBe(true);
    }, 10_000);
});
