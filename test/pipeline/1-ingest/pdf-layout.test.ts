import { describe, expect, it } from 'vitest';
import { toLines } from '../../../pipeline/1-ingest/pdf-layout/columns.js';
import { readDocumentText } from '../../../pipeline/1-ingest/pdf-layout/document.js';
import { dropFalseSpaces, type Glyph } from '../../../pipeline/1-ingest/pdf-layout/false-spaces.js';
import { repairGlyphNumbers } from '../../../pipeline/1-ingest/pdf-layout/glyph-numbers.js';
import type { Piece } from '../../../pipeline/1-ingest/pdf-layout/lines.js';

const piece = (text: string, x: number, y: number, width = text.length * 5, size = 10): Piece => ({
  text,
  x,
  y,
  width,
  font: 'f1',
  size,
  isAfterSpace: false,
});

const pageOf = (...pieces: readonly Piece[]) => toLines([{ pieces, width: 600 }]);

const linesOf = (...pieces: readonly Piece[]) => pageOf(...pieces).flatMap((lines) => lines.map(({ text }) => text));

describe('the strings of a page', () => {
  const glyphsOf = (text: string, gaps: Readonly<Record<number, number>>): readonly Glyph[] =>
    [...text].map((character, index) => ({ text: character, gap: gaps[index] ?? 0, shift: 0 }));

  it('lose spaces that nobody set where the gap is too narrow for one', () => {
    expect(dropFalseSpaces(['a ra te', '', 'of'], glyphsOf('a rateof', { 2: 0.12, 4: 0.12 }))).toEqual([
      'a rate',
      '',
      'of',
    ]);
  });

  it('keep them where the gap is wide, off the line, or where the glyphs read otherwise', () => {
    expect(dropFalseSpaces(['ra te'], glyphsOf('rate', { 2: 0.2 }))).toEqual(['ra te']);
    expect(dropFalseSpaces(['ra te'], [...glyphsOf('ra', {}), { text: 'te', gap: 0.12, shift: 1 }])).toEqual(['ra te']);
    expect(dropFalseSpaces(['ra te'], glyphsOf('rota', { 2: 0.12 }))).toEqual(['ra te']);
  });

  it('count a ligature as the characters that it stands for, and a mark that nobody sees as none', () => {
    const glyphs = [
      { text: 'e', gap: 0, shift: 0 },
      { text: '\u00ad', gap: 0, shift: 0 },
      { text: 'ffi', gap: 0.1, shift: 0 },
    ];
    expect(dropFalseSpaces(['e ffi'], glyphs)).toEqual(['effi']);
  });
});

describe('pieces on a page', () => {
  it('become lines from top to bottom whatever their order, with spaces where there are gaps', () => {
    expect(
      linesOf(piece('below', 10, 40), piece('ond', 50, 20), piece('first', 10, 20), piece('sec', 37, 20, 13)),
    ).toEqual(['first second', 'below']);
  });

  it('stay apart where a space was set that is too narrow to show, but not before what closes a sentence', () => {
    const after = { ...piece('prices', 41, 20), isAfterSpace: true };
    expect(linesOf(piece('firms’', 10, 20), after)).toEqual(['firms’ prices']);
    expect(linesOf(piece('prices', 10, 20), { ...piece('.', 41, 20), isAfterSpace: true })).toEqual(['prices.']);
  });

  it('lose the raised number of a footnote after a word or a year, and keep powers and fractions', () => {
    expect(linesOf(piece('growth', 10, 20), piece('3', 40, 16, 3, 6), piece('and', 46, 20))).toEqual(['growth and']);
    expect(linesOf(piece('in 2003-04', 10, 20), piece('3', 60, 16, 3, 6), piece('and', 66, 20))).toEqual([
      'in 2003-04 and',
    ]);
    expect(linesOf(piece('or 10', 10, 20), piece('3', 35, 16, 3, 6), piece('units', 41, 20))).toEqual(['or 103 units']);
    expect(
      linesOf(piece('at 8', 10, 20, 20), piece('1', 30, 16, 3, 6), piece('/', 33, 20, 3), piece('2', 36, 20, 3, 6)),
    ).toEqual(['at 81/2']);
  });

  it('become cells when they stand far apart', () => {
    expect(linesOf(piece('Growth', 10, 20), piece('2.1', 120, 20), piece('2.4', 200, 20))).toEqual([
      'Growth | 2.1 | 2.4',
    ]);
  });

  it('have ligatures that are named by other letters written out within words, and nowhere else', () => {
    expect(linesOf(piece('The CommiƩee conƟnued its respecƟve paƩern', 10, 20))).toEqual([
      'The Committee continued its respective pattern',
    ]);
    expect(linesOf(piece('Ɵ = Ʃ x', 10, 20))).toEqual(['Ɵ = Ʃ x']);
  });

  it('have their ligatures and odd spaces written out', () => {
    expect(linesOf(piece('inﬂation\u00a0ﬁgures\u200b', 10, 20))).toEqual(['inflation figures']);
  });
});

