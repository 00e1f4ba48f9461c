import { join } from 'node:path';
import type { ModelId } from '../../models/catalog.js';
import { canonicalJson, hashFile, hashText } from '../files.js';
import { libraryOf } from '../libraries.js';
import { type Device, planDevice, plannedProcessor } from './device.js';
import { type LoadedModel, loadModels, type ModelsOptions } from './models.js';
import { isFile, type ModelPackage, type PackageOutput } from './package.js';
import type { Processor } from './variants.js';

/**
 * Part of every fingerprint. To be raised when this folder changes in a way that changes labels or scores: padding,
 * truncation, normalisation, the formula of a score.
 */
const INFERENCE_VERSION = 2;

/** Who answers for a model, on the device asked for. */
export interface ModelFingerprint {
  readonly model: ModelId;
  readonly fingerprint: string;
  /** Of its package as a whole: models with the same one are answered by the same pass. */
  readonly packageFingerprint: string;
  /** Is it a user's own package, in the place of the bundled one? */
  readonly own: boolean;
}

/**
 * The fingerprints of models, in the order asked for. Reads the packages' files, opens no session: ask once a run.
 *
 * The device matters only to a package whose config.json names another model file for a GPU, and only to the variant `auto`.
 *
 * @throws UsageError when a package is missing or wrong, or a device that was named is not there
 */
export const findFingerprints = async (
  ids: readonly ModelId[],
  options: ModelsOptions & { readonly device: Device },
): Promise<readonly ModelFingerprint[]> => {
  const processor = plannedProcessor(planDevice(options.device));
  return fingerprintModels(await loadModels(ids, options), processor);
};

/** The fingerprints of models that are read already, in their order; each package is hashed once. */
export const fingerprintModels = async (
  models: ReadonlyMap<ModelId, LoadedModel>,
  processor: Processor,
): Promise<readonly ModelFingerprint[]> => {
  const packages = new Map<ModelPackage, string>();
  const found: ModelFingerprint[] = [];
  for (const { id, own, package: modelPackage, packageOutput } of models.values()) {
    const packageFingerprint = packages.get(modelPackage) ?? (await fingerprintPackage(modelPackage, processor));
    packages.set(modelPackage, packageFingerprint);
    const fingerprint = fingerprintOutput(packageFingerprint, packageOutput);
    found.push({ model: id, fingerprint, packageFingerprint, own });
  }
  return found;
};

/** What computes ids and logits: another version may round otherwise, or cut words otherwise. */
const LIBRARIES: readonly string[] = [libraryOf('@huggingface/tokenizers'), libraryOf('onnxruntime-node')];

/**
 * The hash of everything that a label or score of a package comes from: settings, tokenizer, the model file for this
 * kind of processor with its external data, and the libraries that read them. README.md, the model card, is not part of it.
 */
export const fingerprintPackage = async (
  { folder, modelFiles }: Pick<ModelPackage, 'folder' | 'modelFiles'>,
  processor: Processor,
): Promise<string> => {
  const model = modelFiles[processor];
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', model, `${model}_data`, `${model}.data`];
  const files: Record<string, string> = {};
  for (const name of names) {
    const path = join(folder, name);
    if (await isFile(path)) files[name] = await hashFile(path);
  }
  return hashText(canonicalJson({ inference: INFERENCE_VERSION, libraries: LIBRARIES, files }));
};

/** Who answers: the package's fingerprint and the output's name. */
export const fingerprintOutput = (packageFingerprint: string, output: PackageOutput): string =>
  hashText(canonicalJson({ package: packageFingerprint, output: output.name }));
