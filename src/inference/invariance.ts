import { join } from 'node:path';
import { messageOf } from '../errors.js';
import { paddedLength } from './batches.js';
import { NotFiniteError, openEngine } from './engine.js';
import type { ModelPackage, PackageOutput } from './package.js';
import { openSession } from './session.js';
import { openTokenizer } from './tokenizer.js';

/** Of many lengths, so that they share a run with others in some orders and sizes and not in others. */
const TEXTS = [
  'Inflation rose.',
  'The Committee decided to leave the policy rate unchanged at its meeting.',
  'Revenue grew 12% to $4.1 billion, well above what we had guided to in July.',
  '',
  'We expect margins to come under pressure!',
  'In view of persistently high core inflation and a tight labour market, members judged that a further increase in the policy rate would be appropriate, while noting that the effects of earlier increases had not yet been felt in full.',
  'No.',
  'Housing starts fell for the third month in a row; prices of existing homes were little changed.',
  '???',
  'Thank you, operator, and good morning, everyone.',
];

/** What a logit may differ by, relative to its size: kernels for more rows may add in another order. */
const TOLERANCE = 1e-3;

/** Why a model file cannot answer: the end of a sentence that begins with its name, and what to do about it. */
export interface Unusable {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Whether a model file runs and gives logits, and whether what it says of a text depends on the other texts of its batch, as
 * it does where ranges are taken over the whole batch (`DynamicQuantizeLinear`). Runs it on the CPU, in this thread.
 *
 * @param asked - the outputs that it would answer with
 * @throws UsageError where its tokenizer cannot be used
 */
export const findBatchDependence = async (
  { folder, maxLength, padId, joined }: ModelPackage,
  file: string,
  asked: readonly PackageOutput[],
): Promise<Unusable | undefined> => {
  const names = asked.map(({ name }) => name);
  // What is wrong with the tokenizer is not the model file's fault.
  await openTokenizer(folder, maxLength);
  try {
    const engine = await openEngine(
      { folder, file, maxLength, padId, joined },
      { provider: 'cpu', threads: 1, microBatch: 32, quiet: true },
    );
    try {
      const logitsOf = async (texts: readonly string[]): Promise<readonly (readonly number[])[]> => {
        const rows = texts.map((): number[] => []);
        await engine.classify({
          texts,
          outputs: names,
          onLogits: (_output, places, values, classes) => {
            places.forEach((place, row) => {
              rows[place]?.push(...values.subarray(row * classes, (row + 1) * classes));
            });
          },
        });
        return rows;
      };
      const alone: (readonly number[])[] = [];
      for (const text of TEXTS) alone.push(...(await logitsOf([text])));
      // Each many times, so that a run is full of neighbours of another kind.
      const many = TEXTS.flatMap((text) => [text, ...TEXTS.map((other) => `${text} ${other}`)]);
      const among = (await logitsOf(many)).filter((_row, at) => at % (TEXTS.length + 1) === 0);
      const worst = Math.max(...alone.map((row, at) => distance(row, among[at] ?? [])));
      if (!(worst <= TOLERANCE)) {
        return {
          reason: `gives a text other logits in another batch (they differ by ${worst.toPrecision(2)}), so a label would depend on what else is asked`,
          remedy: 'Export it again without dynamic quantization, in fp32 if need be.',
        };
      }
      return alone.every(isDistribution)
        ? {
            reason: 'gives probabilities, of which probabilities would be taken once more',
            remedy: 'Export it again without the softmax at its end.',
          }
        : undefined;
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (error instanceof NotFiniteError) {
      return {
        reason: `gives logits in ${error.output} that are no numbers`,
        remedy: 'Its weights are broken: export it again.',
      };
    }
    return toUnusable(messageOf(error).replaceAll(`${join(folder, file)} `, ''));
  }
};

const toUnusable = (message: string): Unusable => ({
  reason: `does not run: ${message.split('\n')[0]?.replace(/[\s.]+$/, '')}`,
  remedy: REMEDIES.find(([symptom]) => symptom.test(message))?.[1] ?? 'Export it again.',
});

/** By what ONNX Runtime or the tokenizer says. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /external data/i,
    'Its weights lie in a file of their own, which belongs beside it under the name model.onnx_data: onnx.save_model with that as its location writes both.',
  ],
  [/invalid dimensions/i, 'It reads texts of one length or number only: export it again with dynamic axes.'],
  [/input data type/i, 'Export it again with inputs of int64, as optimum-cli does.'],
  [/float32 of shape/i, 'A conversion to fp16 can leave inputs and outputs as they are (keep_io_types).'],
  [
    /indices element out|broadcast an axis/i,
    'It may read fewer tokens than its settings say: write the most that it reads into config.json, as "max_length".',
  ],
  [/asks for the inputs/i, 'It may ask for input_ids, attention_mask and token_type_ids.'],
];

/** Are these numbers of 0 to 1 that add up to 1? */
const isDistribution = (row: readonly number[]): boolean =>
  row.every((value) => value >= 0) && Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-3;

/** Longer runs than this are not tried: their attention takes gigabytes. */
const LONGEST_TRIED = 1024;

/**
 * Whether what a model file says of a text depends on its padding, as it does where the graph is not told the attention mask
 * or reads the last column, and whether it reads as many tokens as its package says. Of a file that runs.
 */
export const findPaddingDependence = async (
  { folder, maxLength, padId }: ModelPackage,
  file: string,
  { name }: PackageOutput,
): Promise<Unusable | undefined> => {
  const tokenizer = await openTokenizer(folder, maxLength);
  const session = await openSession({ folder, file, provider: 'cpu', threads: 1, padId, leastRows: 2, quiet: true });
  const logitsOf = async (ids: Int32Array, length: number): Promise<readonly number[]> => {
    const [logits] = await session.run([{ ids, truncated: false }], length, [name]);
    return [...(logits?.values.subarray(0, logits.classes) ?? [])];
  };
  try {
    for (const { ids } of TEXTS.map((text) => tokenizer.encode(text))) {
      const most = paddedLength(ids.length + 1, maxLength);
      if (ids.length === 0 || ids.length === most) continue;
      const worst = distance(await logitsOf(ids, ids.length), await logitsOf(ids, most));
      if (worst <= TOLERANCE) continue;
      return {
        reason: `gives a text other logits with padding behind it (they differ by ${worst.toPrecision(2)}), so a label would not be that of the text alone`,
        remedy:
          'Export it again with attention_mask as an input; a model that reads padding in spite of it, as one that takes the last column or folds columns together (ConvBERT), cannot be used.',
      };
    }
    const { ids } = tokenizer.encode(`${TEXTS.join(' ')} `.repeat(40));
    const longest = Math.min(ids.length, LONGEST_TRIED);
    return await logitsOf(ids.subarray(0, longest), longest).then(
      () => undefined,
      () => ({
        reason: `does not read ${longest} tokens, and ${maxLength} is what its settings say`,
        remedy: 'Write the most that it reads into config.json, as "max_length".',
      }),
    );
  } finally {
    await session.close();
  }
};

const distance = (row: readonly number[], other: readonly number[]): number =>
  Math.max(...row.map((value, at) => Math.abs(value - (other[at] ?? Number.NaN)) / Math.max(1, Math.abs(value))));
