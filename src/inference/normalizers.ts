/**
 * Normalizers as the Python library `tokenizers` has them. Those of the JavaScript library come close: they miss
 * ideographs beyond the basic plane and Greek capitals at a word's end, strip other blanks, and stand in for
 * SentencePiece's character map with Unicode's own forms.
 */
import { z } from 'zod';

/** Gives the normalizers inside a tokenizer the exact method in place of theirs. */
export const useExactNormalizers = (normalizer: unknown): void => {
  if (!isNormalizer(normalizer)) return;
  const settings = Settings.parse(normalizer.config);
  switch (settings.type) {
    case 'Sequence':
      for (const inner of Inner.parse(normalizer).normalizers) useExactNormalizers(inner);
      return;
    case 'BertNormalizer':
      normalizer.normalize = toBertNormalizer(BertSettings.parse(normalizer.config));
      return;
    case 'Precompiled':
      if (settings.precompiled_charsmap) {
        normalizer.normalize = toMapNormalizer(Buffer.from(settings.precompiled_charsmap, 'base64'));
      }
      return;
    case 'Lowercase':
      normalizer.normalize = toLowerCase;
      return;
    case 'Strip':
      normalizer.normalize = toStrip(StripSettings.parse(normalizer.config));
      return;
  }
};

type Normalize = (text: string) => string;

/** What a normalizer of the library shows of itself; it is a function with properties. */
interface LibraryNormalizer {
  readonly config: unknown;
  normalize: Normalize;
}

const isNormalizer = (value: unknown): value is LibraryNormalizer =>
  typeof value === 'function' && 'normalize' in value && 'config' in value;

const Inner = z.custom<{ readonly normalizers: readonly unknown[] }>(
  (value) => typeof value === 'function' && 'normalizers' in value && Array.isArray(value.normalizers),
);

const StripSettings = z.object({ strip_left: z.boolean(), strip_right: z.boolean() });

/** `trim` takes the byte order mark for white space, and U+0085 for none. */
const toStrip =
  (settings: z.infer<typeof StripSettings>): Normalize =>
  (text) => {
    const stripped = settings.strip_left ? text.replace(/^\p{White_Space}+/u, '') : text;
    return settings.strip_right ? stripped.replace(/\p{White_Space}+$/u, '') : stripped;
  };

const BertSettings = z.object({
  clean_text: z.boolean().default(true),
  handle_chinese_chars: z.boolean().default(true),
  strip_accents: z.boolean().nullish(),
  lowercase: z.boolean().default(true),
});

const Settings = z.object({ type: z.string(), precompiled_charsmap: z.string().nullish() });

/** Most sentences: nothing to clean, to space or to strip. */
const PLAIN = /^[\x20-\x7e]*$/;

const toBertNormalizer = (settings: z.infer<typeof BertSettings>): Normalize => {
  const stripAccents = settings.strip_accents ?? settings.lowercase;
  return (text) => {
    if (PLAIN.test(text)) return settings.lowercase ? text.toLowerCase() : text;
    let result = text;
    if (settings.clean_text) result = result.replace(UNSEEN, '').replace(BLANK, ' ');
    if (settings.handle_chinese_chars) result = result.replace(IDEOGRAPH, ' $& ');
    if (stripAccents) result = result.normalize('NFD').replace(/\p{Mn}/gu, '');
    return settings.lowercase ? toLowerCase(result) : result;
  };
};

/** NUL, the replacement character, and control, format and private characters but for tab and line ends. */
const UNSEEN = /(?![\t\n\r])[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

const BLANK = /[\t\n\r\p{White_Space}]/gu;

const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** One character at a time: `toLowerCase` of a whole text writes a sigma at the end of a word in another way. */
const toLowerCase = (text: string): string =>
  text.includes('Σ') ? Array.from(text, (character) => character.toLowerCase()).join('') : text.toLowerCase();

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Code units of a text that are looked through at once: `Intl.Segmenter` takes time that grows with the square of them. */
const WINDOW = 1024;

/** The graphemes of a text. Where one ends hangs on nothing before it, so what follows it can be looked through by itself. */
const graphemesOf = function* (text: string): Generator<string> {
  let size = WINDOW;
  for (let at = 0; at < text.length; ) {
    const end = at + size;
    // Half a character would end the grapheme that it belongs to.
    const window = text.slice(at, end).replace(end < text.length ? /[\ud800-\udbff]$/ : '', '');
    const found = Array.from(segmenter.segment(window), ({ segment }) => segment);
    // The last one may go on behind the window.
    if (end < text.length) found.pop();
    yield* found;
    const length = found.reduce((sum, segment) => sum + segment.length, 0);
    at += length;
    size = length > 0 ? WINDOW : size * 2;
  }
};

/** Characters that are a grapheme each whatever stands beside them; finding graphemes takes ten times as long. */
const SEPARATE =
  /^[\n\t\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u22ff]*$/;

/**
 * SentencePiece's character map as the Python library applies it: to each grapheme of less than six bytes whole, else to
 * each of its characters; of the entries that begin it, the shortest.
 */
const toMapNormalizer = (map: Buffer): Normalize => {
  const replace = remember(parseCharacterMap(map));
  const plainStays = Array.from({ length: 95 }, (_, at) => replace(String.fromCharCode(32 + at))).every(
    (found) => found === undefined,
  );
  const replaceEach = (text: string): string => {
    let result = '';
    for (const character of text) result += replace(character) ?? character;
    return result;
  };
  return (text) => {
    if (plainStays && PLAIN.test(text)) return text;
    if (SEPARATE.test(text)) return replaceEach(text);
    let result = '';
    for (const segment of graphemesOf(text)) {
      result += (Buffer.byteLength(segment) < 6 ? replace(segment) : undefined) ?? replaceEach(segment);
    }
    return result;
  };
};

const REMEMBERED = 10_000;

const remember = (find: (text: string) => string | undefined): typeof find => {
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const found = find(text);
    if (known.size < REMEMBERED) known.set(text, found);
    return found;
  };
};

/**
 * A length, a trie of that many bytes (darts-clone: one 32-bit unit a node), and the replacements, each ended by a zero.
 *
 * @returns the replacement of the shortest entry that begins the text
 */
const parseCharacterMap = (map: Buffer): ((text: string) => string | undefined) => {
  const size = map.readUInt32LE(0);
  const trie = Uint32Array.from({ length: size / 4 }, (_, at) => map.readUInt32LE(4 + 4 * at));
  const replacements = map.subarray(4 + size);
  return (text) => {
    let node = offsetOf(trie[0] ?? 0);
    for (const byte of Buffer.from(text)) {
      if (byte === 0) return undefined;
      node ^= byte;
      const unit = trie[node] ?? 0;
      if ((unit & 0x8000_00ff) !== byte) return undefined;
      node ^= offsetOf(unit);
      if ((unit & 0x100) !== 0) {
        const start = (trie[node] ?? 0) & 0x7fff_ffff;
        return replacements.toString('utf8', start, replacements.indexOf(0, start));
      }
    }
    return undefined;
  };
};

const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);
