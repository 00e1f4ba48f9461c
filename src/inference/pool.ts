import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ModelId } from '../../models/catalog.js';
import { RunError, UsageError } from '../errors.js';
import { entryPoint } from '../package-root.js';
import { type Device, deviceMissing, type Provider, planDevice, plannedProcessor, type Refusal } from './device.js';
import type { ModelFingerprint } from './fingerprints.js';
import type { Answer, WorkerSetup } from './messages.js';
import { type LoadedModel, loadModels } from './models.js';
import { CHUNK, LEAST_CHUNK, workersOn } from './settings.js';
import { openThread, openThreads, type Piece, PieceError, type Thread, type Threads } from './threads.js';
import { openUnchanged } from './unchanged.js';
import { type VariantChoice, variantOf } from './variants.js';

/** What a model said of each text, in the order of the texts. */
export interface Predictions {
  /** In the catalog's spelling. */
  readonly labels: readonly string[];
  /** Softmax probability of the label, 0 to 1. */
  readonly scores: Float32Array;
  /** 1 where the text has more tokens than the model reads: its end was not seen. */
  readonly truncated: Uint8Array;
}

/** What the models run on, for the manifest of a run. */
export interface DeviceReport {
  readonly provider: Provider;
  readonly requested: Device;
  /** The better providers that do not run, with the reason. */
  readonly tried: readonly Refusal[];
  /** Version of ONNX Runtime. */
  readonly onnxruntime: string;
  /** Threads inside one operator, of each worker. */
  readonly threads: number;
  readonly workers: number;
  /** By the package's name, the variant that answers: `quantized`, or the file's name where it is none of those. */
  readonly variants: ReadonlyMap<string, string>;
}

export interface ClassifyOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Models that are open in worker threads. */
export interface Classifier {
  readonly report: DeviceReport;
  readonly models: ReadonlyMap<ModelId, LoadedModel>;
  /**
   * Labels of all the texts by all the models. Models of one package are answered by one pass over the texts. A label
   * depends on its text alone: not on the other texts, their order or their number. Any number of calls may be under way;
   * they take turns. An empty text is allowed.
   *
   * @throws RunError when a worker died or a logit is not finite, and the signal's reason when it was aborted
   */
  classify(
    models: readonly ModelId[],
    texts: readonly string[],
    options?: ClassifyOptions,
  ): Promise<ReadonlyMap<ModelId, Predictions>>;
  /** Lets what is under way end, rejects what waits, ends the threads. To be awaited before the process exits. */
  close(): Promise<void>;
}

export interface ClassifierOptions {
  readonly models: readonly ModelId[];
  readonly modelsFolder?: string | undefined;
  readonly device?: Device | undefined;
  /** Which of a package's files answers; by default `auto`. */
  readonly variant?: VariantChoice | undefined;
  /** Worker threads. Each holds its own copy of the weights. On WebGPU there is one, whatever is asked. */
  readonly workers?: number | undefined;
  /** Threads inside one operator, of each worker; more than one only helps large models. */
  readonly threads?: number | undefined;
  /** The most texts of one run, 1 to 128. */
  readonly microBatch?: number | undefined;
  /**
   * Who is to answer, as it was found when the run began: packages that are others when they are opened, also in place of a
   * worker that died, are an error. Without it whatever is there answers.
   */
  readonly fingerprints?: readonly ModelFingerprint[] | undefined;
  /** Ends every call, also those that come later. */
  readonly signal?: AbortSignal | undefined;
  /** The worker's file, for tests. */
  readonly entry?: string | undefined;
}

/**
 * Opens models in worker threads, on the device asked for.
 *
 * @throws UsageError when a package is missing or wrong or has not the variant that was named, or a device that was named is not there
 * @throws RunError when a package is another one than `fingerprints` says
 */
export const openClassifier = async (options: ClassifierOptions): Promise<Classifier> => {
  const { entry = entryPoint('src/inference/worker'), fingerprints } = options;
  options.signal?.throwIfAborted();
  if (!existsSync(entry)) throw new RunError(`The worker ${entry} is not built: run npm run build.`);
  const open: Opening = (act) =>
    fingerprints === undefined ? act() : openUnchanged({ ...options, fingerprints }, act);
  // Once around all workers: packages of the user's own may be large.
  return open(() => openModels(options, entry, open));
};

/** Opens something that reads the packages, where these have to stay what they are. */
type Opening = <T extends { close(): Promise<void> }>(act: () => Promise<T>) => Promise<T>;