describe('lines on pages', () => {
  it('are headings where they end although the next word had room', () => {
    const pages = pageOf(
      piece('II. Financial markets', 10, 20, 105),
      piece('With regard to markets, the staff reported that prices had', 10, 32, 290),
      piece('fallen in most economies.', 10, 44, 125),
    );
    expect(readDocumentText(pages).text).toBe(
      'II. Financial markets\n\nWith regard to markets, the staff reported that prices had fallen in most economies.',
    );
  });
});

/** A line of text, as wide as its letters, in the middle of a sentence or at its end. */
const line = (text: string, y: number, size = 10, x = 10): Piece => piece(text, x, y, text.length * size * 0.5, size);

/** A line that fills the column. */
const full = (text: string, y: number): Piece => piece(text, 10, y, 500);

const textOf = (...pages: readonly (readonly Piece[])[]): string =>
  readDocumentText(toLines(pages.map((pieces) => ({ pieces, width: 600 })))).text;

describe('lines of a paragraph', () => {
  it('go on behind a word or a comma that nothing ends with, however much room there was', () => {
    const open = [
      'Members noted in their discussion that the rate of inflation had been falling since the start of the year to',
      'In the same month the rate had been somewhat higher than in all of the other months of the year, and in March,',
      'The proposal was then put to the vote, and all of the members (the Governor, Mrs Green, Mr White, Mr Brown,',
    ];
    const next = ['2% in May.', 'CPI inflation was at 1.9%.', 'Ms Black and Mr Grey) were for it.'];
    for (const [index, text] of open.entries())
      expect(
        textOf([
          full(
            'The Board met on the fourth of May in the head office of the bank, from two in the afternoon to five.',
            12,
          ),
          piece(text, 10, 24, 320),
          line(next[index] ?? '', 36),
        ]),
      ).toContain(`${text} ${next[index]}`);
  });

  it('keep a number with what it counts, which the line before had no room for', () => {
    const first = 'The difference between the annual rates of change of export prices and import prices had reached';
    expect(
      textOf([
        full(
          'The Board met on the fourth of May in the head office of the bank, from two in the afternoon to five.',
          12,
        ),
        piece(first, 10, 24, 420),
        full(
          '1.5 percentage points in January, which was the largest difference that there had been since June 1997.',
          36,
        ),
      ]),
    ).toContain(`${first} 1.5 percentage points`);
  });

  it('stand as far apart as behind full lines, where a list is set closer', () => {
    const text = ['The Governor asked the members to vote on it.', 'Six of the members who were present voted for it;'];
    const names = [
      'Anna Green',
      'Bert White',
      'Carl Black',
      'Dora Brown',
      'Emil Grey',
      'Fred Blue',
      'Gert Red',
      'Hans Pink',
    ];
    const { length } = names;
    expect(
      textOf([
        full(text[0] ?? '', 20),
        full(text[1] ?? '', 40),
        full('three voted against it, and one was absent, because he', 60),
        full('was ill on the day of the meeting, as the Board noted.', 80),
        full('Present at the meeting were:', 120),
        ...names.map((name, index) => line(name, 140 + index * 11)),
        line('Nobody else was there on that day.', 140 + length * 11 + 20),
      ]).split('\n\n')[0],
    ).toBe(
      'The Governor asked the members to vote on it. Six of the members who were present voted for it; three voted against it, and one was absent, because he was ill on the day of the meeting, as the Board noted.',
    );
  });

  it('are no rows of a table where one was stretched to fill its column', () => {
    expect(
      textOf([
        full('However, the growth in the balances of loans to', 20),
        piece('individuals', 10, 34, 55),
        piece('and other services', 150, 34, 90),
        piece('continued. The banks', 400, 34, 110),
        full('expect that this will go on for the rest of the year.', 48),
      ]),
    ).toBe(
      'However, the growth in the balances of loans to individuals and other services continued. The banks expect that this will go on for the rest of the year.',
    );
  });
});

