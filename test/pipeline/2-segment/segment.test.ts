import { describe, expect, it } from 'vitest';
import { segment } from '../../../pipeline/2-segment/segment.js';
import { CASES } from './cases.js';

const unitsOf = (text: string): string[] =>
  segment(text, { kind: 'detect' }).map(({ start, end }) => text.slice(start, end));

const textsOf = (text: string): string[] => segment(text, { kind: 'document' }).map((sentence) => sentence.text);

describe('segment', () => {
  for (const [kind, cases] of Object.entries(CASES))
    for (const { units, text = units.join(' ') } of cases)
      it(`cuts ${kind}: ${text.slice(0, 60).replace(/\s+/g, ' ')}`, () => {
        expect(unitsOf(text)).toEqual(units);
      });

  it('gives offsets into the text as it was passed', () => {
    const text = '\ufeff  \r\nPrices rose.\r\n\r\nWages\u00a0fell.  ';
    for (const { start, end, text: read } of segment(text, { kind: 'document' }))
      expect(text.slice(start, end).replace(/\s+/g, ' ')).toBe(read);
  });

  it('gives no units for a text without characters', () => {
    expect(segment('', { kind: 'detect' })).toEqual([]);
    expect(segment(' \n\t\u200b\ufeff\f\n', { kind: 'detect' })).toEqual([]);
  });

  it('reads a wrapped sentence with single spaces', () => {
    expect(textsOf('Prices had\n\nrisen   in\tmost regions.')).toEqual(['Prices had risen in most regions.']);
  });

  it('makes a word whole that was broken at a line end', () => {
    expect(textsOf('It was a short-\nterm rise in prices.')).toEqual(['It was a short-term rise in prices.']);
  });

  it('reads what readers of PDF files leave of hyphens at line ends as a hyphen, and none where a word may be broken', () => {
    expect(textsOf('Our non\u0002GAAP margin, al\u00adthough lower, rose year\u0002over-year.')).toEqual([
      'Our non-GAAP margin, although lower, rose year-over-year.',
    ]);
  });

  it('leaves a rule line out of the sentence that goes on across it', () => {
    expect(textsOf('Growth had been weaker than the\n-----\nforecast of the staff.')).toEqual([
      'Growth had been weaker than the forecast of the staff.',
    ]);
  });

  it('leaves the number of a page out of the sentence that goes on over the page, and keeps it elsewhere', () => {
    const line = 'Growth had been weaker than the staff had forecast for the first half of the year.';
    const page = (number: number): string =>
      `${`${line}\n`.repeat(10)}Members saw weaker growth in the regions of the north and in\n${number}\nthe south of the country.\n`;
    const numbers = [4, 5, 6];
    const across = 'Members saw weaker growth in the regions of the north and in the south of the country.';
    expect(textsOf(numbers.map(page).join('')).filter((unit) => unit !== line)).toEqual([across, across, across]);
    // Numbers that do not count on are figures.
    const figures = textsOf([7, 5, 6].map(page).join(''));
    expect(figures.filter((unit) => unit !== line)).not.toContain(across);
    const alone = textsOf(numbers.map((number) => `${`${line}\n`.repeat(10)}${number}\n`).join(''));
    expect(alone.filter((unit) => unit !== line)).toEqual(['4', '5', '6']);
  });

  it('breaks lines at form feeds and Unicode separators too', () => {
    expect(textsOf('# Prices\u2028# Wages\f# Trade')).toEqual(['# Prices', '# Wages', '# Trade']);
  });

  it('keeps a running header out of the sentences around it', () => {
    const page = (sentence: string): string => `${sentence}\nMinutes of the northern board\n`;
    const pages = ['Prices rose.', 'Wages fell.', 'Members saw weaker growth in'].map(page);
    const text = [...pages, 'the south of the country.'].join('');
    expect(textsOf(text).filter((unit) => unit === 'Minutes of the northern board')).toHaveLength(3);
  });

  it('cuts a text without any stop into units of at most 2,000 characters', () => {
    const clauses = Array.from({ length: 400 }, (_, index) => `item ${index} of the list`).join('; ');
    const units = segment(clauses, { kind: 'document' });
    expect(Math.max(...units.map(({ start, end }) => end - start))).toBeLessThanOrEqual(2000);
    expect(units.slice(0, -1).every(({ text }) => text.endsWith(';'))).toBe(true);
  });
});
