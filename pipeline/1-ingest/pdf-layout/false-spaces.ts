/**
 * The library that reads PDFs takes a gap of a tenth of the font's height for a space. Programs that set a word in two
 * pieces leave such gaps in its middle (`assessm ent`). A page's glyphs tell: a space stays where one was set, or where the
 * gap is as wide as one.
 */

/** One as its page places it. Lengths as shares of its font's height. */
export interface Glyph {
  /** More than one character for a ligature. */
  readonly text: string;
  /** From the end of the glyph before it, along the line; and how far off that line. */
  readonly gap: number;
  readonly shift: number;
}

/** A gap of this share of the font's height is a space. */
export const SPACE = 0.15;
/** In narrower ones the library saw no space either, unless it measures the font otherwise. */
const NARROWEST = 0.09;
const SAME_LINE = 0.1;

/** The strings of a page without such spaces; as they are where its glyphs say something else. */
export const dropFalseSpaces = (strings: readonly string[], glyphs: readonly Glyph[]): readonly string[] => {
  const set = toCharacters(glyphs);
  if (set.map(({ character }) => character).join('') !== strings.join('').replace(/\s/gu, '')) return strings;
  let at = 0;
  return strings.map((string) => {
    let kept = '';
    for (const character of string) {
      if (!IS_SPACE.test(character) && set[at++]?.isTight === true) kept = kept.replace(/(?<=\S)\s$/u, '');
      kept += character;
    }
    return kept;
  });
};

interface Character {
  readonly character: string;
  /** Set without a space, and too near for one. */
  readonly isTight: boolean;
}

const IS_SPACE = /^\s$/u;
/** Marks that nobody sees; the library leaves them out. */
const IS_FORMAT = /^\p{Cf}$/u;

const toCharacters = (glyphs: readonly Glyph[]): readonly Character[] => {
  const characters: Character[] = [];
  let isSpaced = false;
  for (const { text, gap, shift } of glyphs) {
    const isNear = gap > NARROWEST && gap < SPACE && Math.abs(shift) < SAME_LINE;
    for (const [index, character] of [...text].entries()) {
      if (IS_FORMAT.test(character)) continue;
      if (!IS_SPACE.test(character)) characters.push({ character, isTight: index === 0 && isNear && !isSpaced });
      isSpaced = IS_SPACE.test(character);
    }
  }
  return characters;
};
