/** What language a text is in. */

const FUNCTION_WORDS = new Set(
  'the of and to in a is that for it was on are as with at be by this from which have has had not or an were been will would its their but they we'.split(
    ' ',
  ),
);

const MIN_SHARE = 0.2;
const MIN_WORDS = 5;

/**
 * Do common English function words make a fifth or more of the words? In English prose they are about two fifths; in
 * another language, in lists of names and in tables they are few.
 */
export const isEnglish = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const known = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  return words.length >= MIN_WORDS && known >= words.length * MIN_SHARE;
};

/** Samples taken from all over a text, and characters of each: many documents begin with names, or end in tables. */
const SAMPLES = 20;
const SAMPLE_CHARACTERS = 1000;
/** Share of the samples that makes the document's language; the rest may be tables, names, or a translation. */
const MAJORITY = 0.5;
/** A shorter text says too little. Scripts without spaces say more with each letter. */
const MIN_LETTERS = 60;
const DENSE_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const DENSITY = 4;
/** How far another language must lie before English: names of people and products are in any language. */
const MIN_LEAD = 0.08;

/** `en`, another language of ISO 639-1 where that is certain, else `und`: too little text, or too tabular, to say. */
export const detectLanguage = async (text: string): Promise<string> => {
  const samples = takeSamples(text);
  const english = samples.filter(isEnglish).length;
  if (english > 0 && english >= samples.length * MAJORITY) return 'en';

  // Its tables take a moment to load, and English documents never ask it.
  const { eld } = await import('eld/small');
  const votes = new Map<string, number>([['en', english]]);
  for (const sample of samples) {
    if (isEnglish(sample) || weighLetters(sample) < MIN_LETTERS) continue;
    const found = eld.detect(sample.replace(/[\p{N}\p{P}\p{S}]+/gu, ' '));
    const scores = found.getScores();
    const lead = (scores[found.language] ?? 0) - (scores.en ?? 0);
    if (found.language === 'en' || (found.isReliable() && lead >= MIN_LEAD))
      votes.set(found.language, (votes.get(found.language) ?? 0) + 1);
  }
  const [best, count] = [...votes].reduce((most, each) => (each[1] > most[1] ? each : most));
  return count > 0 && count >= samples.length * MAJORITY ? best : 'und';
};

const weighLetters = (text: string): number =>
  (text.match(/\p{L}/gu)?.length ?? 0) + (text.match(DENSE_LETTER)?.length ?? 0) * (DENSITY - 1);

/** `es` is Spanish. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;

const takeSamples = (text: string): readonly string[] => {
  if (text.length <= SAMPLE_CHARACTERS) return [text];
  const count = Math.min(SAMPLES, Math.ceil(text.length / SAMPLE_CHARACTERS));
  const step = (text.length - SAMPLE_CHARACTERS) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_none, index) => {
    const start = Math.round(index * step);
    return text.slice(start, start + SAMPLE_CHARACTERS);
  });
};
