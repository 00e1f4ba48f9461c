import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MODELS } from '../../../models/catalog.js';
import { type Provider, plannedProcessor } from '../../../src/inference/device.js';
import { type Engine, openEngine } from '../../../src/inference/engine.js';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { openSession } from '../../../src/inference/session.js';
import {
  chooseFiles,
  VARIANT_NAMES,
  VARIANTS,
  type Variant,
  type VariantChoice,
  variantOf,
} from '../../../src/inference/variants.js';
import { packagePath } from '../../../src/package-root.js';
import { seededRandom } from '../../support/random.js';
import { makeTexts } from './reference.js';

const PACKAGES = ['central-bank', 'earnings-call'] as const;
const folderOf = (name: string): string => packagePath('models', name);

const OURS = { cpu: 'model_quantized.onnx', gpu: 'model_fp16.onnx' };

test.each<readonly [Provider, VariantChoice, typeof OURS | Record<string, never>, string]>([
  ['cpu', 'auto', OURS, 'model_quantized.onnx'],
  ['cuda', 'auto', OURS, 'model_fp16.onnx'],
  ['webgpu', 'auto', OURS, 'model_fp16.onnx'],
  ['cpu', 'auto', {}, 'model.onnx'],
  ['cuda', 'auto', {}, 'model.onnx'],
  ['webgpu', 'auto', {}, 'model.onnx'],
  ['cpu', 'full', OURS, 'model.onnx'],
  ['cuda', 'full', OURS, 'model.onnx'],
  ['webgpu', 'full', OURS, 'model.onnx'],
  ['cpu', 'quantized', {}, 'model_quantized.onnx'],
  ['cuda', 'quantized', OURS, 'model_quantized.onnx'],
  ['cpu', 'fp16', OURS, 'model_fp16.onnx'],
  ['webgpu', 'fp16', {}, 'model_fp16.onnx'],
])('on %s the variant %s of a package that names %j is %s', (provider, choice, named, file) => {
  expect(chooseFiles(choice, named)[plannedProcessor({ candidates: [provider], refused: [] })]).toBe(file);
});

test('where a GPU is planned and the CPU may have to stand in, the file is the GPU’s, whichever opens', () => {
  expect(plannedProcessor({ candidates: ['webgpu', 'cpu'], refused: [] })).toBe('gpu');
});

test('a file is told by the name of its variant, or by its own', () => {
  expect(VARIANT_NAMES.map((name) => variantOf(VARIANTS[name]))).toEqual(VARIANT_NAMES);
  expect(variantOf('model_q4.onnx')).toBe('model_q4.onnx');
});

const open = async (name: string, variant: Variant, microBatch = 32): Promise<Engine> => {
  const { folder, maxLength, padId, joined } = await loadModelPackage(folderOf(name), variant);
  const opened = { folder, file: VARIANTS[variant], maxLength, padId, joined };
  return openEngine(opened, { provider: 'cpu', threads: 1, microBatch });
};

/** All logits of each text, bit for bit. */
const bitsOf = async (engine: Engine, texts: readonly string[]): Promise<readonly string[]> => {
  const rows = texts.map(() => '');
  await engine.classify({
    texts,
    outputs: engine.outputs,
    onLogits: (_output, places, values, classes) => {
      places.forEach((place, row) => {
        rows[place] += Buffer.from(values.slice(row * classes, (row + 1) * classes).buffer).toString('hex');
      });
    },
  });
  return rows;
};

/** Sentences that were written for the training of the models, of every kind that they are asked about: 2,000 of them, evenly chosen. */
const written = (): readonly string[] => {
  const folder = packagePath('models', 'training', 'sentences');
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  const step = Math.max(1, lines.length / 2000);
  return Array.from({ length: Math.floor(lines.length / step) }, (_, at) => lines[Math.floor(at * step)] ?? '').map(
    (line) => z.object({ text: z.string() }).parse(JSON.parse(line)).text,
  );
};

const shuffledPlaces = (count: number, seed: number): readonly number[] => {
  const chance = seededRandom(seed);
  return Array.from({ length: count }, (_, place) => ({ place, key: chance.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ place }) => place);
};

const labelsOf = (logits: Float32Array, classes: number): readonly number[] =>
  Array.from({ length: logits.length / classes }, (_, row) => {
    const values = [...logits.subarray(row * classes, (row + 1) * classes)];
    return values.indexOf(Math.max(...values));
  });

