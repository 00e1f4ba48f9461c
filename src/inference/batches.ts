/** Texts that run as one: all of one padded length. */
export interface Batch {
  /** Number of token columns, padding included. */
  readonly length: number;
  /** Places of the texts in the request, ascending by token length, then by place. */
  readonly texts: readonly number[];
}

/** The most texts of one batch. */
export const MAX_BATCH = 128;

const MULTIPLE = 8;

/**
 * The number of columns that a text of `tokens` tokens is padded to: its own length rounded up to a multiple of 8, at
 * most `maxLength`. It depends on nothing but the text, and neither does, therefore, what the model computes for it.
 */
export const paddedLength = (tokens: number, maxLength: number): number =>
  Math.min(maxLength, Math.max(MULTIPLE, Math.ceil(tokens / MULTIPLE) * MULTIPLE));

/**
 * Sorts texts by token length and cuts them into batches of at most `size`, each of one padded length. Every text is in
 * exactly one batch; the longest come first, so that the memory that a run needs is asked for at its start.
 */
export const planBatches = (
  tokenCounts: ArrayLike<number>,
  { maxLength, size }: { readonly maxLength: number; readonly size: number },
): readonly Batch[] => {
  const most = Math.max(1, Math.min(MAX_BATCH, size));
  const byLength = new Map<number, number[]>();
  for (let text = 0; text < tokenCounts.length; text += 1) {
    const length = paddedLength(tokenCounts[text] ?? 0, maxLength);
    const texts = byLength.get(length);
    if (texts) texts.push(text);
    else byLength.set(length, [text]);
  }

  return [...byLength]
    .sort(([a], [b]) => b - a)
    .flatMap(([length, texts]) => {
      texts.sort((a, b) => (tokenCounts[a] ?? 0) - (tokenCounts[b] ?? 0) || a - b);
      const pieces: Batch[] = [];
      for (let at = 0; at < texts.length; at += most) pieces.push({ length, texts: texts.slice(at, at + most) });
      return pieces;
    });
};