describe('notes at the foot of a page', () => {
  const head = 'The members said in the discussion that the risks to growth, as far as they could see,';
  const tail = ['were smaller than before. They agreed on that, and', 'said so in their statement.'];
  const wholeWith = (notes: readonly Piece[]) =>
    textOf([full(head, 20), ...notes], [full(tail[0] ?? '', 20), line(tail[1] ?? '', 32)]);

  it.each([
    ['a star', '∗ As it was known on the day.'],
    ['a number and a stroke', '2/ As it was known on the day.'],
    ['a word in brackets', '[Note] As it was known on the day.'],
    ['a title in quotes', '3 “Survey of Banks”, by the staff.'],
  ])('that begins with %s follows the sentence that was open above it, and cuts nothing', (_, note) => {
    expect(wholeWith([line(note, 60, 7)])).toBe(
      `${head} were smaller than before.\n\n${note}\n\nThey agreed on that, and said so in their statement.`,
    );
  });

  it('keep a day that begins a line of theirs', () => {
    const notes = [line('1 As the Committee said on', 60, 7), line('17 November of that year.', 68, 7)];
    expect(wholeWith(notes)).toContain('\n\n1 As the Committee said on 17 November of that year.\n\n');
  });
});

describe('a page whose fonts name glyphs by number', () => {
  const toGlyphs = (text: string) =>
    [...text]
      .map((letter) => (letter === '’' ? '¶' : String.fromCharCode((letter.codePointAt(0) ?? 0) - 29)))
      .join(' ');

  it('is read where that makes English of it', () => {
    const text = 'The Committee decided that the rate of interest is to be kept at its level, as it was in June.';
    const [page] = repairGlyphNumbers([[piece(toGlyphs(text), 0, 0), piece(toGlyphs('the bank’s rate'), 0, 0)]]);
    expect(page?.map((each) => each.text)).toEqual([text, 'the bank’s rate']);
  });

  it('is read font by font: those of headings as the words of the others tell', () => {
    const text = 'The Committee decided that the rate of interest is to be kept at its level, as it was in June.';
    const heading = { ...piece(toGlyphs('COMMITTEE'), 0, 0), font: 'f2' };
    const plain = { ...piece('The rate was kept in June, and the Committee is to meet in July.', 0, 0), font: 'f3' };
    const [page] = repairGlyphNumbers([[piece(toGlyphs(text), 0, 0), heading, plain]]);
    expect(page?.map((each) => each.text)).toEqual([text, 'COMMITTEE', plain.text]);
  });

  it('is left alone when it is another language', () => {
    const pages = [[piece('El Comité decidió mantener la tasa de interés en su nivel actual', 0, 0)]];
    expect(repairGlyphNumbers(pages)).toBe(pages);
  });
});