const openModels = async (options: ClassifierOptions, entry: string, open: Opening): Promise<Classifier> => {
  const { device = 'auto', threads = 1 } = options;
  const models = await loadModels(options.models, options);
  const plan = planDevice(device);

  const processor = plannedProcessor(plan);
  const packages = [...new Set([...models.values()].map((model) => model.package))];
  const setup: WorkerSetup = {
    packages: packages.map(({ folder, modelFiles, maxLength, padId, joined }) => ({
      folder,
      file: modelFiles[processor],
      maxLength,
      padId,
      joined,
    })),
    candidates: plan.candidates,
    threads,
    microBatch: options.microBatch,
  };
  const first = await openFirst(entry, setup, device);
  const { provider, refused, onnxruntime } = first.ready;
  const workers = workersOn(provider, options.workers);
  const another = (): Promise<Thread> => openThread(entry, { ...setup, candidates: [provider] });
  const crew = await openThreads(first, workers, { another, instead: () => open(another) });

  return {
    report: {
      provider,
      requested: device,
      tried: [...plan.refused, ...refused],
      onnxruntime,
      threads,
      workers,
      variants: new Map(setup.packages.map(({ folder, file }) => [basename(folder), variantOf(file)])),
    },
    models,
    classify: async (ids, texts, { signal } = {}) =>
      classify(crew, pick(models, ids), texts, either(options.signal, signal)),
    close: () => crew.close(),
  };
};

const openFirst = async (entry: string, setup: WorkerSetup, device: Device): Promise<Thread> => {
  try {
    return await openThread(entry, setup);
  } catch (error) {
    if (!(error instanceof PieceError)) throw error;
    if (device !== 'auto' && device !== 'cpu') throw deviceMissing(device, error.message);
    const names = setup.packages.map(({ folder }) => basename(folder)).join(', ');
    throw new UsageError(`The model package ${names} cannot be opened: ${error.message}`, { cause: error });
  }
};

const pick = (models: ReadonlyMap<ModelId, LoadedModel>, ids: readonly ModelId[]): readonly LoadedModel[] =>
  [...new Set(ids)].map((id) => {
    const model = models.get(id);
    if (!model) throw new UsageError(`The model ${id} is not open here: name it when opening the classifier.`);
    return model;
  });

const either = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal => {
  const given = signals.filter((signal) => signal !== undefined);
  const [only] = given;
  return given.length === 1 && only ? only : AbortSignal.any(given);
};

const classify = async (
  crew: Threads,
  models: readonly LoadedModel[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ModelId, Predictions>> => {
  const folders = [...new Set(models.map((model) => model.package.folder))];
  const size = Math.min(CHUNK, Math.max(LEAST_CHUNK, Math.ceil(texts.length / crew.size)));
  const answered = await Promise.all(
    folders.map(async (folder) => {
      const members = models.filter((model) => model.package.folder === folder);
      const outputs = members.map((model) => model.packageOutput.name);
      const pieces: Piece[] = [];
      for (let at = 0; at < texts.length; at += size)
        pieces.push({ folder, outputs, texts: texts.slice(at, at + size) });
      try {
        return join(members, texts.length, size, await crew.ask(pieces, signal));
      } catch (error) {
        throw error instanceof PieceError ? explain(error, members, size) : error;
      }
    }),
  );
  const found = new Map(answered.flat());
  return new Map(models.map((model) => [model.id, get(found, model.id)]));
};

/** Puts the pieces' answers behind one another and turns columns into the catalog's labels. */
const join = (
  models: readonly LoadedModel[],
  count: number,
  size: number,
  answers: readonly Answer[],
): readonly (readonly [ModelId, Predictions])[] => {
  const truncated = new Uint8Array(count);
  for (const [piece, answer] of answers.entries()) truncated.set(answer.truncated, piece * size);
  return models.map((model, output) => {
    const names = model.toCatalog.map((place) => model.entry.labels[place] ?? '');
    const labels = new Array<string>(count);
    const scores = new Float32Array(count);
    answers.forEach((answer, piece) => {
      const found = answer.outputs[output];
      found?.labels.forEach((column, at) => {
        labels[piece * size + at] = names[column] ?? '';
      });
      if (found) scores.set(found.scores, piece * size);
    });
    return [model.id, { labels, scores, truncated }];
  });
};

const explain = ({ failed, piece }: PieceError, models: readonly LoadedModel[], size: number): RunError => {
  if (failed.kind !== 'not-finite') return new RunError(failed.message);
  const model = models.find(({ packageOutput }) => packageOutput.name === failed.output);
  return new RunError(
    `The model ${model?.id ?? failed.output} gave a logit that is no number for text ${piece * size + (failed.text ?? 0)} (counted from 0): its weights in ${model?.folder} are broken, or the device computes wrongly. Try --device cpu, or export the model again.`,
  );
};

const get = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing was answered for ${String(key)}.`);
  return value;
};
