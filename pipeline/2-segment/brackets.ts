/** Brackets that stand open while a block is scanned, and the short ones that refer to a chart. */

export interface Bracket {
  readonly at: number;
  readonly unit: number;
  readonly boundaries: number;
  readonly unitStart: number;
}

export const DEEPEST = 64;
export const LONGEST_BRACKET = 1200;

/** Takes the bracket that `unit` closes off the open ones, with all that opened behind it. */
export const closeBracket = (brackets: Bracket[], unit: number): Bracket | undefined => {
  const wanted = unit === 0x29 ? 0x28 : 0x5b;
  for (let index = brackets.length - 1; index >= 0 && index >= brackets.length - 3; index--) {
    const bracket = brackets[index];
    if (bracket?.unit !== wanted) continue;
    brackets.length = index;
    return bracket;
  }
  return undefined;
};

const REFERENCE = /\((?:Charts?|Tables?|Figures?|Graphs?|Box|Annex|Appendix|[Ss]ee)\s[^().?!]{1,60}\)(?=\s+\p{Lu})/uy;

/** The position behind `(Chart 1)` at `at`, where a sentence follows; else 0. */
export const referenceEnd = (text: string, at: number, end: number): number => {
  REFERENCE.lastIndex = at;
  return REFERENCE.test(text) && REFERENCE.lastIndex < end ? REFERENCE.lastIndex : 0;
};
