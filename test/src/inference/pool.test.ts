import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findModel } from '../../../models/catalog.js';
import { RunError, UsageError } from '../../../src/errors.js';
import { type Classifier, type ClassifierOptions, openClassifier } from '../../../src/inference/pool.js';
import { packagePath } from '../../../src/package-root.js';
import { FAMILIES, MODEL_OF, makeModelsFolder, makeTexts, openReference, PACKAGES } from './reference.js';

const MODELS = FAMILIES.map((family) => MODEL_OF[family]);

const use = async (
  options: Partial<ClassifierOptions>,
  work: (classifier: Classifier) => Promise<void>,
): Promise<void> => {
  const classifier = await openClassifier({
    models: ['ec_growth'],
    modelsFolder: PACKAGES,
    workers: 1,
    device: 'cpu',
    ...options,
  });
  try {
    await work(classifier);
  } finally {
    await classifier.close();
  }
};

describe('with models', () => {
  let modelsFolder: string;
  let classifier: Classifier;

  beforeAll(async () => {
    modelsFolder = await makeModelsFolder();
    classifier = await openClassifier({ models: MODELS, modelsFolder, workers: 2 });
  });

  afterAll(async () => {
    await classifier.close();
    await rm(modelsFolder, { recursive: true });
  });

  test('predictions are those of the engine, in the order of the texts', async () => {
    const texts = makeTexts(700);
    const answers = await classifier.classify(MODELS, texts);
    expect([...answers.keys()]).toEqual(MODELS);
    for (const family of FAMILIES) {
      const engine = await openReference(join(PACKAGES, family));
      const expected = await engine.classify({ texts, outputs: ['logits'] });
      const labels = findModel(MODEL_OF[family])?.labels ?? [];
      const answer = answers.get(MODEL_OF[family]);
      expect(answer?.labels).toEqual(Array.from(expected.outputs[0]?.labels ?? [], (column) => labels[column]));
      expect(answer?.scores).toEqual(expected.outputs[0]?.scores);
      expect(answer?.truncated).toEqual(expected.truncated);
      expect(new Set(answer?.labels).size).toBeGreaterThan(1);
      await engine.close();
    }
  });

  test('calls at the same time each get their own answers', async () => {
    const requests = [makeTexts(90, 2), makeTexts(1, 3), makeTexts(400, 4), [], makeTexts(33, 5)];
    const together = await Promise.all(requests.map((texts) => classifier.classify(['ec_growth'], texts)));
    for (const [at, texts] of requests.entries()) {
      const answer = together[at]?.get('ec_growth');
      expect(answer?.labels).toHaveLength(texts.length);
      expect(answer).toEqual((await classifier.classify(['ec_growth'], texts)).get('ec_growth'));
    }
  });

  test('the main thread stays free while models run', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await classifier.classify(MODELS, makeTexts(1000, 6));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  test('a call that is aborted rejects with the reason, and the next one is answered', async () => {
    const texts = makeTexts(3000);
    const controller = new AbortController();
    const call = classifier.classify(MODELS, texts, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('no longer wanted')), 30);
    await expect(call).rejects.toThrow('no longer wanted');
    expect((await classifier.classify(['ec_growth'], ['a text'])).get('ec_growth')?.labels).toHaveLength(1);
    await expect(
      classifier.classify(MODELS, texts, { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
  });

  test('the report says what runs and why nothing better does', () => {
    const { provider, requested, tried, onnxruntime, threads, workers } = classifier.report;
    expect({ requested, threads, workers }).toEqual({ requested: 'auto', threads: 1, workers: 2 });
    expect(onnxruntime).toMatch(/^\d+\.\d+\.\d+/);
    const better = ['cuda', 'webgpu'].slice(0, ['cuda', 'webgpu', 'cpu'].indexOf(provider));
    expect(tried.map((refusal) => refusal.provider)).toEqual(better);
    for (const { reason } of tried) expect(reason).not.toBe('');
  });

  test('a model that was not opened is wrong use', async () => {
    await expect(classifier.classify(['cb_stance_label'], ['a'])).rejects.toThrow(
      'The model cb_stance_label is not open here',
    );
  });
});

test('the variant that is asked for answers, and the report says which', async () => {
  const ids = ['ec_growth', 'cb_stance_label'] as const;
  const folder = packagePath('models');
  for (const variant of ['full', 'quantized', 'fp16'] as const) {
    await use({ models: ids, modelsFolder: folder, variant }, async (classifier) => {
      expect(classifier.report.variants).toEqual(
        new Map([
          ['earnings-call', variant],
          ['central-bank', variant],
        ]),
      );
      expect((await classifier.classify(ids, makeTexts(9))).get('cb_stance_label')?.labels).toHaveLength(9);
    });
  }
  await expect(openClassifier({ models: ['ec_growth'], modelsFolder: PACKAGES, variant: 'fp16' })).rejects.toThrow(
    'has no model_fp16.onnx',
  );
});

test('a shared encoder answers its models in one pass, in the spelling of the catalog', async () => {
  await use({ models: ['ec_growth', 'ec_financial_sentiment'] }, async (classifier) => {
    const texts = makeTexts(50);
    const answers = await classifier.classify(['ec_growth', 'ec_financial_sentiment'], texts);
    const growth = new Set(answers.get('ec_growth')?.labels);
    expect([...growth].filter((label) => !['Positive Growth', 'Negative Growth', 'Neutral'].includes(label))).toEqual(
      [],
    );
    expect(answers.get('ec_growth')?.truncated).toBe(answers.get('ec_financial_sentiment')?.truncated);
  });
});

test('a logit that is no number names the model and the text', async () => {
  await use({ models: ['ec_material_impact'] }, async (classifier) => {
    const call = classifier.classify(['ec_material_impact'], ['one text']);
    await expect(call).rejects.toThrow(
      'The model ec_material_impact gave a logit that is no number for text 0 (counted from 0)',
    );
    await expect(call).rejects.toBeInstanceOf(RunError);
  });
});

test.runIf(process.platform === 'linux').each(['cuda', 'webgpu'] as const)(
  'the device %s is used, or is wrong use with what to install',
  async (device) => {
    const opened = await openClassifier({ models: ['ec_growth'], modelsFolder: PACKAGES, device }).catch(
      (error: Error) => error,
    );
    if (opened instanceof Error) {
      expect(opened).toBeInstanceOf(UsageError);
      expect(opened.message).toMatch(new RegExp(`^The device ${device} cannot be used here: .*Install`));
    } else {
      await opened.close();
    }
  },
);

describe('with a worker that has no models', () => {
  const entry = packagePath('test', 'src', 'inference', 'stub-worker.mjs');
  const growth = ['ec_growth'] as const;

  test('a worker that dies fails its request, and another takes its place', async () => {
    await use({ entry }, async (classifier) => {
      const waiting = classifier.classify(growth, ['exit']);
      const behind = classifier.classify(growth, ['fine']);
      await expect(waiting).rejects.toThrow('An inference worker ended in the middle of its work (exit code 3)');
      expect((await behind).get('ec_growth')?.labels).toHaveLength(1);
      await expect(classifier.classify(growth, ['throw'])).rejects.toThrow('An inference worker died: out of luck');
      expect((await classifier.classify(growth, ['fine'])).get('ec_growth')?.labels).toHaveLength(1);
    });
  });

  test('a request that fails is over at once, and leaves the worker to others', async () => {
    await use({ entry }, async (classifier) => {
      const texts = [...makeTexts(5000), 'fail'];
      await expect(classifier.classify(growth, texts)).rejects.toThrow('the run failed');
      const { scores } = (await classifier.classify(growth, ['fine'])).get('ec_growth') ?? {};
      expect(scores?.[0]).toBeLessThan(8);
    });
  });

  test('the text that made a logit no number is counted from the start of the request', async () => {
    await use({ entry, workers: 2 }, async (classifier) => {
      const texts = makeTexts(5000).with(4321, 'not-finite');
      await expect(classifier.classify(growth, texts)).rejects.toThrow(
        'The model ec_growth gave a logit that is no number for text 4321',
      );
    });
  });

  test('requests take turns: a short one does not wait for all of a long one', async () => {
    await use({ entry }, async (classifier) => {
      const order: string[] = [];
      const long = classifier.classify(growth, makeTexts(2048 * 10)).then(() => order.push('long'));
      const short = classifier.classify(growth, ['short']).then(() => order.push('short'));
      await Promise.all([long, short]);
      expect(order).toEqual(['short', 'long']);
    });
  });

  test('a worker is never given more than 2,048 texts, and small requests are shared out', async () => {
    await use({ entry }, async (classifier) => {
      const { scores } = (await classifier.classify(growth, makeTexts(5000))).get('ec_growth') ?? {};
      expect([0, 2047, 2048, 4095, 4096, 4999].map((place) => scores?.[place])).toEqual([1, 1, 2, 2, 3, 3]);
    });
    await use({ entry, workers: 2 }, async (classifier) => {
      const { scores } = (await classifier.classify(growth, makeTexts(128))).get('ec_growth') ?? {};
      expect([...new Set(scores)]).toEqual([1]);
    });
  });

  test('aborting ends what is under way, and what waits', async () => {
    const controller = new AbortController();
    await use({ entry, signal: controller.signal }, async (classifier) => {
      const calls = [classifier.classify(growth, ['hang']), classifier.classify(growth, ['fine'])];
      const settled = Promise.allSettled(calls);
      controller.abort(new Error('the run was interrupted'));
      for (const call of await settled) expect(call).toMatchObject({ reason: { message: 'the run was interrupted' } });
    });
  });

  test('closing lets what is under way end, and rejects what waits', async () => {
    const classifier = await openClassifier({
      models: growth,
      modelsFolder: PACKAGES,
      workers: 1,
      device: 'cpu',
      entry,
    });
    const settled = Promise.allSettled([
      classifier.classify(growth, ['first']),
      classifier.classify(growth, ['second']),
    ]);
    await classifier.close();
    const [first, second] = await settled;
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { message: 'The classifier was closed before it answered.' } });
    await expect(classifier.classify(growth, ['late'])).rejects.toThrow('The classifier is closed');
  });
});

test('a package whose weights cannot be loaded is wrong use, and says which', async () => {
  const folder = await makeModelsFolder();
  await rm(join(folder, 'ec_growth'));
  await cp(join(PACKAGES, 'roberta'), join(folder, 'ec_growth'), { recursive: true });
  const path = join(folder, 'ec_growth', 'model.onnx');
  const bytes = await readFile(path);
  // An operator that no runtime has: the graph reads well, but no session opens.
  await writeFile(
    path,
    Buffer.from(bytes.toString('latin1').replaceAll('LayerNormalization', 'LayerNormalizatiom'), 'latin1'),
  );
  await expect(openClassifier({ models: ['ec_growth'], modelsFolder: folder, device: 'cpu' })).rejects.toThrow(
    /The model package ec_growth cannot be opened: /,
  );
  await rm(folder, { recursive: true });
});
