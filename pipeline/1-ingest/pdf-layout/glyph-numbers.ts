/**
 * Some programs embed a font by the numbers of its glyphs and say nowhere which characters they are, so that a page reads
 * `0 , 1 8 7 ( 6` for MINUTES. In the fonts that Windows brings, glyphs stand in the Macintosh order from number 3, the
 * space, on; with a gap where two glyphs are missing. This reads a font so, where that makes English of what is none.
 */
import iconv from 'iconv-lite';
import { isEnglish } from '../language.js';
import type { Piece } from './lines.js';

type Pages = readonly (readonly Piece[])[];

/** First glyph number, and how far the Macintosh code of a glyph from there on lies above its number. */
const SHIFTS: readonly (readonly [number, number])[] = [
  [172, 31],
  [98, 30],
  [3, 29],
];

export const repairGlyphNumbers = (pages: Pages): Pages => {
  const fonts = samplesOf(pages);
  const byNumber = new Set<string>();
  const known = new Set<string>();
  const unclear: [string, string][] = [];
  for (const [font, sample] of fonts) {
    const decoded = sample.split('\n').map(fromGlyphs).join('\n');
    if (isEnglish(sample)) for (const word of wordsOf(sample)) known.add(word);
    else if (isEnglish(decoded)) {
      byNumber.add(font);
      for (const word of wordsOf(decoded)) known.add(word);
    } else unclear.push([font, sample]);
  }
  // Fonts of headings hold too few words to tell; the document's other fonts know the words.
  const count = (text: string) => wordsOf(text).filter((word) => known.has(word)).length;
  for (const [font, sample] of unclear)
    if (count(sample.split('\n').map(fromGlyphs).join('\n')) > count(sample)) byNumber.add(font);

  if (byNumber.size === 0) return pages;
  return pages.map((pieces) =>
    pieces.map((piece) => (byNumber.has(piece.font) ? { ...piece, text: fromGlyphs(piece.text) } : piece)),
  );
};

const SAMPLE_PIECES = 2000;

/** What is set in each font, a line a piece. */
const samplesOf = (pages: Pages): ReadonlyMap<string, string> => {
  const pieces = new Map<string, string[]>();
  for (const { font, text } of pages.flat()) {
    const sample = pieces.get(font) ?? [];
    pieces.set(font, sample);
    if (sample.length < SAMPLE_PIECES) sample.push(text);
  }
  return new Map([...pieces].map(([font, sample]) => [font, sample.join('\n')]));
};

/** Words too long to be one by chance, and the endings of ordinals, which are often set in a font of their own. */
const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{L}{4,}|(?<!\p{L})(?:st|nd|rd|th)(?!\p{L})/gu) ?? [];

/** Spaces between glyphs are an artefact of widths that are not known either; the space is a glyph of its own. */
const fromGlyphs = (text: string): string => {
  const codes = [...text.replaceAll(' ', '')].map((glyph) => {
    const number = glyph.codePointAt(0) ?? 0;
    const shift = SHIFTS.find(([first]) => number >= first)?.[1];
    return shift === undefined || number + shift > 0xff ? 0x3f : number + shift;
  });
  return iconv.decode(Buffer.from(codes), 'macroman');
};
