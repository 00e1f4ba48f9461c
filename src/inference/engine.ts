import { RunError } from '../errors.js';
import { MAX_BATCH, planBatches } from './batches.js';
import type { Provider } from './device.js';
import type { JoinedOutput } from './package.js';
import { scoreRow } from './scores.js';
import { type ModelSession, openSession } from './session.js';
import { type Encoding, openTokenizer, type TextTokenizer } from './tokenizer.js';

/** A package as a worker is told of it: plain data. */
export interface EnginePackage {
  readonly folder: string;
  /** ONNX file, relative to the folder. */
  readonly file: string;
  readonly maxLength: number;
  readonly padId: number;
  readonly joined?: JoinedOutput | undefined;
}

export interface EngineOptions {
  readonly provider: Provider;
  /** Threads inside one operator. */
  readonly threads: number;
  /** The most texts that one run of the session gets, 1 to 128. */
  readonly microBatch: number;
  /** Is a run that fails what is being tried? Then ONNX Runtime need not say on stderr that it did. */
  readonly quiet?: boolean;
}

/** What one output said of every text of a request. `labels` are columns of the logits. */
export interface OutputScores {
  readonly labels: Uint8Array;
  readonly scores: Float32Array;
}

export interface EngineAnswer {
  readonly outputs: readonly OutputScores[];
  /** 1 where a text had more tokens than the model reads. */
  readonly truncated: Uint8Array;
}

export interface EngineRequest {
  readonly texts: readonly string[];
  /** Names of the graph's outputs; all of them come from one pass. */
  readonly outputs: readonly string[];
  /** Looked at between runs; true ends the request with an error. */
  readonly isCancelled?: () => boolean;
  /** Sees the logits of each run before they are dropped: `texts` are places in the request. */
  readonly onLogits?: (output: string, texts: readonly number[], values: Float32Array, classes: number) => void;
}

/** One package on one execution provider. Everything here blocks its thread: it belongs in a worker. */
export interface Engine {
  /** The inputs that the model asks for. */
  readonly inputs: readonly string[];
  /** The outputs that it has. */
  readonly outputs: readonly string[];
  classify(request: EngineRequest): Promise<EngineAnswer>;
  tokenize(text: string): Encoding;
  close(): Promise<void>;
}

/** @throws when the tokenizer or the session cannot be opened */
export const openEngine = async (
  { folder, file, maxLength, padId, joined }: EnginePackage,
  { provider, threads, microBatch, quiet = false }: EngineOptions,
): Promise<Engine> => {
  const tokenizer = await openTokenizer(folder, maxLength);
  // A GPU gets runs of one size only; on the CPU one row alone takes another kernel than two rows or more.
  const leastRows = provider === 'cpu' ? 2 : Math.min(microBatch, MAX_BATCH);
  const session = await openSession({ folder, file, provider, threads, padId, leastRows, joined, quiet });
  return {
    inputs: session.inputs,
    outputs: session.outputs,
    classify: (request) => classify(tokenizer, session, { maxLength, size: microBatch }, request),
    tokenize: (text) => tokenizer.encode(text),
    close: () => session.close(),
  };
};

/**
 * Asks one text. A GPU compiles its kernels only then, and may find that it has not what they need, as fp16.
 *
 * @throws what the run failed with, or NotFiniteError
 */
export const tryOut = async (engine: Engine): Promise<void> => {
  await engine.classify({ texts: ['The policy rate was left unchanged.'], outputs: engine.outputs });
};

const classify = async (
  tokenizer: TextTokenizer,
  session: ModelSession,
  plan: { readonly maxLength: number; readonly size: number },
  { texts, outputs, isCancelled = () => false, onLogits }: EngineRequest,
): Promise<EngineAnswer> => {
  const encodings = texts.map((text) => tokenizer.encode(text));
  const answer = {
    outputs: outputs.map(() => ({ labels: new Uint8Array(texts.length), scores: new Float32Array(texts.length) })),
    truncated: Uint8Array.from(encodings, ({ truncated }) => (truncated ? 1 : 0)),
  };

  for (const batch of planBatches(
    encodings.map(({ ids }) => ids.length),
    plan,
  )) {
    if (isCancelled()) throw new RunError('The request was cancelled.');
    const rows = batch.texts.flatMap((place) => encodings[place] ?? []);
    const logits = await session.run(rows, batch.length, outputs);
    logits.forEach(({ values, classes }, at) => {
      const output = outputs[at];
      const into = answer.outputs[at];
      if (output === undefined || into === undefined) return;
      onLogits?.(output, batch.texts, values, classes);
      batch.texts.forEach((place, row) => {
        const { label, probability } = scoreRow(values, row * classes, classes);
        if (Number.isNaN(probability)) throw new NotFiniteError(output, place);
        into.labels[place] = label;
        into.scores[place] = probability;
      });
    });
  }
  return answer;
};

/** A logit that is no number: the weights or the provider's arithmetic are broken. `text` is a place in the request. */
export class NotFiniteError extends Error {
  override name = 'NotFiniteError';
  constructor(
    readonly output: string,
    readonly text: number,
  ) {
    super(`The output ${output} is not finite for text ${text}.`);
  }
}
