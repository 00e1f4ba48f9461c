import { messageOf } from '../errors.js';
import { NotFiniteError, openEngine } from './engine.js';
import type { ModelPackage, PackageOutput } from './package.js';

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
 * Whether a model file runs, and whether what it says of a text depends on the other texts of its batch, as it does where
 * ranges are taken over the whole batch (`DynamicQuantizeLinear`). Runs it on the CPU, in this thread.
 *
 * @param asked - the outputs that it would answer with
 */
export const findBatchDependence = async (
  { folder, maxLength, padId, joined }: ModelPackage,
  file: string,
  asked: readonly PackageOutput[],
): Promise<Unusable | undefined> => {
  const names = asked.map(({ name }) => name);
  try {
    const engine = await openEngine(
      { folder, file, maxLength, padId, joined },
      { provider: 'cpu', threads: 1, microBatch: 32 },
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
      return worst <= TOLERANCE
        ? undefined
        : {
            reason: `gives a text other logits in another batch (they differ by ${worst.toPrecision(2)}), so a label would depend on what else is asked`,
            remedy: 'Export it again without dynamic quantization, in fp32 if need be.',
          };
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
    const message = messageOf(error);
    return {
      reason: `does not run: ${message.split('\n')[0]?.replace(/[\s.]+$/, '')}`,
      remedy: /external data/i.test(message)
        ? 'Its weights lie in a file of their own: copy that beside it.'
        : 'Export it again.',
    };
  }
};

const distance = (row: readonly number[], other: readonly number[]): number =>
  Math.max(...row.map((value, at) => Math.abs(value - (other[at] ?? Number.NaN)) / Math.max(1, Math.abs(value))));
