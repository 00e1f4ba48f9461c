import type { ModelId } from '../../models/catalog.js';
import { type Device, planDevice, plannedProcessor } from './device.js';
import { loadModels, type ModelsOptions } from './models.js';
import { fingerprintOutput, fingerprintPackage, type ModelPackage } from './package.js';

/** Who answers for a model, on the device asked for. */
export interface ModelFingerprint {
  readonly model: ModelId;
  readonly fingerprint: string;
  /** Of its package as a whole: models with the same one are answered by the same pass. */
  readonly packageFingerprint: string;
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
  const models = await loadModels(ids, options);
  const packages = new Map<ModelPackage, string>();
  const found: ModelFingerprint[] = [];
  for (const { id, package: modelPackage, packageOutput } of models.values()) {
    const packageFingerprint = packages.get(modelPackage) ?? (await fingerprintPackage(modelPackage, processor));
    packages.set(modelPackage, packageFingerprint);
    found.push({ model: id, fingerprint: fingerprintOutput(packageFingerprint, packageOutput), packageFingerprint });
  }
  return found;
};
