import { join } from 'node:path';
import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { messageOf, RunError, UsageError } from '../errors.js';
import type { Provider } from './device.js';
import type { JoinedOutput } from './package.js';
import type { Encoding } from './tokenizer.js';

/** Logits of one output for the rows of one run, row after row. */
export interface Logits {
  readonly classes: number;
  readonly values: Float32Array;
}

export interface ModelSession {
  readonly inputs: readonly string[];
  /** Without the one that joins the others. */
  readonly outputs: readonly string[];
  /** Runs texts padded to `length` columns and gives the logits of the named outputs, in that order. */
  run(texts: readonly Encoding[], length: number, outputs: readonly string[]): Promise<readonly Logits[]>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly folder: string;
  /** ONNX file, relative to the folder. */
  readonly file: string;
  readonly provider: Provider;
  /** Threads inside one operator, on the CPU. */
  readonly threads: number;
  readonly padId: number;
  /**
   * Rows that every run has at least; a smaller batch is filled with copies of its last text, whose results are dropped.
   * Kernels for another number of rows may add in another order, and then the last bits would depend on the batch.
   */
  readonly leastRows: number;
  /** Read instead of the outputs that it joins where more than one of them is asked for. */
  readonly joined?: JoinedOutput | undefined;
  /** Is a run that fails what is being tried? Then ONNX Runtime need not say on stderr that it did. */
  readonly quiet?: boolean;
}

/** @throws Error of ONNX Runtime when the provider is not there or the model does not load */
export const openSession = async (options: SessionOptions): Promise<ModelSession> => {
  env.logLevel = 'error';
  const session = await InferenceSession.create(join(options.folder, options.file), {
    executionProviders: [options.provider],
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: options.quiet ? 4 : 3,
  });
  const unknown = session.inputNames.filter((name) => !(name in FEEDS));
  if (unknown.length > 0) {
    await session.release();
    throw new UsageError(
      `${join(options.folder, options.file)} asks for the inputs ${unknown.join(', ')}, which no text classifier has: export it with --task text-classification.`,
    );
  }
  return {
    inputs: session.inputNames,
    outputs: session.outputNames.filter((name) => name !== options.joined?.name),
    run: (texts, length, outputs) => run(session, options, texts, length, outputs),
    close: () => session.release(),
  };
};

/** What is fed to an input, by its name: only the inputs that the session asks for are made. */
const FEEDS: Readonly<
  Record<string, (texts: readonly Encoding[], rows: number, length: number, padId: number) => BigInt64Array>
> = {
  input_ids: (texts, rows, length, padId) =>
    fill(texts, rows, length, padId, (ids, row, at) => {
      for (let column = 0; column < ids.length; column += 1) row[at + column] = BigInt(ids[column] ?? padId);
    }),
  attention_mask: (texts, rows, length) =>
    fill(texts, rows, length, 0, (ids, row, at) => {
      row.fill(1n, at, at + ids.length);
    }),
  // One text is one segment: BERT's segment 0 everywhere.
  token_type_ids: (_texts, rows, length) => new BigInt64Array(rows * length),
};

const fill = (
  texts: readonly Encoding[],
  rows: number,
  length: number,
  padding: number,
  write: (ids: Int32Array, into: BigInt64Array, at: number) => void,
): BigInt64Array => {
  const values = new BigInt64Array(rows * length);
  if (padding !== 0) values.fill(BigInt(padding));
  for (let row = 0; row < rows; row += 1) {
    const text = texts[Math.min(row, texts.length - 1)];
    if (text) write(text.ids, values, row * length);
  }
  return values;
};

const run = async (
  session: InferenceSession,
  options: SessionOptions,
  texts: readonly Encoding[],
  length: number,
  outputs: readonly string[],
): Promise<readonly Logits[]> => {
  const { folder, file, padId, leastRows, joined } = options;
  const rows = Math.max(texts.length, leastRows);
  const feeds: Record<string, Tensor> = {};
  for (const name of session.inputNames) {
    const feed = FEEDS[name];
    if (feed) feeds[name] = new Tensor('int64', feed(texts, rows, length, padId), [rows, length]);
  }

  const path = join(folder, file);
  const columns = outputs.map((name) => joined?.columns[name]);
  const together = joined !== undefined && outputs.length > 1 && columns.every((own) => own !== undefined);
  const asked = together ? [joined.name] : [...outputs];
  let results: InferenceSession.ReturnType;
  try {
    results = await session.run(feeds, asked);
  } catch (error) {
    throw new RunError(`${path} failed on ${rows} texts of ${length} tokens: ${messageOf(error)}`, { cause: error });
  }
  const found = asked.map((name) => logitsOf(results[name], name, rows, path));
  const [all] = found;
  if (!together || all === undefined) return found;
  return columns.flatMap((own) => (own ? cutColumns(all, rows, own.start, own.classes) : []));
};

const logitsOf = (tensor: Tensor | undefined, name: string, rows: number, path: string): Logits => {
  const [first, classes] = tensor?.dims ?? [];
  if (!(tensor?.data instanceof Float32Array) || tensor.dims.length !== 2 || first !== rows || !classes) {
    throw new RunError(
      `${path} gave ${tensor?.type} of shape [${tensor?.dims.join(', ')}] for ${name}: float32 of shape [${rows}, labels] is needed. Export the model with float32 outputs.`,
    );
  }
  return { classes, values: tensor.data };
};

const cutColumns = (all: Logits, rows: number, start: number, classes: number): Logits => {
  const values = new Float32Array(rows * classes);
  for (let row = 0; row < rows; row += 1) {
    const from = row * all.classes + start;
    values.set(all.values.subarray(from, from + classes), row * classes);
  }
  return { classes, values };
};
