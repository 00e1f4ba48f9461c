import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../src/errors.js';
import { temporaryBeside } from '../../../src/files.js';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { importPackage } from '../../../src/inference/import.js';
import { loadModels, resolveModel } from '../../../src/inference/models.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { openClassifier } from '../../../src/inference/pool.js';
import { packagePath } from '../../../src/package-root.js';
import { FAMILIES, MODEL_OF, PACKAGES, readHard } from './reference.js';

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
    const first = await importPackage(mine, 'cb_stance_label', modelsFolder);
    expect(await readdir(modelsFolder)).toEqual(['cb_stance_label', 'central-bank', 'earnings-call']);
    expect(await readdir(join(modelsFolder, 'cb_stance_label'))).not.toContain('optimizer.pt');
    // The one that the folder lacked, so that it answers for every model.
    expect(first.copied).toEqual(['earnings-call']);
    expect((await loadModels(['ec_growth'], { modelsFolder })).get('ec_growth')?.own).toBe(false);
    // Imported again over the first one.
    expect((await importPackage(mine, 'cb_stance_label', modelsFolder)).copied).toEqual([]);
    expect(await readdir(modelsFolder)).toEqual(['cb_stance_label', 'central-bank', 'earnings-call']);
  });

  it('copies what links point to, so that the package stays when the cache that they lead to is emptied', async () => {
    const blobs = join(folder, 'blobs');
    await cp(join(PACKAGES, 'bert'), blobs, { recursive: true });
    const mine = join(folder, 'snapshot');
    await mkdir(mine);
    for (const name of await readdir(blobs)) await symlink(join('..', 'blobs', name), join(mine, name));
    const imported = await importPackage(mine, 'ec_financial_sentiment', modelsFolder);
    await rm(blobs, { recursive: true });
    const loaded = await loadModels(['ec_financial_sentiment'], { modelsFolder });
    expect(loaded.get('ec_financial_sentiment')).toMatchObject({ own: true, folder: imported.folder });
  });

  it('may run twice at a time into a folder that has nothing yet, and takes away what an import that was killed left', async () => {
    const fresh = join(folder, 'fresh');
    const models = ['ec_financial_sentiment', 'ec_growth'] as const;
    const families = ['bert', 'roberta'] as const;
    await Promise.all(models.map((model, at) => importPackage(join(PACKAGES, families[at] ?? ''), model, fresh)));
    expect(await readdir(fresh)).toEqual(['central-bank', 'earnings-call', ...models].sort());

    const own = join(fresh, 'ec_growth');
    // As a process that is no more leaves it when it is killed between two steps.
    const killed = (place: string): string => temporaryBeside(place).replace(`.${process.pid}.`, '.4194305.');
    await rename(own, killed(own));
    await mkdir(killed(join(fresh, 'central-bank')));
    expect(() => resolveModel('ec_growth', { modelsFolder: fresh })).toThrow('An import of ec_growth was cut short');
    await importPackage(join(PACKAGES, 'roberta'), 'ec_growth', fresh);
    expect(await readdir(fresh)).toEqual(['central-bank', 'earnings-call', ...models].sort());
    await rm(own, { recursive: true });
    expect(resolveModel('ec_growth', { modelsFolder: fresh })).toMatchObject({ own: false });
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
      neverGiven: [],
      parity: [],
      orderUnknown: false,
      copied: ['earnings-call'],
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

  it('says what to do where a file has another name, is missing, or the labels do not exclude one another', async () => {
    const mine = join(folder, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    const refused = (): Promise<string> =>
      importPackage(mine, 'ec_financial_sentiment', modelsFolder).then(
        () => 'taken',
        (error: unknown) => (error instanceof UsageError ? error.message : String(error)),
      );
    const config: unknown = JSON.parse(await readFile(join(mine, 'config.json'), 'utf8'));
    const withProblem = (problem: string): Promise<void> =>
      writeFile(join(mine, 'config.json'), JSON.stringify(Object.assign({}, config, { problem_type: problem })));
    await withProblem('multi_label_classification');
    expect(await refused()).toContain(`${join(mine, 'config.json')} says that its problem_type is multi_label`);
    await withProblem('single_label_classification');
    await rename(join(mine, 'tokenizer.json'), join(mine, 'vocab.txt'));
    expect(await refused()).toContain(`${mine} has no tokenizer.json: AutoTokenizer.from_pretrained`);
    await rename(join(mine, 'vocab.txt'), join(mine, 'tokenizer.json'));
    await rename(join(mine, 'model.onnx'), join(mine, 'model_optimized.onnx'));
    expect(await refused()).toContain(`${mine} has model_optimized.onnx and no model.onnx`);
    await rename(join(mine, 'model_optimized.onnx'), join(mine, 'model.onnx'));
    expect(await refused()).toBe('taken');
  });

  it('takes nothing in that cannot answer for the model, and says why', async () => {
    const wrong = packagePath('test', 'support', 'packages', 'bert');
    await expect(importPackage(wrong, 'cb_stance_label', modelsFolder)).rejects.toThrow(
      `${join(wrong, 'config.json')} has the labels Positive, Negative, Neutral, but the model cb_stance_label has Hawkish`,
    );
    await expect(importPackage(join(wrong, 'model.onnx'), 'cb_stance_label', modelsFolder)).rejects.toThrow(
      `${join(wrong, 'model.onnx')} is a file: name the folder`,
    );
    await expect(importPackage(wrong, 'ec_financial_sentiment', join(wrong, 'config.json'))).rejects.toThrow(
      '--models is a folder, or what will be one;',
    );
    await expect(importPackage(join(folder, 'nowhere'), 'cb_stance_label', modelsFolder)).rejects.toThrow('is missing');
    await expect(importPackage(bundled, 'no_such_model', modelsFolder)).rejects.toThrow(
      'There is no model no_such_model',
    );
    expect(await readdir(modelsFolder)).toEqual(['central-bank']);
  });

  it.each(FAMILIES)('finds that a %s says what it said in Python', async (family) => {
    const sample = join(folder, 'sample.jsonl');
    const model = MODEL_OF[family];
    const { outputs } = await loadModelPackage(join(PACKAGES, family));
    const labels = [...outputs.values()].flatMap((output) => output.labels);
    const lines = readHard(family).map(({ text, probabilities: [row = []] }) => {
      const score = Math.max(...row);
      return JSON.stringify({ text, label: labels[row.indexOf(score)], score });
    });
    await writeFile(sample, lines.join('\n'));
    const imported = await importPackage(join(PACKAGES, family), model, modelsFolder, { parity: sample });
    expect(imported.parity).toMatchObject([{ file: 'model.onnx', texts: lines.length, differing: 0 }]);
    expect(imported.parity[0]?.worst).toBeLessThan(1e-4);
  });

  it('refuses a tokenizer with a token that the graph does not know', async () => {
    const mine = join(folder, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    const tokenizer: unknown = JSON.parse(await readFile(join(mine, 'tokenizer.json'), 'utf8'));
    const { model } = z
      .looseObject({ model: z.looseObject({ vocab: z.record(z.string(), z.number()) }) })
      .parse(tokenizer);
    const next = Math.max(...Object.values(model.vocab)) + 1;
    const more = { ...model, vocab: { ...model.vocab, fomc: next } };
    await writeFile(join(mine, 'tokenizer.json'), JSON.stringify(Object.assign({}, tokenizer, { model: more })));
    await expect(importPackage(mine, 'ec_financial_sentiment', modelsFolder)).rejects.toThrow(
      `${join(mine, 'model.onnx')} does not know the token ${next}, which tokenizer.json beside it has`,
    );
    expect(await readdir(modelsFolder)).toEqual(['central-bank']);
  });

  describe('of labels without a name', () => {
    let mine: string;
    beforeEach(async () => {
      mine = join(folder, 'mine');
      await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
      const config: unknown = JSON.parse(await readFile(join(mine, 'config.json'), 'utf8'));
      const unnamed = Object.assign({}, config, { id2label: { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' } });
      await writeFile(join(mine, 'config.json'), JSON.stringify(unnamed));
    });

    it('says how to name them', async () => {
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder)).rejects.toThrow(
        'has the labels LABEL_0, LABEL_1, LABEL_2, but the model cb_stance_label has Hawkish, Dovish, Neutral, Irrelevant: say which they are, in the order of the logits, with models import --id2label',
      );
    });

    it('names them as it is told, and gives no label that the model does not have', async () => {
      const labels = ['dovish', 'HAWKISH', 'Neutral'];
      const imported = await importPackage(mine, 'cb_stance_label', modelsFolder, { labels });
      expect(imported.neverGiven).toEqual(['Irrelevant']);
      const texts = readHard('bert').map(({ text }) => text);
      const classifier = await openClassifier({ models: ['cb_stance_label'], modelsFolder, device: 'cpu', workers: 1 });
      const said = (await classifier.classify(['cb_stance_label'], texts)).get('cb_stance_label');
      await classifier.close();
      const highest = readHard('bert').map(({ probabilities: [row = []] }) => row.indexOf(Math.max(...row)));
      expect(said?.labels).toEqual(highest.map((column) => ['Dovish', 'Hawkish', 'Neutral'][column]));
      const named = (names: readonly string[]) =>
        importPackage(mine, 'cb_stance_label', modelsFolder, { labels: names });
      await expect(named(['Dovish', 'Hawkish'])).rejects.toThrow(/gives 3 logits in logits, but .* names 2 labels/);
      await expect(named(['Dovish', 'Hawkisch', 'Neutral'])).rejects.toThrow(
        '--id2label Dovish,Hawkisch,Neutral: the model cb_stance_label has no label "Hawkisch"',
      );
      await expect(named(['Dovish', 'dovish', 'Neutral'])).rejects.toThrow('each label once');
    });

    it('names them where the export did not write them down', async () => {
      const config: unknown = JSON.parse(await readFile(join(mine, 'config.json'), 'utf8'));
      const { id2label: _names, ...rest } = z.looseObject({ id2label: z.unknown() }).parse(config);
      await writeFile(join(mine, 'config.json'), JSON.stringify(rest));
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder)).rejects.toThrow('models import --id2label');
      const labels = ['Dovish', 'Hawkish', 'Neutral'];
      expect((await importPackage(mine, 'cb_stance_label', modelsFolder, { labels })).neverGiven).toEqual([
        'Irrelevant',
      ]);
    });

    it('compares the package with what it said where it came from, under its old labels or the new ones', async () => {
      const sample = join(folder, 'sample.jsonl');
      const write = (scored: (score: number) => number, names: readonly string[]): Promise<void> => {
        const lines = readHard('bert').map(({ text, probabilities: [row = []] }) => {
          const score = Math.max(...row);
          return JSON.stringify({ text, label: names[row.indexOf(score)], score: scored(score) });
        });
        return writeFile(sample, lines.join('\n'));
      };
      const labels = ['Dovish', 'Hawkish', 'Neutral'];
      const options = { labels, parity: sample };
      for (const [names, orderUnknown] of [
        [['LABEL_0', 'LABEL_1', 'LABEL_2'], true],
        [labels, false],
      ] as const) {
        await write((score) => score, names);
        const imported = await importPackage(mine, 'cb_stance_label', modelsFolder, options);
        expect(imported.orderUnknown).toBe(orderUnknown);
        const [parity] = imported.parity;
        expect(parity).toMatchObject({ file: 'model.onnx', texts: readHard('bert').length, differing: 0 });
        expect(parity?.worst).toBeLessThan(1e-4);
      }
      await write((score) => score - 0.01, labels);
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder, options)).rejects.toThrow(
        `${join(mine, 'model.onnx')} does not say what ${sample} says, line 1: the sample has Neutral (0.3780) for "The Committee decided to raise`,
      );
      await write((score) => score, ['Hawkish', 'Dovish', 'Neutral']);
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder, options)).rejects.toThrow(
        'Is it the same checkpoint',
      );
      await writeFile(sample, '{"text": "Prices rose.", "label": "Bullish"}');
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder, options)).rejects.toThrow(
        `${sample}, line 1: the label "Bullish" is none of Dovish, Hawkish, Neutral, LABEL_0, LABEL_1, LABEL_2.`,
      );
      await writeFile(sample, '{"text": "Prices rose.", "label": "LABEL_2"}\n{"text": "No."}');
      await expect(importPackage(mine, 'cb_stance_label', modelsFolder, options)).rejects.toThrow(
        'sample.jsonl, line 2: "label" is missing.',
      );
    });
  });
});
