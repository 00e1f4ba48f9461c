import type { ModelId } from '../../models/catalog.js';
import { type Device, planDevice, processorOf } from './device.js';
import { fingerprintModel, loadModels } from './models.js';
import { fingerprintOutput } from './package.js';

/** Who answers for a model, on the device asked for. */
export interface ModelFingerprint {
  readonly model: ModelId;
  readonly fingerprint: string;
  /** Of its package as a whole: models with the same one are answered by the same pass. */
  readonly packageFingerprint: string;
}

/**
 * The fingerprints of models, in the order asked for. Reads the packages' files, opens no session.
 *
 * @throws UsageError when a package is missing or wrong, or a device that was named is not there
 */
export const findFingerprints = async (
  ids: readonly ModelId[],
  options: { readonly modelsFolder: string; readonly device: Device },
): Promise<readonly ModelFingerprint[]> => {
  const processor = processorOf(planDevice(options.device).candidates[0] ?? 'cpu');
  const models = await loadModels(ids, options);
  const packages = new Map<string, string>();
  const found: ModelFingerprint[] = [];
  for (const [model, loaded] of models) {
    const known = packages.get(loaded.folder);
    const packageFingerprint =
      known ?? (await fingerprintOutput(loaded.package, { name: '(package)', labels: [] }, processor));
    packages.set(loaded.folder, packageFingerprint);
    found.push({ model, fingerprint: await fingerprintModel(loaded, processor), packageFingerprint });
  }
  return found;
};
