import { UsageError } from '../errors.js';
import { readJsonLines } from '../json-lines.js';
import { openEngine } from './engine.js';
import { foldLabel } from './models.js';
import type { ModelPackage, PackageOutput } from './package.js';

/** A text, and what the model said of it where it came from, as `pipeline("text-classification")` of transformers gives it. */
export interface SampleText {
  readonly text: string;
  /** Column of the logits. */
  readonly label: number;
  /** Probability of the label, 0 to 1; undefined where the sample does not have it. */
  readonly score: number | undefined;
  readonly line: number;
}

/** How far a model file says the same of the samples. */
export interface Parity {
  readonly file: string;
  readonly texts: number;
  /** Texts with another label. */
  readonly differing: number;
  /** The most that a score differs, of those with the same label; undefined where there is none to compare. */
  readonly worst: number | undefined;
}

/** The texts of a sample, with the names of the labels that it speaks of. */
export interface ParitySample {
  readonly texts: readonly SampleText[];
  /** Does it name the labels as the model was exported, which others have replaced? Then it cannot tell whether those are in the right order. */
  readonly oldNames: boolean;
}

/** Torch and ONNX Runtime differ by some 1e-5 in fp32, and scores may have been rounded to three digits; another tokenizer or checkpoint differs by far more. */
const TOLERANCE = 2e-3;

/**
 * Reads JSON lines of `text`, `label` and, where there is one, `score`. All of its labels are named in one way: as the
 * package names them, or as it did before other names were put there (`before`, which may be empty).
 *
 * @throws UsageError with file and line where something is missing, or a label is in neither list
 */
export const readParitySample = async (
  file: string,
  labels: readonly string[],
  before: readonly string[],
): Promise<ParitySample> => {
  const lines: { readonly text: string; readonly label: string; readonly score: number | undefined; line: number }[] =
    [];
  for await (const { line, record } of readJsonLines(file)) {
    const { text, label, score } = record;
    if (typeof text !== 'string') throw new UsageError(`${file}, line ${line}: "text" is missing.`);
    if (typeof label !== 'string') throw new UsageError(`${file}, line ${line}: "label" is missing.`);
    if (score !== undefined && (typeof score !== 'number' || !(score >= 0 && score <= 1))) {
      throw new UsageError(`${file}, line ${line}: "score" is a probability, 0 to 1.`);
    }
    lines.push({ text, label, score, line });
  }
  if (lines.length === 0) throw new UsageError(`${file} holds no line: a sample has "text", "label" and "score".`);
  const columnIn = (list: readonly string[], label: string): number => list.map(foldLabel).indexOf(foldLabel(label));
  const oldNames = before.length > 0 && lines.every(({ label }) => columnIn(before, label) >= 0);
  const named = oldNames ? before : labels;
  return {
    oldNames,
    texts: lines.map(({ label, ...sample }) => {
      const column = columnIn(named, label);
      if (column >= 0) return { ...sample, label: column };
      throw new UsageError(
        `${file}, line ${sample.line}: the label "${label}" is none of ${[...new Set([...labels, ...before])].join(', ')}.`,
      );
    }),
  };
};

/**
 * Asks a model file the texts of the samples, on the CPU and in this thread.
 *
 * @returns how far it says the same, and the first sample of which it does not, with what it says
 */
export const findParity = async (
  { folder, maxLength, padId, joined }: ModelPackage,
  file: string,
  { name, labels }: PackageOutput,
  samples: readonly SampleText[],
): Promise<{ readonly parity: Parity; readonly first: string | undefined }> => {
  const engine = await openEngine(
    { folder, file, maxLength, padId, joined },
    { provider: 'cpu', threads: 1, microBatch: 32 },
  );
  try {
    const { outputs } = await engine.classify({ texts: samples.map(({ text }) => text), outputs: [name] });
    const [said] = outputs;
    let differing = 0;
    let worst: number | undefined;
    let first: string | undefined;
    for (const [at, { text, label, score, line }] of samples.entries()) {
      const own = { label: said?.labels[at] ?? -1, score: said?.scores[at] ?? Number.NaN };
      const distance = score === undefined ? undefined : Math.abs(own.score - score);
      if (own.label !== label) differing += 1;
      else if (distance !== undefined) worst = Math.max(worst ?? 0, distance);
      if (own.label !== label || (distance ?? 0) > TOLERANCE) {
        first ??= `line ${line}: the sample has ${described(labels[label], score)} for "${shortened(text)}", and it gives ${described(labels[own.label], own.score)}`;
      }
    }
    return { parity: { file, texts: samples.length, differing, worst }, first };
  } finally {
    await engine.close();
  }
};

const described = (label: string | undefined, score: number | undefined): string =>
  `${label}${score === undefined ? '' : ` (${score.toFixed(4)})`}`;

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
