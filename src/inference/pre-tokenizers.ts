/**
 * Pre-tokenizers as the Python library `tokenizers` has them. Those of the JavaScript library come close: they take the byte
 * order mark for a blank and U+0085 for none, know no letters and digits but ASCII, and pass over what a splitter says is to
 * become of its delimiters.
 */
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';

/** The words of a text, or of a part of one; `section_index` counts the parts, which added tokens such as `<mask>` divide. */
export type PreTokenize = (text: string, options: { readonly section_index?: number }) => string[];

/** @throws Error where the kind is not known */
export const toPreTokenizer = (config: unknown): PreTokenize | null => {
  if (config === null || config === undefined) return null;
  const step = toStep(config);
  return (text, { section_index: section = 0 }) => step([text], section === 0);
};

/** Words out of words. `atStart`: does the first of them begin the text? */
type Step = (words: readonly string[], atStart: boolean) => string[];

const toStep = (config: unknown): Step => {
  const { data: settings, error } = PreTokenizer.safeParse(config);
  if (error)
    throw new Error(
      `its pre-tokenizer ${Named.safeParse(config).data?.type} is not known, or not written as others are`,
    );
  switch (settings.type) {
    case 'Sequence': {
      const steps = settings.pretokenizers.map(toStep);
      // A step may have taken away what stood before the first word.
      return (words, atStart) =>
        steps.reduce((found, step) => step(found, atStart && beginsAs(words, found)), [...words]);
    }
    case 'BertPreTokenizer':
      return each((text) => text.match(BERT_WORDS) ?? []);
    case 'Whitespace':
      return each((text) => text.match(WORDS) ?? []);
    case 'WhitespaceSplit':
      return each((text) => text.match(UNBROKEN) ?? []);
    case 'CharDelimiterSplit':
      return each((text) => text.split(settings.delimiter).filter(isFilled));
    case 'Digits':
      return each((text) => cut(text, DIGIT, settings.individual_digits ? 'Isolated' : 'Contiguous'));
    case 'Punctuation':
      return each((text) => cut(text, PUNCTUATION, settings.behavior));
    case 'Split': {
      const pattern = toRegExp(settings);
      return each((text) => cut(text, pattern, settings.behavior, settings.invert));
    }
    case 'ByteLevel':
      return each((text) => {
        const spaced = settings.add_prefix_space && !text.startsWith(' ') ? ` ${text}` : text;
        return (settings.use_regex ? (spaced.match(BYTE_LEVEL_WORDS) ?? []) : [spaced]).map(toByteCharacters);
      });
    case 'Metaspace':
      return (words, atStart) => words.flatMap((word, at) => toMetaspaceWords(word, settings, atStart && at === 0));
    default:
      return settings satisfies never;
  }
};

const beginsAs = ([word = '']: readonly string[], [first = '']: readonly string[]): boolean => word.startsWith(first);

/** Lets the library read the regular expression, which is written as those of another language are. */
const toRegExp = (split: unknown): RegExp => {
  const parts = { added_tokens: [], normalizer: null, pre_tokenizer: split, post_processor: null, decoder: null };
  const tokenizer = new Tokenizer({ ...parts, model: { type: 'WordPiece', vocab: {} } }, {});
  return LibrarySplit.parse(tokenizer.pre_tokenizer).pattern;
};

const LibrarySplit = z.custom<{ readonly pattern: RegExp }>(
  (value) => typeof value === 'function' && 'pattern' in value && value.pattern instanceof RegExp,
);

const each =
  (split: (text: string) => readonly string[]): Step =>
  (words) =>
    words.flatMap(split);

const Behavior = z.enum(['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous']);
type Behavior = z.infer<typeof Behavior>;

const Metaspace = z.object({
  type: z.literal('Metaspace'),
  replacement: z.string().default('\u2581'),
  prepend_scheme: z.enum(['always', 'first', 'never']).default('always'),
  split: z.boolean().default(true),
});

