/** The label of one row of logits, as the column's index, and its probability. */
export interface Score {
  readonly label: number;
  /** Softmax probability of the label, between 0 and 1. NaN when a logit is not finite. */
  readonly probability: number;
}

/**
 * The highest logit's column and its softmax probability. Of equal logits the lowest column wins. Sums are in double
 * precision; the caller rounds to single precision by storing into a Float32Array.
 */
export const scoreRow = (logits: ArrayLike<number>, start: number, classes: number): Score => {
  let label = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let column = 0; column < classes; column += 1) {
    const logit = logits[start + column] ?? Number.NaN;
    if (!Number.isFinite(logit)) return { label: 0, probability: Number.NaN };
    if (logit > highest) {
      highest = logit;
      label = column;
    }
  }

  let sum = 0;
  for (let column = 0; column < classes; column += 1) sum += Math.exp((logits[start + column] ?? 0) - highest);
  return { label, probability: 1 / sum };
};

/** All softmax probabilities of one row of logits. */
export const probabilitiesOf = (logits: ArrayLike<number>, start: number, classes: number): readonly number[] => {
  const row = Array.from({ length: classes }, (_, column) => logits[start + column] ?? Number.NaN);
  const highest = Math.max(...row);
  const powers = row.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
};
