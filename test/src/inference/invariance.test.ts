import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findBatchDependence, findPaddingDependence } from '../../../src/inference/invariance.js';
import { loadModelPackage, type ModelPackage, ONLY_OUTPUT } from '../../../src/inference/package.js';
import { FAMILIES, PACKAGES } from './reference.js';

const wrongWith = async (modelPackage: ModelPackage, file: string) =>
  findBatchDependence(modelPackage, file, [...modelPackage.outputs.values()]);

test.each(FAMILIES)('a %s of fp32 depends on no batch', async (family) => {
  expect(await wrongWith(await loadModelPackage(join(PACKAGES, family)), 'model.onnx')).toBeUndefined();
});

test('a graph that takes ranges over the batch is found out, and one that does not run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-invariance-'));
  await cp(join(PACKAGES, 'bert'), folder, { recursive: true });
  await cp(join(PACKAGES, 'bert-dynamic.onnx'), join(folder, 'model_quantized.onnx'));
  await writeFile(join(folder, 'model_fp16.onnx'), 'no graph');
  const modelPackage = await loadModelPackage(folder);
  expect(await wrongWith(modelPackage, 'model_quantized.onnx')).toEqual({
    reason: expect.stringMatching(/^gives a text other logits in another batch \(they differ by [\d.e-]+\)/),
    remedy: expect.stringContaining('without dynamic quantization'),
  });
  expect(await wrongWith(modelPackage, 'model_fp16.onnx')).toEqual({
    reason: expect.stringMatching(/^does not run: .*[^.]$/),
    remedy: 'Export it again.',
  });
  await rm(folder, { recursive: true });
});

/** The reference package `bert` with other settings, and what its graph gives changed by further nodes, which find it as `before`. */
const changed = async (
  nodes: readonly Buffer[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ModelPackage> => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-invariance-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(PACKAGES, 'bert'), folder, { recursive: true });
  const config: unknown = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
  await writeFile(join(folder, 'config.json'), JSON.stringify(Object.assign({}, config, settings)));
  if (nodes.length > 0) {
    const graph = await readFile(join(folder, 'model.onnx'), 'latin1');
    const renamed = Buffer.from(graph.replaceAll('\x06logits', '\x06before'), 'latin1');
    // What follows a message of protocol buffers is merged into it: further nodes, and an output of float32 (type 1).
    const output = field(12, field(1, 'logits'), field(2, field(1, Buffer.of(8, 1))));
    await writeFile(join(folder, 'model.onnx'), Buffer.concat([renamed, field(7, ...nodes, output)]));
  }
  return loadModelPackage(folder);
};

/** One field of a protocol buffer that holds bytes. */
const field = (number: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.of(number * 8 + 2, (content.length % 128) + 128, content.length >> 7), content]);
};

const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attribute?: readonly [string, number],
): Buffer =>
  field(
    1,
    ...inputs.map((input) => field(1, input)),
    field(2, output),
    field(4, operator),
    // AttributeProto: its name, its value (3) and that this is a whole number (type 20, INT 2).
    ...(attribute ? [field(5, field(1, attribute[0]), Buffer.of(24, attribute[1], 160, 1, 2))] : []),
  );

const onlyOutput = ({ outputs }: ModelPackage) => outputs.get(ONLY_OUTPUT) ?? { name: '', labels: [] };

test.each(FAMILIES)('a %s of fp32 depends on no padding, and reads what it says', async (family) => {
  const modelPackage = await loadModelPackage(join(PACKAGES, family));
  expect(await findPaddingDependence(modelPackage, 'model.onnx', onlyOutput(modelPackage))).toBeUndefined();
});

test('a graph that looks at the padding is found out', async () => {
  const length = node('Shape', ['input_ids'], 'length', ['start', 1]);
  const asFloat = node('Cast', ['length'], 'columns', ['to', 1]);
  const modelPackage = await changed([length, asFloat, node('Add', ['before', 'columns'], 'logits')]);
  expect(await wrongWith(modelPackage, 'model.onnx')).toBeUndefined();
  expect(await findPaddingDependence(modelPackage, 'model.onnx', onlyOutput(modelPackage))).toEqual({
    reason: expect.stringMatching(/^gives a text other logits with padding behind it \(they differ by [\d.]+\)/),
    remedy: expect.stringContaining('attention_mask'),
  });
});

test('a graph that reads fewer tokens than its settings say is found out', async () => {
  const modelPackage = await changed([], { max_length: 400 });
  await writeFile(join(modelPackage.folder, 'tokenizer_config.json'), '{}');
  expect(await findPaddingDependence(modelPackage, 'model.onnx', onlyOutput(modelPackage))).toEqual({
    reason: 'does not read 400 tokens, and 400 is what its settings say',
    remedy: expect.stringContaining('"max_length"'),
  });
});

test('a graph that gives probabilities is found out', async () => {
  const modelPackage = await changed([node('Softmax', ['before'], 'logits')]);
  expect(await wrongWith(modelPackage, 'model.onnx')).toEqual({
    reason: 'gives probabilities, of which probabilities would be taken once more',
    remedy: expect.stringContaining('without the softmax'),
  });
});