const PreTokenizer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Sequence'), pretokenizers: z.array(z.unknown()) }),
  z.object({ type: z.literal('BertPreTokenizer') }),
  z.object({ type: z.literal('Whitespace') }),
  z.object({ type: z.literal('WhitespaceSplit') }),
  z.object({ type: z.literal('CharDelimiterSplit'), delimiter: z.string().min(1) }),
  z.object({ type: z.literal('Digits'), individual_digits: z.boolean().default(false) }),
  z.object({ type: z.literal('Punctuation'), behavior: Behavior.default('Isolated') }),
  z.object({
    type: z.literal('Split'),
    pattern: z.union([z.object({ Regex: z.string() }), z.object({ String: z.string() })]),
    behavior: Behavior,
    invert: z.boolean().default(false),
  }),
  z.object({
    type: z.literal('ByteLevel'),
    add_prefix_space: z.boolean().default(false),
    use_regex: z.boolean().default(true),
  }),
  Metaspace,
]);

const Named = z.object({ type: z.string() });

const isFilled = (text: string): boolean => text !== '';

const UNBROKEN = /\P{White_Space}+/gu;

/** `\w` as regular expressions of Unicode have it. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
const WORDS = new RegExp(`[${WORD}]+|[^${WORD}\\p{White_Space}]+`, 'gu');

const DIGIT = /\p{N}/gu;

const MARKS = '\\p{P}!-/:-@[-`{-~';
const PUNCTUATION = new RegExp(`[${MARKS}]`, 'gu');
const BERT_WORDS = new RegExp(`[^${MARKS}\\p{White_Space}]+|[${MARKS}]`, 'gu');

const BYTE_LEVEL_WORDS =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** The pieces of a text, those that match and those between, each dropped, kept apart or joined as `behavior` has it. */
const cut = (text: string, pattern: RegExp, behavior: Behavior, invert = false): string[] => {
  const pieces: { text: string; readonly matches: boolean }[] = [];
  const add = (piece: string, found: boolean): void => {
    if (isFilled(piece)) pieces.push({ text: piece, matches: found !== invert });
  };
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    add(text.slice(end, match.index), false);
    add(match[0], true);
    end = match.index + match[0].length;
  }
  add(text.slice(end), false);
  return join(pieces, behavior);
};

const join = (pieces: readonly { text: string; readonly matches: boolean }[], behavior: Behavior): string[] => {
  if (behavior === 'Removed') return pieces.filter(({ matches }) => !matches).map(({ text }) => text);
  const words: string[] = [];
  for (const [at, { text, matches }] of pieces.entries()) {
    const before = pieces[at - 1]?.matches;
    const joined =
      before !== undefined &&
      ((behavior === 'Contiguous' && before === matches) ||
        (behavior === 'MergedWithPrevious' && matches && !before) ||
        (behavior === 'MergedWithNext' && !matches && before));
    if (joined) words.push(`${words.pop() ?? ''}${text}`);
    else words.push(text);
  }
  return words;
};

const toMetaspaceWords = (
  word: string,
  { replacement, prepend_scheme: scheme, split }: z.infer<typeof Metaspace>,
  first: boolean,
): readonly string[] => {
  const marked = word.replaceAll(' ', replacement);
  const prepended = scheme === 'always' || (scheme === 'first' && first);
  const text = prepended && !marked.startsWith(replacement) ? replacement + marked : marked;
  return split
    ? text
        .split(replacement)
        .map((part, at) => (at === 0 ? part : replacement + part))
        .filter(isFilled)
    : [text];
};

/** One character for each byte: those that can be seen stand for themselves, the others for what follows U+00FF. */
const BYTE_CHARACTERS: readonly string[] = (() => {
  const isSeen = (byte: number): boolean => /[!-~\u00a1-\u00ac\u00ae-\u00ff]/.test(String.fromCharCode(byte));
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isSeen(byte) ? byte : 256 + others++));
})();

const utf8 = new TextEncoder();

const toByteCharacters = (text: string): string =>
  Array.from(utf8.encode(text), (byte) => BYTE_CHARACTERS[byte] ?? '').join('');
