/**
 * The engine on a GPU beside the same engine on the processor, in one run: sentences a second, how busy the GPU was, where
 * the time goes, and how many labels differ. A device that is not there is shown with what the engine says of it.
 *
 *   node dist/test/bench/gpu.js [--device webgpu --device cuda --device cpu] [--package central-bank] [--texts FILE]
 *                               [--count 20000] [--seconds 3] [--workers 4]
 *
 * The texts are those of the public corpora (../shared/corpora), or the lines of FILE. Each device is asked one model of a
 * package and all of them, with the file that the engine takes for it; the GPU in runs of 128. `--workers` are others on the
 * GPU than the engine's own choice, which is one (on WebGPU always). Each way has a process of its own: what a driver does
 * to it ends there.
 *
 * After one round that warms up, as many rounds are timed as `--seconds` takes, at least one. `tokenizing` and `in runs` are
 * the shares of the workers' time in the tokenizer and in ONNX Runtime; `rows filled` is the share of the rows of its runs
 * that hold a text. `GPU busy` is NVML's: the share of the time in which anything at all ran there. `differ` counts the
 * labels that are not those of the processor, and of `model.onnx` on the processor.
 *
 * The ceiling, the same weights under torch: models/training/torch_speed.py.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { MODELS, type ModelId } from '../../models/catalog.js';
import { messageOf } from '../../src/errors.js';
import { DEVICES, type Device } from '../../src/inference/device.js';
import { openClassifier } from '../../src/inference/pool.js';
import type { VariantChoice } from '../../src/inference/variants.js';
import { entryPoint } from '../../src/package-root.js';
import { type GpuLoad, sampleGpu } from './gpu-load.js';
import { hearRunTimes, type TotalTimes } from './run-times.js';
import { findPackage, type PackageName, readTexts } from './texts.js';

const { values } = parseArgs({
  options: {
    device: { type: 'string', multiple: true, default: ['webgpu', 'cuda', 'cpu'] },
    package: { type: 'string', multiple: true, default: ['central-bank', 'earnings-call'] },
    texts: { type: 'string' },
    count: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    workers: { type: 'string', multiple: true, default: [] },
    /** Started by this file itself: one way to ask, in a folder with the texts. */
    folder: { type: 'string' },
  },
});

interface Way {
  readonly package: PackageName;
  readonly models: readonly ModelId[];
  readonly device: Device;
  readonly variant: VariantChoice;
  /** By default the engine's own choice. */
  readonly workers?: number | undefined;
}

interface Measured {
  readonly provider: string;
  readonly variant: string;
  readonly workers: number;
  /** Seconds until the models were open. */
  readonly opening: number;
  readonly perSecond: number;
  /** Of the timed rounds. */
  readonly wall: number;
  readonly times: TotalTimes;
  readonly texts: number;
  readonly load?: GpuLoad | undefined;
  /** Model by model, in the order of the texts. */
  readonly labels: readonly (readonly string[])[];
}

type Outcome = { readonly measured: Measured } | { readonly failed: string };

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** In a process of its own. */
const measure = async (way: Way, texts: readonly string[], seconds: number): Promise<Measured> => {
  const times = hearRunTimes();
  const gpu = await sampleGpu();
  try {
    const began = performance.now();
    const { models, device, variant, workers } = way;
    const entry = entryPoint('test/bench/timed-worker');
    const classifier = await openClassifier({ models, device, variant, workers, entry });
    try {
      const opening = (performance.now() - began) / 1000;
      const first = await classifier.classify(models, texts);
      await times.take();
      const [clock, start] = [Date.now(), performance.now()];
      let rounds = 0;
      let wall = 0;
      while (wall < seconds) {
        await classifier.classify(models, texts);
        rounds += 1;
        wall = (performance.now() - start) / 1000;
      }
      return {
        provider: classifier.report.provider,
        variant: [...classifier.report.variants.values()].join(', '),
        workers: classifier.report.workers,
        opening,
        perSecond: (rounds * texts.length) / wall,
        wall,
        load: gpu.since(clock),
        times: await times.take(),
        texts: rounds * texts.length,
        labels: models.map((model) => first.get(model)?.labels ?? []),
      };
    } finally {
      await classifier.close();
    }
  } finally {
    gpu.stop();
    times.close();
  }
};

const measureHere = async (folder: string): Promise<void> => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { way, texts } = read('way.json') as { readonly way: Way; readonly texts: string };
  let outcome: Outcome;
  try {
    outcome = { measured: await measure(way, read(texts) as readonly string[], Number(values.seconds)) };
  } catch (error) {
    outcome = { failed: messageOf(error) };
  }
  writeFileSync(join(folder, 'outcome.json'), JSON.stringify(outcome));
};