describe.each(PACKAGES)('%s', (name) => {
  test('ships every variant, and names one for each kind of processor that it ships', async () => {
    const { variants, modelFiles } = await loadModelPackage(folderOf(name));
    expect(variants).toEqual(VARIANT_NAMES);
    expect(VARIANT_NAMES.map((variant) => VARIANTS[variant])).toEqual(
      expect.arrayContaining([modelFiles.cpu, modelFiles.gpu]),
    );
  });

  test('its variants were made of the model.onnx that it ships, and those that are taken were measured to be good', () => {
    const results = Results.parse(JSON.parse(readFileSync(packagePath('models', 'training', 'results.json'), 'utf8')));
    const measured = results[name]?.variants;
    const bytes = readFileSync(join(folderOf(name), 'model.onnx'));
    expect(measured?.of).toBe(createHash('sha256').update(bytes).digest('hex'));
    const config: unknown = JSON.parse(readFileSync(join(folderOf(name), 'config.json'), 'utf8'));
    expect(config).toMatchObject({ variants: measured?.taken ?? 'none' });
    const { full, quantized, fp16 } = measured?.files ?? {};
    for (const [file, found] of [
      [measured?.taken.cpu, quantized],
      [measured?.taken.gpu, fp16],
    ] as const) {
      if (file !== 'model.onnx') expect(found?.mean_change).toBeGreaterThanOrEqual(-0.005);
    }
    if (measured?.taken.cpu !== 'model.onnx') {
      expect(quantized?.sentences_per_second_per_core).toBeGreaterThanOrEqual(full?.sentences_per_second_per_core ?? 0);
    }
  });

  test('its variants have different fingerprints, and auto has that of the one that it takes', async () => {
    const [model] = MODELS.filter((entry) => entry.package === name);
    if (!model) throw new Error(`No model is answered by ${name}.`);
    const fingerprint = async (variant: VariantChoice): Promise<string | undefined> =>
      (await findFingerprints([model.id], { device: 'cpu', variant }))[0]?.fingerprint;
    const all = await Promise.all(VARIANT_NAMES.map(fingerprint));
    expect(new Set(all).size).toBe(VARIANT_NAMES.length);
    const { modelFiles } = await loadModelPackage(folderOf(name));
    expect(await fingerprint('auto')).toBe(all[VARIANT_NAMES.findIndex((one) => VARIANTS[one] === modelFiles.cpu)]);
  });

  test.each(VARIANT_NAMES)(
    '%s gives a text the same bits alone, among others, shuffled, and in any size of run',
    async (variant) => {
      const texts = [...makeTexts(150), ...written().filter((_text, at) => at % 8 === 0)];
      const engine = await open(name, variant);
      const together = await bitsOf(engine, texts);
      expect(new Set(together).size).toBeGreaterThan(texts.length / 2);
      for (const place of [0, 1, 17, 149, texts.length - 1]) {
        expect(await bitsOf(engine, [texts[place] ?? ''])).toEqual([together[place]]);
      }
      for (const seed of [1, 2]) {
        const order = shuffledPlaces(texts.length, seed);
        expect(
          await bitsOf(
            engine,
            order.map((at) => texts[at] ?? ''),
          ),
        ).toEqual(order.map((at) => together[at]));
      }
      await engine.close();
      for (const microBatch of [1, 7, 128]) {
        const other = await open(name, variant, microBatch);
        expect(await bitsOf(other, texts)).toEqual(together);
        await other.close();
      }
    },
  );

  test.each(VARIANT_NAMES)('%s: all heads read at once are, bit for bit, each read by itself', async (variant) => {
    const { folder, maxLength, padId, joined } = await loadModelPackage(folderOf(name), variant);
    expect(joined).toBeDefined();
    const options = { provider: 'cpu', threads: 1, microBatch: 32 } as const;
    const [together, apart] = [
      await openEngine({ folder, file: VARIANTS[variant], maxLength, padId, joined }, options),
      await openEngine({ folder, file: VARIANTS[variant], maxLength, padId }, options),
    ];
    const texts = makeTexts(60, 5);
    const each: string[] = texts.map(() => '');
    for (const output of together.outputs) {
      await apart.classify({
        texts,
        outputs: [output],
        onLogits: (_output, places, values, classes) => {
          places.forEach((place, row) => {
            each[place] += Buffer.from(values.slice(row * classes, (row + 1) * classes).buffer).toString('hex');
          });
        },
      });
    }
    expect(await bitsOf(together, texts)).toEqual(each);
    await together.close();
    await apart.close();
  });

  test.each(VARIANT_NAMES)('%s gives a text the same labels however far its batch is padded', async (variant) => {
    const { folder, maxLength, padId, joined } = await loadModelPackage(folderOf(name), variant);
    const engine = await open(name, variant);
    const rows = written()
      .filter((_text, at) => at % 5 === 0)
      .map((text) => engine.tokenize(text));
    const session = await openSession({
      folder,
      file: VARIANTS[variant],
      provider: 'cpu',
      threads: 1,
      padId,
      leastRows: 2,
      joined,
    });
    const longest = Math.max(...rows.map(({ ids }) => ids.length));
    const labels = async (length: number): Promise<readonly (readonly number[])[]> =>
      (await session.run(rows, length, session.outputs)).map(({ values, classes }) => labelsOf(values, classes));
    const tight = await labels(longest);
    expect(await labels(longest + 1)).toEqual(tight);
    expect(await labels(Math.min(maxLength, longest + 61))).toEqual(tight);
    await session.close();
    await engine.close();
  });

  test.each(['quantized', 'fp16'] as const)('%s gives the labels of full, but for one in 200', async (variant) => {
    const texts = written();
    const [full, other] = [await open(name, 'full'), await open(name, variant)];
    expect([...other.outputs].sort()).toEqual([...full.outputs].sort());
    const outputs = full.outputs;
    const [expected, found] = [await full.classify({ texts, outputs }), await other.classify({ texts, outputs })];
    let differ = 0;
    outputs.forEach((_output, at) => {
      const wanted = expected.outputs[at]?.labels ?? [];
      wanted.forEach((label, place) => {
        if (found.outputs[at]?.labels[place] !== label) differ += 1;
      });
    });
    expect(differ / (texts.length * outputs.length)).toBeLessThanOrEqual(1 / 200);
    await full.close();
    await other.close();
  });
});

test('all packages together stay below 60 MB', () => {
  const bytes = PACKAGES.flatMap((name) =>
    readdirSync(folderOf(name)).map((file) => readFileSync(join(folderOf(name), file)).length),
  );
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60e6);
});

const Measured = z.object({
  sentences_per_second_per_core: z.number().nullable(),
  mean_change: z.number().optional(),
});

const Results = z.record(
  z.string(),
  z.object({
    variants: z
      .object({
        of: z.string(),
        taken: z.object({ cpu: z.string(), gpu: z.string() }),
        files: z.object({ full: Measured, quantized: Measured, fp16: Measured }),
      })
      .optional(),
  }),
);
