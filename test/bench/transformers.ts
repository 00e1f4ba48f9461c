/**
 * The engine beside `@huggingface/transformers`, which somebody would take who reads such a package in Node: the same
 * model.onnx, the same sentences, in one run, on the CPU. It is no dependency:
 *
 *   npm install --prefix /somewhere/else --ignore-scripts @huggingface/transformers
 *   node dist/test/bench/transformers.js --transformers /somewhere/else [--package central-bank] [--texts 20000]
 *
 * Theirs is asked as its documentation does it, in batches that are padded to their longest text: of 128 and of 32 as the
 * texts come, and of 32 sorted by length, which is the most that a careful user would do. It gives all heads in any case.
 * Printed with each way: how many of the labels of the package's first model are those of the engine's `full` variant.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { MODELS, type ModelId } from '../../models/catalog.js';
import { openClassifier } from '../../src/inference/pool.js';
import type { VariantChoice } from '../../src/inference/variants.js';
import { packagePath } from '../../src/package-root.js';
import { findPackage, readTexts } from './texts.js';

const { values } = parseArgs({
  options: {
    /** The folder that `@huggingface/transformers` was installed into. */
    transformers: { type: 'string', default: '' },
    package: { type: 'string', default: 'central-bank' },
    texts: { type: 'string', default: '20000' },
    /** Started by this file itself: theirs, with the texts and the package in a folder. */
    folder: { type: 'string' },
  },
});

interface Measured {
  readonly way: string;
  readonly perSecond: number;
  /** Processor time of all threads for a thousand texts, milliseconds. */
  readonly processor: number;
  readonly labels: readonly string[];
}

const ROUNDS = 2;

/** The best of the rounds, as others' work only ever takes time away. */
const time = async (way: string, count: number, work: () => Promise<readonly string[]>): Promise<Measured> => {
  let best: Measured | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    const labels = await work();
    const { user, system } = process.cpuUsage(used);
    const perSecond = (count / (performance.now() - began)) * 1000;
    if (best === undefined || perSecond > best.perSecond)
      best = { way, perSecond, processor: (user + system) / count, labels };
  }
  if (best === undefined) throw new Error('There was no round.');
  return best;
};

interface Tensor {
  readonly tolist: () => number[][];
}

/** What is used of theirs, whose types are not here. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly AutoTokenizer: {
    readonly from_pretrained: (name: string) => Promise<(texts: readonly string[], options: object) => object>;
  };
  readonly AutoModel: {
    readonly from_pretrained: (
      name: string,
      options: object,
    ) => Promise<(inputs: object) => Promise<Readonly<Record<string, Tensor>>>>;
  };
}

const askTheirs = async (folder: string, installed: string): Promise<void> => {
  const { resolve } = createRequire(join(installed, 'package.json'));
  const theirs = (await import(pathToFileURL(resolve('@huggingface/transformers')).href)) as Transformers;
  theirs.env.allowRemoteModels = false;
  theirs.env.localModelPath = folder;
  const tokenize = await theirs.AutoTokenizer.from_pretrained('package');
  const model = await theirs.AutoModel.from_pretrained('package', { dtype: 'fp32', device: 'cpu' });
  const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as readonly string[];
  const config = JSON.parse(readFileSync(join(folder, 'package', 'config.json'), 'utf8')) as {
    readonly outputs: Readonly<Record<string, { readonly id2label: Readonly<Record<string, string>> }>>;
  };
  const [[head, { id2label }] = ['', { id2label: {} }]] = Object.entries(config.outputs);

  const ask = async (order: readonly number[], size: number): Promise<readonly string[]> => {
    const labels = new Array<string>(texts.length).fill('');
    for (let at = 0; at < order.length; at += size) {
      const batch = order.slice(at, at + size);
      const inputs = tokenize(
        batch.map((index) => texts[index] ?? ''),
        { padding: true, truncation: true },
      );
      const logits = (await model(inputs))[head]?.tolist() ?? [];
      for (const [row, index] of batch.entries()) {
        const own = logits[row] ?? [];
        labels[index] = id2label[own.indexOf(Math.max(...own))] ?? '';
      }
    }
    return labels;
  };
  const asTheyCome = texts.map((_, at) => at);
  const byLength = asTheyCome.toSorted((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
  const measured = [
    await time('theirs, 128 as they come', texts.length, () => ask(asTheyCome, 128)),
    await time('theirs, 32 as they come', texts.length, () => ask(asTheyCome, 32)),
    await time('theirs, 32 by length', texts.length, () => ask(byLength, 32)),
  ];
  writeFileSync(join(folder, 'measured.json'), JSON.stringify(measured));
};

const askOurs = async (
  way: string,
  models: readonly ModelId[],
  variant: VariantChoice,
  texts: readonly string[],
): Promise<Measured> => {
  const [first] = models;
  if (first === undefined) throw new Error('There is no model in the package.');
  const classifier = await openClassifier({ models, device: 'cpu', variant });
  try {
    return await time(
      way,
      texts.length,
      async () => (await classifier.classify(models, texts)).get(first)?.labels ?? [],
    );
  } finally {
    await classifier.close();
  }
};

const main = async (): Promise<void> => {
  const name = findPackage(values.package);
  const models = MODELS.filter((model) => model.package === name).map(({ id }) => id);
  const texts = readTexts(name, Number(values.texts));
  const measured = [
    await askOurs(`engine, ${models.length} models, full`, models, 'full', texts),
    await askOurs('engine, 1 model, full', models.slice(0, 1), 'full', texts),
    await askOurs(`engine, ${models.length} models, quantized`, models, 'quantized', texts),
    await askOurs('engine, 1 model, quantized', models.slice(0, 1), 'quantized', texts),
  ];
  const installed = values.transformers;
  const isThere = installed !== '' && existsSync(join(installed, 'node_modules', '@huggingface', 'transformers'));
  if (isThere) {
    const folder = mkdtempSync(join(tmpdir(), 'fintext-transformers-'));
    try {
      mkdirSync(join(folder, 'package', 'onnx'), { recursive: true });
      const own = packagePath('models', name);
      for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
        cpSync(join(own, file), join(folder, 'package', file));
      cpSync(join(own, 'model.onnx'), join(folder, 'package', 'onnx', 'model.onnx'));
      writeFileSync(join(folder, 'texts.json'), JSON.stringify(texts));
      const args = [fileURLToPath(import.meta.url), '--folder', folder, '--transformers', installed];
      const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
      if (status !== 0) throw new Error('Asking @huggingface/transformers failed.');
      measured.push(...(JSON.parse(readFileSync(join(folder, 'measured.json'), 'utf8')) as readonly Measured[]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const expected = measured[0]?.labels ?? [];
  const table = new Table({
    head: ['way', 'sentences/s', 'CPU ms/1,000', 'equal labels'],
    style: { head: [], border: [], compact: true },
  });
  for (const { way, perSecond, processor, labels } of measured) {
    const equal = labels.filter((label, at) => label === expected[at]).length;
    table.push([way, Math.round(perSecond), Math.round(processor), `${equal} of ${texts.length}`]);
  }
  process.stdout.write(`${name}, ${availableParallelism()} cores, ${texts.length} sentences\n${table.toString()}\n`);
  if (!isThere)
    process.stdout.write(
      '@huggingface/transformers is left out: it is not in the folder of --transformers; how to get it: test/bench/transformers.ts\n',
    );
};

await (values.folder === undefined ? main() : askTheirs(values.folder, values.transformers));
