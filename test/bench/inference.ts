/**
 * Sentences a second of one model package, by worker threads, threads in an operator and size of a run, beside two naive
 * ways: one sentence at a time, and batches of 128 in the order of the texts, padded to the longest.
 *
 *   node dist/test/bench/inference.js [--model cb_stance_label] [--models FOLDER] [--device cpu] [--variant auto] [--texts 2000]
 *
 * The texts are lines of the public corpora (../shared/corpora) where they are, else generated ones.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { DEVICES, type Device, planDevice, plannedProcessor } from '../../src/inference/device.js';
import { type LoadedModel, loadModels } from '../../src/inference/models.js';
import { openClassifier } from '../../src/inference/pool.js';
import { type ModelSession, openSession } from '../../src/inference/session.js';
import { type Encoding, openTokenizer, type TextTokenizer } from '../../src/inference/tokenizer.js';
import { VARIANT_NAMES, type VariantChoice } from '../../src/inference/variants.js';
import { packagePath } from '../../src/package-root.js';

interface Measured {
  readonly way: string;
  readonly workers: number;
  readonly threads: number;
  readonly run: number | string;
  readonly perSecond: number;
  /** Processor time of all threads for a thousand texts, in milliseconds: hardly moved by others' work. */
  readonly processor: number;
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      model: { type: 'string', default: 'cb_stance_label' },
      models: { type: 'string', default: packagePath('models') },
      device: { type: 'string', default: 'cpu' },
      variant: { type: 'string', default: 'auto' },
      texts: { type: 'string', default: '2000' },
    },
  });
  const device = DEVICES.find((name) => name === values.device) ?? 'cpu';
  const variant = VARIANT_NAMES.find((name) => name === values.variant) ?? 'auto';
  const loaded = await loadModels([values.model], { modelsFolder: values.models, variant });
  const [model] = loaded.values();
  if (!model) throw new Error(`No model ${values.model}.`);
  const texts = readTexts(Number(values.texts));

  const measured = [await measureOneByOne(model, texts), await measureUnsorted(model, texts)];
  for (const [workers, threads] of splitsOf(device)) {
    for (const microBatch of [8, 16, 32, 64, 128]) {
      measured.push(
        await measureClassifier({ model, texts, device, variant, workers, threads, microBatch, folder: values.models }),
      );
    }
  }
  print(model, model.package.modelFiles[plannedProcessor(planDevice(device))], texts, measured);
};

/** Ways to use the cores there are: all as workers, all as threads of one worker, and one core alone. */
const splitsOf = (device: Device): readonly (readonly [workers: number, threads: number])[] => {
  const cores = availableParallelism();
  if (device !== 'cpu') return [[1, 1]];
  return cores === 1
    ? [[1, 1]]
    : [
        [1, 1],
        [1, cores],
        [cores, 1],
      ];
};

const readTexts = (count: number): readonly string[] => {
  const folder = packagePath('..', 'shared', 'corpora', 'fin-num-claim', 'data', 'raw_earning_calls');
  if (!existsSync(folder)) return makeTexts(count);
  const texts: string[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (texts.length >= count) break;
    const sentences = readFileSync(join(folder, file), 'utf8').split(/(?<=[.!?])\s+/);
    texts.push(...sentences.filter((text) => text.length > 10).slice(0, 100));
  }
  return texts.slice(0, count);
};

const makeTexts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    'The Committee expects inflation to return to target. '.repeat(1 + (at % 9)),
  );

const openNaive = async (
  model: LoadedModel,
): Promise<{ readonly tokenizer: TextTokenizer; readonly session: ModelSession }> => {
  const { folder, maxLength, padId, modelFiles } = model.package;
  const options = {
    folder,
    file: modelFiles.cpu,
    provider: 'cpu',
    threads: availableParallelism(),
    padId,
    leastRows: 1,
  } as const;
  return { tokenizer: await openTokenizer(folder, maxLength), session: await openSession(options) };
};

const measureOneByOne = async (model: LoadedModel, texts: readonly string[]): Promise<Measured> => {
  const { tokenizer, session } = await openNaive(model);
  const figures = await time(texts.length, async () => {
    for (const text of texts) {
      const encoding = tokenizer.encode(text);
      await session.run([encoding], encoding.ids.length, [model.packageOutput.name]);
    }
  });
  await session.close();
  return { way: 'one at a time', workers: 0, threads: availableParallelism(), run: 1, ...figures };
};

const measureUnsorted = async (model: LoadedModel, texts: readonly string[]): Promise<Measured> => {
  const { tokenizer, session } = await openNaive(model);
  const figures = await time(texts.length, async () => {
    for (let at = 0; at < texts.length; at += 128) {
      const batch: readonly Encoding[] = texts.slice(at, at + 128).map((text) => tokenizer.encode(text));
      await session.run(batch, Math.max(...batch.map(({ ids }) => ids.length)), [model.packageOutput.name]);
    }
  });
  await session.close();
  return { way: 'unsorted', workers: 0, threads: availableParallelism(), run: 128, ...figures };
};

interface Way {
  readonly model: LoadedModel;
  readonly texts: readonly string[];
  readonly device: Device;
  readonly variant: VariantChoice;
  readonly workers: number;
  readonly threads: number;
  readonly microBatch: number;
  readonly folder: string;
}

const measureClassifier = async ({ model, texts, folder, ...options }: Way): Promise<Measured> => {
  const classifier = await openClassifier({ models: [model.id], modelsFolder: folder, ...options });
  const figures = await time(texts.length, async () => {
    await classifier.classify([model.id], texts);
  });
  await classifier.close();
  const { workers, threads, microBatch: run } = options;
  return { way: 'classifier', workers, threads, run, ...figures };
};

/** The best of three rounds, as others' work only ever takes time away. */
const time = async (count: number, work: () => Promise<void>): Promise<Pick<Measured, 'perSecond' | 'processor'>> => {
  let wall = Number.POSITIVE_INFINITY;
  let processor = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now();
    const used = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(used);
    wall = Math.min(wall, performance.now() - began);
    processor = Math.min(processor, (user + system) / 1000);
  }
  return { perSecond: (count / wall) * 1000, processor: (processor / count) * 1000 };
};

const print = (model: LoadedModel, file: string, texts: readonly string[], measured: readonly Measured[]): void => {
  const table = new Table({
    head: ['way', 'workers', 'threads', 'run', 'sentences/s', 'CPU ms/1,000'],
    style: { head: [], border: [], compact: true },
  });
  for (const { way, workers, threads, run, perSecond, processor } of measured) {
    table.push([way, workers || 'none', threads, run, Math.round(perSecond), Math.round(processor)]);
  }
  const characters = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  process.stdout.write(
    `${model.package.folder.split('/').at(-1)}, ${file}, ${availableParallelism()} cores, ${texts.length} texts of ${Math.round(characters)} characters on average\n${table.toString()}\n`,
  );
};

await main();
