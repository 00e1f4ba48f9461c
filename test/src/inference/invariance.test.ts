import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBatchDependence } from '../../../src/inference/invariance.js';
import { loadModelPackage, type ModelPackage } from '../../../src/inference/package.js';
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
