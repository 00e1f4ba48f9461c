import { describe, expect, it } from 'vitest';
import { toLines } from '../../../pipeline/1-ingest/pdf-layout/columns.js';
import { readDocumentText } from '../../../pipeline/1-ingest/pdf-layout/document.js';
import { repairGlyphNumbers } from '../../../pipeline/1-ingest/pdf-layout/glyph-numbers.js';
import type { Piece } from '../../../pipeline/1-ingest/pdf-layout/lines.js';

const piece = (text: string, x: number, y: number, width = text.length * 5, size = 10): Piece => ({
  text,
  x,
  y,
  width,
  font: 'f1',
  size,
});

const pageOf = (...pieces: readonly Piece[]) => toLines([{ pieces, width: 600 }]);

const linesOf = (...pieces: readonly Piece[]) => pageOf(...pieces).flatMap((lines) => lines.map(({ text }) => text));

describe('pieces on a page', () => {
  it('become lines from top to bottom whatever their order, with spaces where there are gaps', () => {
    expect(
      linesOf(piece('below', 10, 40), piece('ond', 50, 20), piece('first', 10, 20), piece('sec', 37, 20, 13)),
    ).toEqual(['first second', 'below']);
  });

  it('lose the raised number of a footnote after a word, and keep powers and fractions', () => {
    expect(linesOf(piece('growth', 10, 20), piece('3', 40, 16, 3, 6), piece('and', 46, 20))).toEqual(['growth and']);
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
