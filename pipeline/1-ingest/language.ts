/** Is a text English? A first, small answer: it counts function words and knows no other language. */

const FUNCTION_WORDS = new Set(
  'the of and to in a is that for it was on are as with at be by this from which have has had not or an were been will would its their but they we'.split(
    ' ',
  ),
);

const SAMPLE_CHARACTERS = 20_000;
const MIN_SHARE = 0.2;

/**
 * `en` where common English function words are a fifth or more of the first words (in English prose they are about two
 * fifths), else `und`: another language, or too little or too tabular a text to say.
 */
export const detectLanguage = (text: string): 'en' | 'und' => {
  const words =
    text
      .slice(0, SAMPLE_CHARACTERS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < 5) return 'und';
  const known = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  return known >= words.length * MIN_SHARE ? 'en' : 'und';
};
