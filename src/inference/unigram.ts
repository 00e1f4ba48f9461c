/** What a unigram model of the JavaScript library shows of itself; it is a function with properties. */
export interface LibraryUnigram {
  readonly trie: { common_prefix_search(characters: readonly string[], start: number): Iterable<string> };
  readonly tokens_to_ids: ReadonlyMap<string, number>;
  readonly scores: readonly number[];
  readonly unk_token_id: number | undefined;
  encode: (words: readonly string[]) => readonly string[];
  fuse_unk: boolean;
}

export const isUnigram = (model: unknown): model is LibraryUnigram =>
  typeof model === 'function' && 'trie' in model && 'scores' in model && 'tokens_to_ids' in model;

/**
 * Gives a unigram model the search of the Python library `tokenizers`. That of the JavaScript library adds the scores up in
 * another order, so that of two ways to cut a row of equal characters, as in 10,000,000, it may take the other one; it also
 * joins unknown characters across words, and has no bytes to fall back on.
 */
export const useExactUnigram = (model: LibraryUnigram, { byteFallback }: { readonly byteFallback: boolean }): void => {
  const { trie, tokens_to_ids: ids, unk_token_id: unknown } = model;
  const scores = model.scores.map(asPythonReads);
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY) - 10;

  const cutWord = (word: string): readonly string[] => {
    const characters = Array.from(word);
    const ends: End[] = Array.from({ length: characters.length + 1 }, () => ({ score: 0, start: -1, known: true }));
    const reach = (at: number, score: number, start: number, known: boolean): void => {
      const end = ends[at];
      if (end === undefined || (end.start >= 0 && score <= end.score)) return;
      end.score = score;
      end.start = start;
      end.known = known;
    };
    for (let start = 0; start < characters.length; start += 1) {
      const before = ends[start]?.score ?? 0;
      let alone = false;
      for (const token of trie.common_prefix_search(characters, start)) {
        const id = ids.get(token);
        const length = lengthOf(token);
        reach(start + length, (scores[id ?? -1] ?? 0) + before, start, id !== unknown);
        alone ||= length === 1;
      }
      if (!alone) reach(start + 1, unknownScore + before, start, false);
    }
    return tokensOf(characters, ends);
  };

  const toBytes = (token: string): readonly string[] => {
    if (!byteFallback || ids.has(token)) return [token];
    const bytes = [...Buffer.from(token)].map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    return bytes.every((byte) => ids.has(byte)) ? bytes : [token];
  };

  model.encode = (words) => words.flatMap(cutWord).flatMap(toBytes);
  // What is unknown is joined within a word, above.
  model.fuse_unk = false;
};

/**
 * The Python library reads a number as its digits divided by a power of ten, and so may miss the nearest one by its last bit:
 * of ways that are as good as each other another one may then be the best.
 */
const asPythonReads = (score: number): number => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d{1,22})$/.exec(String(score)) ?? [];
  return fraction === '' ? score : Number(`${sign}${whole}${fraction}`) / Number(`1e${fraction.length}`);
};

/** The best way to a place between two characters: where its last token starts, and whether that is known. */
interface End {
  score: number;
  start: number;
  known: boolean;
}

/** The tokens of the best way to the end; unknown ones in a row are one. */
const tokensOf = (characters: readonly string[], ends: readonly End[]): readonly string[] => {
  const tokens: string[] = [];
  let after: End | undefined;
  for (let at = characters.length; at > 0; ) {
    const end = ends[at];
    const start = end?.start ?? 0;
    const token = characters.slice(start, at).join('');
    if (end?.known === false && after?.known === false) tokens.push(token + (tokens.pop() ?? ''));
    else tokens.push(token);
    after = end;
    at = start;
  }
  return tokens.reverse();
};

const lengthOf = (token: string): number => {
  let length = 0;
  for (const _ of token) length += 1;
  return length;
};
