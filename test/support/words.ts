/** Comparing two texts by their words, whatever the spaces, lines and marks between them. */

export const toWords = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** As many words in a row are one passage's own. */
const PASSAGE = 8;

/** Places of the words of a text that stand in passages which it has oftener than its source, where that has them at all. */
export const findRepeated = (text: readonly string[], source: readonly string[]): ReadonlySet<number> => {
  const left = new Map<string, number>();
  for (const passage of passagesOf(source)) left.set(passage, (left.get(passage) ?? 0) + 1);
  const repeated = new Set<number>();
  for (const [at, passage] of passagesOf(text).entries()) {
    const more = left.get(passage);
    if (more === undefined) continue;
    left.set(passage, more - 1);
    if (more <= 0) for (let word = at; word < at + PASSAGE; word += 1) repeated.add(word);
  }
  return repeated;
};

const passagesOf = (words: readonly string[]): readonly string[] =>
  words.slice(0, Math.max(0, words.length - PASSAGE + 1)).map((_, at) => words.slice(at, at + PASSAGE).join(' '));

export interface Shared {
  /** Words in both, in the same order: the length of a longest common subsequence. */
  readonly shared: number;
  /** The places of these words in either. */
  readonly inFirst: ReadonlySet<number>;
  readonly inSecond: ReadonlySet<number>;
  /** Stretches of words that only the first, only the second has. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** A longest common subsequence by rows of bits: a word's 32 columns at a time. Time grows with the product, by 32. */
export const findShared = (first: readonly string[], second: readonly string[]): Shared => {
  const width = Math.ceil(second.length / 32);
  const places = new Map<string, Uint32Array>();
  for (const [index, word] of second.entries()) {
    const bits = places.get(word) ?? new Uint32Array(width);
    places.set(word, bits);
    bits[index >>> 5] = ((bits[index >>> 5] ?? 0) | (1 << (index & 31))) >>> 0;
  }

  // Hyyrö's form: a zero bit at column j says that the common length grows there.
  const row = new Uint32Array(width).fill(0xffffffff);
  const rows: Uint32Array[] = [];
  for (const word of first) {
    const bits = places.get(word);
    if (bits !== undefined) {
      let carry = 0;
      for (let at = 0; at < width; at += 1) {
        const value = row[at] ?? 0;
        const match = (value & (bits[at] ?? 0)) >>> 0;
        const sum = value + match + carry;
        carry = sum > 0xffffffff ? 1 : 0;
        row[at] = ((sum >>> 0) | (value & ~match)) >>> 0;
      }
    }
    rows.push(row.slice());
  }

  const grows = (at: number, column: number): boolean =>
    at >= 0 && (((rows[at]?.[column >>> 5] ?? 0) >>> (column & 31)) & 1) === 0;
  const inFirst = new Set<number>();
  const inSecond = new Set<number>();
  let at = first.length - 1;
  for (let column = second.length - 1; column >= 0 && at >= 0; column -= 1) {
    if (!grows(at, column)) continue;
    while (grows(at - 1, column)) at -= 1;
    inFirst.add(at);
    inSecond.add(column);
    at -= 1;
  }
  return {
    shared: inFirst.size,
    inFirst,
    inSecond,
    missing: toStretches(first, inFirst),
    added: toStretches(second, inSecond),
  };
};

const toStretches = (words: readonly string[], shared: ReadonlySet<number>): readonly string[] => {
  const stretches: string[] = [];
  let open = '';
  for (const [index, word] of words.entries()) {
    if (!shared.has(index)) open = open === '' ? word : `${open} ${word}`;
    else if (open !== '') {
      stretches.push(open);
      open = '';
    }
  }
  return open === '' ? stretches : [...stretches, open];
};
