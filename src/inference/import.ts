import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import { replaceFolder, temporaryBeside } from '../files.js';
import { findBatchDependence } from './invariance.js';
import { loadModels, resolveModel } from './models.js';
import { loadModelPackage, type ModelPackage } from './package.js';
import { VARIANT_NAMES, VARIANTS, type Variant } from './variants.js';

/** What belongs to a package; the rest of an export (checkpoints, optimiser state) stays where it is. */
const PARTS =
  /^(config\.json|tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|vocab\.(txt|json)|merges\.txt|README\.md|.+\.onnx(_data|\.data)?)$/;

/** Where transformers.js and the hub have the graphs, beside config.json and the tokenizer. */
const GRAPHS = 'onnx';

export interface ImportedPackage {
  readonly folder: string;
  /** The variants that it has now. */
  readonly variants: readonly Variant[];
  /** Those that it came with and that cannot be used, each with the reason as the end of a sentence. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Puts a user's own model package in the place of the bundled one: copies it to `models/<model id>/`, which wins over the
 * catalog's package. It is read, its labels are compared with the catalog's and its graphs are run first. A package that was
 * there before is moved aside, and back where the new one cannot take its place; a kill between the two leaves neither, and
 * `resolveModel` then refuses the model. A variant whose answers would depend on the batch is left out.
 *
 * @throws UsageError when the package cannot answer for the model, or the graph that would answer depends on the batch
 */
export const importPackage = async (
  folder: string,
  modelId: string,
  modelsFolder: string,
): Promise<ImportedPackage> => {
  const { entry } = resolveModel(modelId, { modelsFolder });
  const files = await findFiles(folder);
  if (!files.has(VARIANTS.full) || files.get(VARIANTS.full) === join(folder, VARIANTS.full)) {
    await loadModelPackage(folder);
  }
  const target = join(modelsFolder, entry.id);
  await mkdir(modelsFolder, { recursive: true });
  // A folder of models with nothing but the new one, so that it is judged under the name it will have.
  const trial = temporaryBeside(target);
  try {
    const copy = join(trial, entry.id);
    await mkdir(copy, { recursive: true });
    for (const [name, path] of files) await cp(path, join(copy, name));
    const loaded = (await loadModels([entry.id], { modelsFolder: trial })).get(entry.id);
    if (!loaded) throw new Error(`Nothing was loaded for ${entry.id}.`);
    const leftOut = await leaveOut(loaded.package, folder);
    const { variants } = await loadModelPackage(copy);
    await replaceFolder(copy, target);
    return { folder: target, variants, leftOut };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.message.replaceAll(trial, modelsFolder));
    throw error;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
};

/** Paths by the names that they get. Of the graphs in a folder of their own, those that have a variant's name. */
const findFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const namesIn = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);
  const graphs = Object.values(VARIANTS).flatMap((file) => [file, `${file}_data`, `${file}.data`]);
  return new Map([
    ...(await namesIn(join(folder, GRAPHS)))
      .filter((name) => graphs.includes(name))
      .map((name) => [name, join(folder, GRAPHS, name)] as const),
    ...(await namesIn(folder)).filter((name) => PARTS.test(name)).map((name) => [name, join(folder, name)] as const),
  ]);
};

/** Runs every graph that could ever answer, and deletes the variants that nothing names and that cannot be used. */
const leaveOut = async (
  modelPackage: ModelPackage,
  source: string,
): Promise<readonly { readonly file: string; readonly reason: string }[]> => {
  const { folder, modelFiles, variants } = modelPackage;
  const answering = new Set(Object.values(modelFiles));
  const others = VARIANT_NAMES.filter((name) => variants.includes(name)).map((name) => VARIANTS[name]);
  const left: { file: string; reason: string }[] = [];
  for (const file of new Set([...answering, ...others])) {
    const reason = await findBatchDependence(modelPackage, file);
    if (reason === undefined) continue;
    if (answering.has(file)) {
      throw new UsageError(
        `${join(source, file)} ${reason}. Export it again without dynamic quantization, in fp32 if need be.`,
      );
    }
    for (const name of [file, `${file}_data`, `${file}.data`]) await rm(join(folder, name), { force: true });
    left.push({ file, reason });
  }
  return left;
};
