import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../src/errors.js';
import { fingerprintOutput, fingerprintPackage } from '../../../src/inference/fingerprints.js';
import { readGraphOutputs } from '../../../src/inference/onnx-graph.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { packagePath } from '../../../src/package-root.js';
import { PACKAGES } from './reference.js';

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'fintext-package-')), 'mine');
  await cp(join(PACKAGES, 'roberta'), folder, { recursive: true });
  return () => rm(join(folder, '..'), { recursive: true, force: true });
});

const edit = async (file: string, changes: Readonly<Record<string, unknown>>): Promise<void> => {
  const value = z.looseObject({}).parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
  await writeFile(join(folder, file), JSON.stringify({ ...value, ...changes }));
};

const problem = async (): Promise<string> => {
  const error: unknown = await loadModelPackage(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw new Error('The package was found to be sound.', { cause: error });
  expect(error.message).not.toContain('\n');
  return error.message;
};

test('a folder of optimum is a package with one output, its labels and its length', async () => {
  expect(await loadModelPackage(folder)).toEqual({
    folder,
    kind: 'single',
    family: 'roberta',
    maxLength: 128,
    padId: 1,
    outputs: new Map([['logits', { name: 'logits', labels: ['Positive Growth', 'Negative Growth', 'Neutral'] }]]),
    variants: ['full'],
    modelFiles: { cpu: 'model.onnx', gpu: 'model.onnx' },
  });
});

test('a shared encoder has one output for each of its models', async () => {
  const shared = await loadModelPackage(join(PACKAGES, 'earnings-call'));
  expect(shared.kind).toBe('shared');
  expect([...shared.outputs.keys()].sort()).toEqual(['ec_financial_sentiment', 'ec_growth', 'ec_material_impact']);
  expect(shared.outputs.get('ec_growth')).toEqual({
    name: 'ec_growth',
    labels: ['neutral', 'NEGATIVE_GROWTH', 'positive growth'],
  });
});

test('an output that joins the others says where each of them lies', async () => {
  await rm(folder, { recursive: true });
  await cp(packagePath('models', 'earnings-call'), folder, { recursive: true });
  const { joined, outputs } = await loadModelPackage(folder);
  let start = 0;
  for (const { name, labels } of outputs.values()) {
    expect(joined?.columns[name]).toEqual({ start, classes: labels.length });
    start += labels.length;
  }
  expect(joined?.name).toBe('all_logits');
});

test.each([
  [
    'gives too few logits',
    'ec_growth',
    /has 3 logits in ec_growth, which config\.json says joins its others \(51 logits/,
  ],
  ['is not there', 'everything', /has no output everything, which config\.json says joins its others \(54 logits/],
])('an output that should join the others and %s is named', async (_what, joined, said) => {
  await rm(folder, { recursive: true });
  await cp(packagePath('models', 'earnings-call'), folder, { recursive: true });
  await edit('config.json', { joined });
  expect(await problem()).toMatch(said);
});

test('where config.json lists the outputs in another order, or fewer of them, each lies where the graph has it', async () => {
  await rm(folder, { recursive: true });
  await cp(packagePath('models', 'earnings-call'), folder, { recursive: true });
  const { joined, outputs } = await loadModelPackage(folder);
  const backwards = [...outputs.values()].reverse().slice(1);
  const id2label = (labels: readonly string[]) => Object.fromEntries(labels.entries());
  await edit('config.json', {
    outputs: Object.fromEntries(backwards.map(({ name, labels }) => [name, { id2label: id2label(labels) }])),
  });
  expect((await loadModelPackage(folder)).joined).toEqual(joined);
});

test.each([
  ['roberta, whose positions start after the padding id', {}, { model_max_length: 512 }, 128],
  ['the tokenizer, when it says less', {}, { model_max_length: 64 }, 64],
  ['the positions, when the tokenizer says nothing', { model_type: 'bert' }, { model_max_length: 1e30 }, 130],
  ['max_length above all', { max_length: 96 }, { model_max_length: 64 }, 96],
])('the length is that of %s', async (_name, config, tokenizer, length) => {
  await edit('config.json', config);
  await edit('tokenizer_config.json', tokenizer);
  expect((await loadModelPackage(folder)).maxLength).toBe(length);
});

test('a tokenizer_config.json is not needed', async () => {
  await rm(join(folder, 'tokenizer_config.json'));
  expect((await loadModelPackage(folder)).maxLength).toBe(128);
});

test('a folder that is not there is named', async () => {
  folder = join(folder, 'nowhere');
  expect(await problem()).toContain(`There is no model package ${folder}`);
});

test.each(['config.json', 'tokenizer.json', 'model.onnx'])('a missing %s is named, with what to do', async (file) => {
  await rm(join(folder, file));
  expect(await problem()).toMatch(new RegExp(`has no ${file} .*optimum-cli export onnx`));
});

test('settings that are no JSON are named', async () => {
  await writeFile(join(folder, 'config.json'), '{"model_type": ');
  expect(await problem()).toContain(`${join(folder, 'config.json')} is no JSON`);
});

test.each([
  ['labels with a gap', { id2label: { 0: 'A', 2: 'B', 3: 'C' } }, 'id2label must be numbered 0, 1, 2… without a gap'],
  ['one label', { id2label: { 0: 'A' } }, 'id2label must have at least two labels'],
  ['no labels', { id2label: undefined }, 'id2label is missing'],
  ['no family', { model_type: undefined }, 'model_type is missing: export the model again with optimum-cli'],
  [
    'fewer labels than logits',
    { id2label: { 0: 'A', 1: 'B' } },
    'gives 3 logits in logits, but config.json names 2 labels',
  ],
  ['no length', { max_position_embeddings: undefined }, 'does not say how many tokens the model reads'],
  [
    'an output that the graph lacks',
    { outputs: { cb_stance_label: { id2label: { 0: 'A', 1: 'B', 2: 'C' } } } },
    'has no output cb_stance_label',
  ],
  [
    'a variant outside the package',
    { variants: { gpu: '../model.onnx' } },
    'variants.gpu must be the name of an .onnx file',
  ],
  ['a variant that is not there', { variants: { gpu: 'model_fp16.onnx' } }, 'has no model_fp16.onnx'],
])('%s is wrong', async (_name, config, message) => {
  await edit('config.json', config);
  await edit('tokenizer_config.json', { model_max_length: 1e30 });
  expect(await problem()).toContain(message);
});

test.each([
  ['text', Buffer.from('this is no model at all, only a line of text')],
  ['an empty file', Buffer.alloc(0)],
  ['a pointer of Git LFS', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n')],
])('%s in place of model.onnx is wrong', async (_name, bytes) => {
  await writeFile(join(folder, 'model.onnx'), bytes);
  expect(await problem()).toContain(`${join(folder, 'model.onnx')} cannot be read as an ONNX model`);
});

test('a model.onnx that was cut off is wrong', async () => {
  const bytes = await readFile(join(folder, 'model.onnx'));
  await writeFile(join(folder, 'model.onnx'), bytes.subarray(0, 100_000));
  expect(await problem()).toContain('it ends in the middle of a field');
});

test('the outputs of a graph are read with the number of their classes', async () => {
  expect(await readGraphOutputs(join(PACKAGES, 'earnings-call', 'model.onnx'))).toEqual(
    ['ec_financial_sentiment', 'ec_growth', 'ec_material_impact'].map((name) => ({ name, classes: 3 })),
  );
});

test('a fingerprint changes with the settings, the tokenizer and the weights, and not with the model card', async () => {
  const fingerprint = async (): Promise<string> => fingerprintPackage(await loadModelPackage(folder), 'cpu');
  const seen = [await fingerprint()];
  await writeFile(join(folder, 'README.md'), 'Another model card.');
  expect(await fingerprint()).toBe(seen[0]);

  await edit('tokenizer_config.json', { model_max_length: 64 });
  seen.push(await fingerprint());
  await edit('config.json', { max_length: 64 });
  seen.push(await fingerprint());
  await writeFile(join(folder, 'tokenizer.json'), `${await readFile(join(folder, 'tokenizer.json'), 'utf8')} `);
  seen.push(await fingerprint());
  await writeFile(join(folder, 'model.onnx_data'), 'external weights');
  seen.push(await fingerprint());
  expect(new Set(seen).size).toBe(5);
});

test.each(['model_quantized.onnx', 'tokenizer.json'])('a byte of %s that is another is told', async (file) => {
  const bundled = join(folder, '..', 'bundled');
  await cp(packagePath('models', 'earnings-call'), bundled, { recursive: true });
  await loadModelPackage(bundled);
  const bytes = await readFile(join(bundled, file));
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(join(bundled, file), bytes);
  await expect(loadModelPackage(bundled)).rejects.toThrow(/is not the file that config.json beside it was written for/);
  // A file that is not asked is not looked at.
  if (file === 'model_quantized.onnx') await loadModelPackage(bundled, 'full');
});

test('outputs of one package have different fingerprints', () => {
  const [a, b] = ['ec_growth', 'ec_financial_sentiment'].map((name) => fingerprintOutput('same', { name, labels: [] }));
  expect(a).not.toBe(b);
});

test('a variant that is there is used where it is asked for by name, and nowhere else unless config.json names it', async () => {
  await cp(join(PACKAGES, 'bert', 'model.onnx'), join(folder, 'model_quantized.onnx'));
  const unnamed = await loadModelPackage(folder);
  expect(unnamed.variants).toEqual(['full', 'quantized']);
  expect(unnamed.modelFiles).toEqual({ cpu: 'model.onnx', gpu: 'model.onnx' });
  const quantized = { cpu: 'model_quantized.onnx', gpu: 'model_quantized.onnx' };
  expect((await loadModelPackage(folder, 'quantized')).modelFiles).toEqual(quantized);
  await edit('config.json', { variants: { cpu: 'model_quantized.onnx' } });
  expect((await loadModelPackage(folder)).modelFiles).toEqual({ ...quantized, gpu: 'model.onnx' });
  expect((await loadModelPackage(folder, 'full')).modelFiles).toEqual({ cpu: 'model.onnx', gpu: 'model.onnx' });
});

test('a variant that is asked for by name and is not there is wrong use, with those that are', async () => {
  await expect(loadModelPackage(folder, 'fp16')).rejects.toThrow(UsageError);
  await expect(loadModelPackage(folder, 'fp16')).rejects.toThrow(
    /^The model package mine has no model_fp16.onnx, which the variant fp16 is \(it has full; .*--variant auto/,
  );
});

test('a variant changes the fingerprint of its kind of processor alone', async () => {
  const plain = await loadModelPackage(folder);
  const before = await fingerprintPackage(plain, 'gpu');
  expect(before).toBe(await fingerprintPackage(plain, 'cpu'));
  await cp(join(PACKAGES, 'bert', 'model.onnx'), join(folder, 'model_fp16.onnx'));
  await edit('config.json', { variants: { gpu: 'model_fp16.onnx' } });
  const varied = await loadModelPackage(folder);
  expect(varied.modelFiles).toEqual({ cpu: 'model.onnx', gpu: 'model_fp16.onnx' });
  expect(await fingerprintPackage(varied, 'gpu')).not.toBe(await fingerprintPackage(varied, 'cpu'));
});
