import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { MODELS } from '../../models/catalog.js';
import { codeOf, messageOf, UsageError } from '../errors.js';
import { makerOf, moveInPlace, replaceFolder, temporaryBeside } from '../files.js';
import { packagePath } from '../package-root.js';
import { isRunning } from '../processes.js';
import { NotFiniteError } from './engine.js';
import { findBatchDependence, findPaddingDependence, type Unusable } from './invariance.js';
import { connectModel, findEntry, foldLabel, type LoadedModel } from './models.js';
import { loadModelPackage, ONLY_OUTPUT } from './package.js';
import { findParity, type Parity, type ParitySample, readParitySample } from './parity.js';
import { VARIANT_NAMES, VARIANTS, type Variant } from './variants.js';
import { findUnknownToken } from './vocabulary.js';

/** What belongs to a package; the rest of an export (checkpoints, optimiser state) stays where it is. */
const PARTS =
  /^(config\.json|tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|vocab\.(txt|json)|merges\.txt|README\.md|.+\.onnx(_data|\.data)?)$/;

/** Where transformers.js and the hub have the graphs, beside config.json and the tokenizer. */
const GRAPHS = 'onnx';

export interface ImportOptions {
  /** The labels in the order of the logits, in place of those of its config.json, as `LABEL_0`. */
  readonly labels?: readonly string[] | undefined;
  /** File of JSON lines: texts, each with the `label` and `score` that the model gave where it came from. */
  readonly parity?: string | undefined;
}

export interface ImportedPackage {
  readonly folder: string;
  /** The variants that it has now. */
  readonly variants: readonly Variant[];
  /** Those that it came with and that cannot be used, each with the reason as the end of a sentence. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
  /** Labels of the catalog that it does not know, and so never gives. */
  readonly neverGiven: readonly string[];
  /** How far each model file agrees with the sample; empty without one. */
  readonly parity: readonly Parity[];
  /** Does the sample name the labels as the export did, so that it cannot tell whether the names that replaced those are in the right order? */
  readonly orderUnknown: boolean;
  /** The bundled packages that the models folder lacked and that were copied there, so that it answers for every model. */
  readonly copied: readonly string[];
}

/**
 * Puts a user's own model package in the place of the bundled one: copies it to `models/<model id>/`, which wins over the
 * catalog's package. It is read, its labels are compared with the catalog's and its graphs are run first. A package that was
 * there before is moved aside, and back where the new one cannot take its place; a kill between the two leaves neither, and
 * `resolveModel` then refuses the model. A variant whose answers would depend on the batch is left out.
 *
 * @throws UsageError when the package cannot answer for the model, the graph that would answer depends on the batch or does
 * not know a token, or `model.onnx` says something else of the sample
 */