const measureApart = async (folder: string, way: Way): Promise<Outcome> => {
  const outcome = join(folder, 'outcome.json');
  rmSync(outcome, { force: true });
  writeFileSync(join(folder, 'way.json'), JSON.stringify({ way, texts: `${way.package}.json` }));
  const args = [fileURLToPath(import.meta.url), '--folder', folder, '--seconds', values.seconds];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  try {
    return JSON.parse(readFileSync(outcome, 'utf8')) as Outcome;
  } catch {
    return { failed: `the process ended without an answer: ${ended}` };
  }
};

interface Row {
  readonly way: Way;
  readonly measured: Measured;
}

const waysOf = (name: PackageName, device: Device): readonly Way[] => {
  const all = MODELS.filter((model) => model.package === name).map(({ id }) => id);
  const ways: Way[] = [all, all.slice(0, 1)].map((models) => ({ package: name, models, device, variant: 'auto' }));
  if (device === 'cpu') return [...ways, { package: name, models: all, device, variant: 'full' }];
  return [
    ...ways,
    ...values.workers
      .map(Number)
      .filter((workers) => workers > 1)
      .map((workers): Way => ({ package: name, models: all, device, variant: 'auto', workers })),
  ];
};

const main = async (): Promise<void> => {
  const devices = values.device.map((name) => {
    const device = DEVICES.find((known) => known === name);
    if (device === undefined) throw new Error(`There is no device ${name}. There are ${DEVICES.join(', ')}.`);
    return device;
  });
  const packages = values.package.map(findPackage);
  const folder = mkdtempSync(join(tmpdir(), 'fintext-gpu-'));
  const rows: Row[] = [];
  const failures: string[] = [];
  const end = (): void => {
    rmSync(folder, { recursive: true, force: true });
    print(rows, failures);
  };
  process.once('SIGTERM', () => {
    failures.push('Stopped before all was measured.');
    end();
    process.exit(143);
  });
  try {
    const lines = values.texts === undefined ? undefined : readLines(values.texts, Number(values.count));
    for (const name of packages)
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(lines ?? readTexts(name, Number(values.count))));
    for (const device of devices) {
      for (const way of packages.flatMap((name) => waysOf(name, device))) {
        const outcome = await measureApart(folder, way);
        if ('failed' in outcome) {
          failures.push(`${nameOf(way)}: ${outcome.failed}`);
          say(failures.at(-1) ?? '');
          // What does not open does not open for other models either.
          if (!rows.some((row) => row.way.device === device)) break;
        } else {
          rows.push({ way, measured: outcome.measured });
          const { perSecond, opening, texts, wall } = outcome.measured;
          say(
            `${nameOf(way)}: ${Math.round(perSecond)} sentences/s, ${texts} in ${wall.toFixed(1)} s, opened in ${opening.toFixed(1)} s`,
          );
        }
      }
    }
  } finally {
    end();
  }
};

const readLines = (file: string, count: number): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, count);

const nameOf = ({ package: name, models, device, variant, workers }: Way): string =>
  [name, `${models.length} models`, device, variant, workers === undefined ? '' : `${workers} workers`]
    .filter((part) => part !== '')
    .join(', ');

const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(0)} %`;

const print = (rows: readonly Row[], failures: readonly string[]): void => {
  const table = new Table({
    head: [
      ...['package', 'models', 'device', 'variant', 'workers', 'sentences/s', 'tokenizing', 'in runs', 'rows filled'],
      ...['GPU busy', 'its memory', 'W', 'differ from cpu', 'from model.onnx'],
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const { way, measured } of rows) {
    const { provider, variant, workers, perSecond, wall, times, texts, load } = measured;
    const baseOf = (choice: VariantChoice): Measured | undefined =>
      rows.find(
        (row) =>
          row.way.package === way.package && row.way.device === 'cpu' && row.way.variant === choice && hasAll(row.way),
      )?.measured;
    table.push([
      ...[way.package, way.models.length, provider, variant, workers, Math.round(perSecond)],
      ...[share(times.tokenizing, wall * workers), share(times.running, wall * workers), share(texts, times.rows)],
      ...(load === undefined
        ? ['unknown', 'unknown', 'unknown']
        : [share(load.busy, 1), share(load.memory, 1), Math.round(load.watts)]),
      ...[differ(measured, baseOf('auto')), differ(measured, baseOf('full'))],
    ]);
  }
  process.stdout.write(`${availableParallelism()} cores\n${table.toString()}\n`);
  for (const failure of failures) process.stdout.write(`${failure}\n`);
};

const hasAll = ({ package: name, models }: Way): boolean =>
  models.length === MODELS.filter((model) => model.package === name).length;

/** Models that one was not asked are left out: of a package, the first ones come first. */
const differ = ({ labels }: Measured, base: Measured | undefined): string => {
  if (base === undefined) return 'unknown';
  let [count, different] = [0, 0];
  labels.forEach((own, model) => {
    own.forEach((label, text) => {
      count += 1;
      if (label !== base.labels[model]?.[text]) different += 1;
    });
  });
  return `${different} of ${count}`;
};

await (values.folder === undefined ? main() : measureHere(values.folder));
