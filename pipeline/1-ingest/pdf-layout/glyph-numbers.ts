/**
 * Some programs embed a font by the numbers of its glyphs and say nowhere which characters they are, so that a page reads
 * `0 , 1 8 7 ( 6` for MINUTES. In the fonts that Windows brings, glyphs stand in the Macintosh order from number 3, the
 * space, on; with a gap where two glyphs are missing. This reads them so, where that makes English of what is none.
 */
import iconv from 'iconv-lite';
import { detectLanguage } from '../language.js';
import type { Piece } from './lines.js';

type Pages = readonly (readonly Piece[])[];

/** First glyph number, and how far the Macintosh code of a glyph from there on lies above its number. */
const SHIFTS: readonly (readonly [number, number])[] = [
  [172, 31],
  [98, 30],
  [3, 29],
];

export const repairGlyphNumbers = (pages: Pages): Pages => {
  if (detectLanguage(textOf(pages)) === 'en') return pages;
  const read = pages.map((pieces) => pieces.map((piece) => ({ ...piece, text: fromGlyphs(piece.text) })));
  return detectLanguage(textOf(read)) === 'en' ? read : pages;
};

const SAMPLE_PIECES = 2000;

const textOf = (pages: Pages): string =>
  pages
    .flat()
    .slice(0, SAMPLE_PIECES)
    .map((piece) => piece.text)
    .join(' ');

/** Spaces between glyphs are an artefact of widths that are not known either; the space is a glyph of its own. */
const fromGlyphs = (text: string): string => {
  const codes = [...text.replaceAll(' ', '')].map((glyph) => {
    const number = glyph.codePointAt(0) ?? 0;
    const shift = SHIFTS.find(([first]) => number >= first)?.[1];
    return shift === undefined || number + shift > 0xff ? 0x3f : number + shift;
  });
  return iconv.decode(Buffer.from(codes), 'macroman');
};