export const importPackage = async (
  folder: string,
  modelId: string,
  modelsFolder: string,
  { labels, parity: sampleFile }: ImportOptions = {},
): Promise<ImportedPackage> => {
  const entry = findEntry(modelId);
  if (labels !== undefined) checkNames(labels, entry);
  const files = await findFiles(folder);
  for (const name of ['config.json', 'tokenizer.json', VARIANTS.full]) {
    if (!files.has(name)) await refuseWithout(name, folder, files);
  }
  const target = resolve(modelsFolder, entry.id);
  await makeModelsFolder(modelsFolder);
  const trial = temporaryBeside(target);
  const copy = join(trial, entry.id);
  try {
    await mkdir(copy, { recursive: true });
    // What a link points to is copied: the cache that it lies in is emptied some day.
    for (const [name, path] of files) await cp(path, join(copy, name), { dereference: true });
    const before = labels === undefined ? [] : await putLabels(copy, labels);
    const modelPackage = await loadModelPackage(copy);
    await checkProblem(copy);
    const loaded = connectModel({ entry, folder: copy, own: true, output: ONLY_OUTPUT }, modelPackage);
    const sample =
      sampleFile === undefined ? undefined : await readParitySample(sampleFile, loaded.packageOutput.labels, before);
    const leftOut = await leaveOut(loaded);
    const compared = await compareVariants(loaded, sample, sampleFile);
    const { variants } = await loadModelPackage(copy);
    const copied = await completeFolder(modelsFolder);
    await replaceFolder(copy, target);
    await sweepAside(target);
    return {
      folder: target,
      variants,
      leftOut: [...leftOut, ...compared.leftOut],
      neverGiven: entry.labels.filter((_label, place) => !loaded.toCatalog.includes(place)),
      parity: compared.parity,
      orderUnknown: sample?.oldNames ?? false,
      copied,
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(nameSources(error.message, copy, folder, files), { cause: error });
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
};

/** Says that a file is missing, and what to do about it. */
const refuseWithout = async (name: string, folder: string, files: ReadonlyMap<string, string>): Promise<void> => {
  const others = [...files.keys()].filter((file) => file.endsWith('.onnx'));
  if (name === VARIANTS.full && others.length > 0) {
    throw new UsageError(
      `${folder} has ${others.join(', ')} and no ${name}: give the graph that is to answer that name, with its external data if it has any.`,
    );
  }
  if (name === 'tokenizer.json' && files.has('config.json')) {
    throw new UsageError(
      `${folder} has no tokenizer.json: AutoTokenizer.from_pretrained(folder).save_pretrained(folder) of transformers writes it out of vocab.txt, merges.txt or a SentencePiece model.`,
    );
  }
  await loadModelPackage(folder);
};

/** A score is the probability of one label among others that exclude it. */
const checkProblem = async (folder: string): Promise<void> => {
  const path = join(folder, 'config.json');
  const { problem_type: problem } = Problem.parse(JSON.parse(await readFile(path, 'utf8')));
  if (problem === undefined || problem === null || problem === 'single_label_classification') return;
  throw new UsageError(
    `${path} says that its problem_type is ${problem}, and here one label excludes the others: where that holds for this model too, correct it to single_label_classification.`,
  );
};

const Problem = z.object({ problem_type: z.string().nullish() });

/** Asks every variant that is left the sample. `full` must say the same; one that cannot be asked is left out where nothing names it. */
const compareVariants = async (
  { package: modelPackage, packageOutput }: LoadedModel,
  sample: ParitySample | undefined,
  sampleFile: string | undefined,
): Promise<Pick<ImportedPackage, 'parity' | 'leftOut'>> => {
  const parity: Parity[] = [];
  const leftOut: { file: string; reason: string }[] = [];
  if (sample === undefined) return { parity, leftOut };
  const { folder, modelFiles } = modelPackage;
  for (const variant of (await loadModelPackage(folder)).variants) {
    const file = VARIANTS[variant];
    try {
      const found = await findParity(modelPackage, file, packageOutput, sample.texts);
      if (variant === 'full' && found.first !== undefined) {
        throw new UsageError(
          `${join(folder, file)} does not say what ${sampleFile} says, ${found.first}. Is it the same checkpoint, with its own tokenizer, and are the labels in the order of the logits?`,
        );
      }
      parity.push(found.parity);
    } catch (error) {
      if (!(error instanceof NotFiniteError)) throw error;
      const reason = `gives logits that are no numbers for line ${sample.texts[error.text]?.line} of ${sampleFile}`;
      if (Object.values(modelFiles).includes(file)) {
        throw new UsageError(`${join(folder, file)} ${reason}. Its weights are broken: export it again.`);
      }
      await removeGraph(folder, file);
      leftOut.push({ file, reason });
    }
  }
  return { parity, leftOut };
};

const checkNames = (labels: readonly string[], { id, labels: known }: LoadedModel['entry']): void => {
  const folded = labels.map(foldLabel);
  const unknown = labels.find((label) => !known.some((other) => foldLabel(other) === foldLabel(label)));
  if (unknown === undefined && new Set(folded).size === labels.length && labels.length >= 2) return;
  throw new UsageError(
    `--id2label ${labels.join(',')}: ${unknown === undefined ? 'each label once, at least two' : `the model ${id} has no label "${unknown}"`}; it has ${known.join(', ')}.`,
  );
};

/** A message of the copy, with the names of what was copied. The longest first: model.onnx is the beginning of model.onnx_data. */
const nameSources = (message: string, copy: string, folder: string, files: ReadonlyMap<string, string>): string =>
  [...files]
    .sort(([a], [b]) => b.length - a.length)
    .reduce((text, [name, path]) => text.replaceAll(join(copy, name), path), message)
    .replaceAll(copy, folder);

/** Deletes what imports that were cut short left beside a package. Of a model's own only once the new one is in place: until then it may be all that there is. */
const sweepAside = async (target: string): Promise<void> => {
  const folder = dirname(target);
  for (const name of await readdir(folder)) {
    const maker = name.startsWith(`${basename(target)}.`) ? makerOf(name) : undefined;
    if (maker?.host !== 'here' || (await isRunning(maker.pid))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
};

const makeModelsFolder = async (modelsFolder: string): Promise<void> => {
  try {
    await mkdir(modelsFolder, { recursive: true });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new UsageError(`--models is a folder, or what will be one; "${modelsFolder}" is a file, or below one.`);
    }
    throw error;
  }
};

/** Copies the bundled packages that are not there, each as one step. */
const completeFolder = async (modelsFolder: string): Promise<readonly string[]> => {
  const copied: string[] = [];
  for (const name of new Set(MODELS.map((model) => model.package))) {
    const place = join(modelsFolder, name);
    await sweepAside(place);
    if (existsSync(place)) continue;
    const trial = temporaryBeside(place);
    try {
      await cp(packagePath('models', name), trial, { recursive: true });
      await moveInPlace(trial, place);
      copied.push(name);
    } catch (error) {
      // Another import was quicker.
      if (!existsSync(place)) throw error;
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
  }
  return copied;
};

/** Writes other labels into the config.json of a package, and gives those that it had. */
const putLabels = async (folder: string, labels: readonly string[]): Promise<readonly string[]> => {
  const path = join(folder, 'config.json');
  let config: unknown;
  try {
    config = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${messageOf(error)}. Export the model again.`, { cause: error });
  }
  if (typeof config !== 'object' || config === null || 'outputs' in config) {
    throw new UsageError(
      `${path} is of a package that answers several models, whose labels stand under "outputs": correct them there, without --id2label.`,
    );
  }
  const { id2label: before, label2id: _inverse, ...rest } = config as Record<string, unknown>;
  const id2label = Object.fromEntries(labels.map((label, column) => [String(column), label]));
  await writeFile(path, `${JSON.stringify({ ...rest, id2label }, null, 2)}\n`);
  return typeof before === 'object' && before !== null ? Object.values(before).map(String) : [];
};

/** Paths by the names that they get. Of the graphs in a folder of their own, those that have a variant's name. */
const findFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  if (
    await stat(folder).then(
      (found) => !found.isDirectory(),
      () => false,
    )
  ) {
    throw new UsageError(`${folder} is a file: name the folder that holds it, with config.json and the tokenizer.`);
  }
  const namesIn = (path: string): Promise<readonly string[]> =>
    readdir(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
      throw error;
    });
  const graphs = Object.values(VARIANTS).flatMap((file) => [file, `${file}_data`, `${file}.data`]);
  return new Map([
    ...(await namesIn(join(folder, GRAPHS)))
      .filter((name) => graphs.includes(name))
      .map((name) => [name, join(folder, GRAPHS, name)] as const),
    ...(await namesIn(folder)).filter((name) => PARTS.test(name)).map((name) => [name, join(folder, name)] as const),
  ]);
};

/** Runs every graph that could ever answer, and deletes the variants that nothing names and that cannot be used. */
const leaveOut = async ({
  package: modelPackage,
  packageOutput,
}: LoadedModel): Promise<readonly { readonly file: string; readonly reason: string }[]> => {
  const { folder, modelFiles, variants } = modelPackage;
  const answering = new Set(Object.values(modelFiles));
  const others = VARIANT_NAMES.filter((name) => variants.includes(name)).map((name) => VARIANTS[name]);
  const left: { file: string; reason: string }[] = [];
  for (const file of new Set([...answering, ...others])) {
    const wrong: Unusable | undefined =
      (await findBatchDependence(modelPackage, file, [packageOutput])) ??
      (await findPaddingDependence(modelPackage, file, packageOutput)) ??
      (await findUnknownToken(modelPackage, file, packageOutput));
    if (wrong === undefined) continue;
    if (answering.has(file)) throw new UsageError(`${join(folder, file)} ${wrong.reason}. ${wrong.remedy}`);
    await removeGraph(folder, file);
    left.push({ file, reason: wrong.reason });
  }
  return left;
};

const removeGraph = async (folder: string, file: string): Promise<void> => {
  for (const name of [file, `${file}_data`, `${file}.data`]) await rm(join(folder, name), { force: true });
};
