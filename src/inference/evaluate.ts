/** How well a model's labels agree with people's. Pure figures; nothing is asked of a model here. */

export interface LabelScore {
  readonly label: string;
  /** Texts that people gave this label. */
  readonly support: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface Evaluation {
  readonly texts: number;
  readonly accuracy: number;
  /** Mean of the F1 of the labels that people gave. */
  readonly macroF1: number;
  /** The same, weighted by how often people gave them. */
  readonly weightedF1: number;
  /** 95% bootstrap intervals, texts drawn with replacement. */
  readonly intervals: Readonly<Record<'accuracy' | 'macroF1' | 'weightedF1', readonly [number, number]>>;
  readonly labels: readonly LabelScore[];
  /** `confusion[i][j]`: texts that people gave label i and the model label j, in the order of `order`. */
  readonly confusion: readonly (readonly number[])[];
  readonly order: readonly string[];
}

/**
 * @param order every label, people's and the model's
 * @param gold what people said, as places in `order`
 * @param given what the model said
 */
export const evaluate = (
  order: readonly string[],
  gold: readonly number[],
  given: readonly number[],
  { resamples = 1000, seed = 7 }: { readonly resamples?: number; readonly seed?: number } = {},
): Evaluation => {
  const confusion = confusionOf(order.length, gold, given);
  const scores = scoresOf(order, confusion);
  return {
    ...summaryOf(scores, confusion),
    intervals: bootstrap(order, gold, given, resamples, seed),
    labels: scores,
    confusion,
    order,
  };
};

type Summary = Pick<Evaluation, 'texts' | 'accuracy' | 'macroF1' | 'weightedF1'>;

const confusionOf = (size: number, gold: readonly number[], given: readonly number[]): number[][] => {
  const confusion = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const [at, label] of gold.entries()) {
    const row = confusion[label];
    const column = given[at];
    if (row === undefined || column === undefined) throw new RangeError(`Text ${at} has no pair of labels.`);
    row[column] = (row[column] ?? 0) + 1;
  }
  return confusion;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** 0/0 is 0, as scikit-learn has it. */
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const scoresOf = (order: readonly string[], confusion: readonly (readonly number[])[]): readonly LabelScore[] =>
  order.map((label, at) => {
    const right = confusion[at]?.[at] ?? 0;
    const support = sum(confusion[at] ?? []);
    const said = sum(confusion.map((row) => row[at] ?? 0));
    return {
      label,
      support,
      precision: ratio(right, said),
      recall: ratio(right, support),
      f1: ratio(2 * right, support + said),
    };
  });

const summaryOf = (scores: readonly LabelScore[], confusion: readonly (readonly number[])[]): Summary => {
  // A label that people never gave says nothing of the model but through the texts it took from others.
  const occurring = scores.filter(({ support }) => support > 0);
  const texts = sum(occurring.map(({ support }) => support));
  return {
    texts,
    accuracy: ratio(sum(confusion.map((row, at) => row[at] ?? 0)), texts),
    macroF1: ratio(sum(occurring.map(({ f1 }) => f1)), occurring.length),
    weightedF1: ratio(sum(occurring.map(({ f1, support }) => f1 * support)), texts),
  };
};

const bootstrap = (
  order: readonly string[],
  gold: readonly number[],
  given: readonly number[],
  resamples: number,
  seed: number,
): Evaluation['intervals'] => {
  const random = generator(seed);
  const drawn: Summary[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const picks = gold.map(() => Math.floor(random() * gold.length));
    const confusion = confusionOf(
      order.length,
      picks.map((at) => gold[at] ?? 0),
      picks.map((at) => given[at] ?? 0),
    );
    drawn.push(summaryOf(scoresOf(order, confusion), confusion));
  }
  const interval = (name: 'accuracy' | 'macroF1' | 'weightedF1'): readonly [number, number] => {
    const values = drawn.map((summary) => summary[name]).sort((a, b) => a - b);
    const quantile = (share: number): number =>
      values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
    return [quantile(0.025), quantile(0.975)];
  };
  return { accuracy: interval('accuracy'), macroF1: interval('macroF1'), weightedF1: interval('weightedF1') };
};

/** Mulberry32: small, seeded, good enough to draw texts. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
};
