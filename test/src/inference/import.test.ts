import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { importPackage } from '../../../src/inference/import.js';
import { packagePath } from '../../../src/package-root.js';
import { PACKAGES } from './reference.js';

describe('importing a model', () => {
  let folder: string;
  let modelsFolder: string;
  const bundled = packagePath('models', 'central-bank');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fintext-import-'));
    modelsFolder = join(folder, 'models');
    await cp(bundled, join(modelsFolder, 'central-bank'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('puts the package in the place of the bundled one, without what does not belong to it', async () => {
    const mine = join(folder, 'mine');
    await cp(bundled, mine, { recursive: true });
    await writeFile(join(mine, 'optimizer.pt'), 'not part of a package');
    await importPackage(mine, 'cb_stance_label', modelsFolder);
    expect(await readdir(modelsFolder)).toEqual(['cb_stance_label', 'central-bank']);
    expect(await readdir(join(modelsFolder, 'cb_stance_label'))).not.toContain('optimizer.pt');
    // Imported again over the first one.
    await importPackage(mine, 'cb_stance_label', modelsFolder);
    expect(await readdir(modelsFolder)).toEqual(['cb_stance_label', 'central-bank']);
  });

  it('changes who answers for that model, and for no other', async () => {
    const options = { modelsFolder, device: 'cpu' } as const;
    const ids = ['cb_stance_label', 'cb_certain_label'] as const;
    const before = await findFingerprints(ids, options);
    const mine = join(folder, 'mine');
    await cp(bundled, mine, { recursive: true });
    await writeFile(join(mine, 'tokenizer_config.json'), '{"model_max_length": 128}');
    await importPackage(mine, 'cb_stance_label', modelsFolder);
    const after = await findFingerprints(ids, options);
    expect(after[0]?.fingerprint).not.toBe(before[0]?.fingerprint);
    expect(after[1]).toEqual(before[1]);
  });

  it('takes the graphs from a folder of their own, and says which variants it has', async () => {
    const mine = join(folder, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    await mkdir(join(mine, 'onnx'));
    await rename(join(mine, 'model.onnx'), join(mine, 'onnx', 'model.onnx'));
    await cp(join(mine, 'onnx', 'model.onnx'), join(mine, 'onnx', 'model_fp16.onnx'));
    await cp(join(mine, 'onnx', 'model.onnx'), join(mine, 'onnx', 'model_q4.onnx'));
    const imported = await importPackage(mine, 'ec_financial_sentiment', modelsFolder);
    expect(imported).toEqual({
      folder: join(modelsFolder, 'ec_financial_sentiment'),
      variants: ['full', 'fp16'],
      leftOut: [],
    });
    expect((await readdir(imported.folder)).filter((file) => file.endsWith('.onnx'))).toEqual([
      'model.onnx',
      'model_fp16.onnx',
    ]);
  });

  it('leaves a variant out whose answers depend on the batch, and one that does not run, and says why', async () => {
    const mine = join(folder, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    await mkdir(join(mine, 'onnx'));
    await cp(join(PACKAGES, 'bert-dynamic.onnx'), join(mine, 'onnx', 'model_quantized.onnx'));
    await writeFile(join(mine, 'onnx', 'model_fp16.onnx'), 'no graph');
    const { variants, leftOut } = await importPackage(mine, 'ec_financial_sentiment', modelsFolder);
    expect(variants).toEqual(['full']);
    expect(leftOut.map(({ file }) => file)).toEqual(['model_quantized.onnx', 'model_fp16.onnx']);
    expect(leftOut[0]?.reason).toMatch(/^gives a text other logits in another batch/);
    expect(leftOut[1]?.reason).toMatch(/^does not run: /);
    expect(await readdir(join(modelsFolder, 'ec_financial_sentiment'))).not.toContain('model_quantized.onnx');
  });

  it('refuses a package whose answers would depend on the batch, and leaves what was there', async () => {
    const mine = join(folder, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    await cp(join(PACKAGES, 'bert-dynamic.onnx'), join(mine, 'model.onnx'));
    await expect(importPackage(mine, 'ec_financial_sentiment', modelsFolder)).rejects.toThrow(
      `${join(mine, 'model.onnx')} gives a text other logits in another batch`,
    );
    await cp(join(PACKAGES, 'bert', 'model.onnx'), join(mine, 'model.onnx'));
    await cp(join(PACKAGES, 'bert-dynamic.onnx'), join(mine, 'model_quantized.onnx'));
    const config: unknown = JSON.parse(await readFile(join(mine, 'config.json'), 'utf8'));
    const named = Object.assign({}, config, { variants: { cpu: 'model_quantized.onnx' } });
    await writeFile(join(mine, 'config.json'), JSON.stringify(named));
    await expect(importPackage(mine, 'ec_financial_sentiment', modelsFolder)).rejects.toThrow(
      `${join(mine, 'model_quantized.onnx')} gives a text other logits in another batch`,
    );
    expect(await readdir(modelsFolder)).toEqual(['central-bank']);
  });

  it('takes nothing in that cannot answer for the model, and says why', async () => {
    const wrong = packagePath('test', 'support', 'packages', 'bert');
    await expect(importPackage(wrong, 'cb_stance_label', modelsFolder)).rejects.toThrow(
      /has the labels .*but the model cb_stance_label has Hawkish/,
    );
    await expect(importPackage(join(folder, 'nowhere'), 'cb_stance_label', modelsFolder)).rejects.toThrow('is missing');
    await expect(importPackage(bundled, 'no_such_model', modelsFolder)).rejects.toThrow(
      'There is no model no_such_model',
    );
    expect(await readdir(modelsFolder)).toEqual(['central-bank']);
  });
});
