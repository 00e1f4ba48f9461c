/**
 * Whether the shipped files compute over WebGPU what they compute on the processor, on a machine without a GPU: a Vulkan
 * driver that computes in software runs the same kernels. Its speed says nothing of a GPU's; that is gpu.ts.
 *
 *   VK_DRIVER_FILES=<driver>.json node dist/test/bench/software-gpu.js [--package central-bank] [--file model_fp16.onnx]
 *                                                                      [--count 1000] [--rows 128]
 *
 * `VK_DRIVER_FILES` names the driver that the Vulkan loader takes. SwiftShader (`vk_swiftshader_icd.json` beside Chromium)
 * runs `model.onnx` and has no fp16; llvmpipe (`lvp_icd.json`) runs both from Mesa 25 on, the one of Debian 12 neither
 * (its backports have 25).
 *
 * The texts are those of the public corpora. `differ` counts the labels that are not those of `model.onnx` on the
 * processor, `score` is the most that a score does; `other neighbours` counts the labels and scores that are others when
 * the texts come in another order, so that each is in a run with others. Where there is one, or a score is no number, it
 * ends with exit code 1.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { type Engine, openEngine } from '../../src/inference/engine.js';
import { loadModelPackage, type ModelPackage } from '../../src/inference/package.js';
import { VARIANTS } from '../../src/inference/variants.js';
import { packagePath } from '../../src/package-root.js';
import { findPackage, readTexts } from './texts.js';

const { values } = parseArgs({
  options: {
    package: { type: 'string', multiple: true, default: ['central-bank', 'earnings-call'] },
    file: { type: 'string', multiple: true, default: [VARIANTS.fp16] },
    count: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '128' },
  },
});

/** Of each text, one after the other, the label and the score of every output. */
interface Answers {
  readonly labels: readonly number[];
  readonly scores: readonly number[];
}

const open = (
  { folder, maxLength, padId, joined }: ModelPackage,
  file: string,
  provider: 'cpu' | 'webgpu',
): Promise<Engine> =>
  openEngine({ folder, file, maxLength, padId, joined }, { provider, threads: 1, microBatch: Number(values.rows) });

const ask = async (engine: Engine, texts: readonly string[]): Promise<Answers> => {
  const { outputs } = await engine.classify({ texts, outputs: engine.outputs });
  return {
    labels: texts.flatMap((_text, at) => outputs.map(({ labels }) => labels[at] ?? Number.NaN)),
    scores: texts.flatMap((_text, at) => outputs.map(({ scores }) => scores[at] ?? Number.NaN)),
  };
};

const differing = (some: readonly number[], others: readonly number[]): number =>
  some.filter((value, at) => value !== others[at]).length;

/** The same texts, each beside others: every seventh, then every seventh from the second on, and so on. */
const STEP = 7;
const reordered = (count: number): readonly number[] =>
  Array.from({ length: STEP }, (_, from) => from).flatMap((from) =>
    Array.from({ length: Math.ceil((count - from) / STEP) }, (_, at) => from + at * STEP),
  );

const main = async (): Promise<void> => {
  const driver = process.env.VK_DRIVER_FILES;
  if (driver === undefined)
    throw new Error('VK_DRIVER_FILES names no driver: the head of this file says which there are.');
  const table = new Table({
    head: ['package', 'file', 'texts', 'labels', 'differ', 'score', 'other neighbours', 'texts/s'],
    style: { head: [], border: [], compact: true },
  });
  for (const name of values.package.map(findPackage)) {
    const modelPackage = await loadModelPackage(packagePath('models', name));
    const texts = readTexts(name, Number(values.count));
    const processor = await open(modelPackage, VARIANTS.full, 'cpu');
    const expected = await ask(processor, texts);
    await processor.close();
    for (const file of values.file) {
      const gpu = await open(modelPackage, file, 'webgpu');
      const began = performance.now();
      const found = await ask(gpu, texts);
      const seconds = (performance.now() - began) / 1000;
      const order = reordered(texts.length);
      const among = await ask(
        gpu,
        order.map((at) => texts[at] ?? ''),
      );
      await gpu.close();
      const heads = found.labels.length / texts.length;
      const inOrder = (numbers: readonly number[]): readonly number[] =>
        order.flatMap((at) => numbers.slice(at * heads, (at + 1) * heads));
      const depends = differing(among.labels, inOrder(found.labels)) + differing(among.scores, inOrder(found.scores));
      const furthest = found.scores.reduce(
        (most, score, at) => Math.max(most, Math.abs(score - (expected.scores[at] ?? 0))),
        0,
      );
      table.push([
        ...[name, file, texts.length, found.labels.length, differing(found.labels, expected.labels)],
        ...[furthest.toFixed(6), depends, (texts.length / seconds).toFixed(1)],
      ]);
      if (depends > 0 || Number.isNaN(furthest)) process.exitCode = 1;
    }
  }
  process.stdout.write(`${driver}\n${table.toString()}\n`);
};

await main();
