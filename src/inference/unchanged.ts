/** A package may be replaced while a run is under way: what answers must be what the run keeps the answers under. */
import type { ModelId } from '../../models/catalog.js';
import { codeOf, messageOf, RunError, UsageError } from '../errors.js';
import { type Device, planDevice, plannedProcessor } from './device.js';
import { fingerprintModels, type ModelFingerprint } from './fingerprints.js';
import { type LoadedModel, loadModels, type ModelsOptions } from './models.js';

export interface KnownModels extends ModelsOptions {
  readonly models: readonly ModelId[];
  readonly device?: Device | undefined;
  /** Of these models, and others perhaps, as they were found when the run began. */
  readonly fingerprints: readonly ModelFingerprint[];
}

/**
 * Opens something that reads the models' packages, and hashes these before and after: who had the same bytes both times was
 * opened with them. ONNX Runtime is not given bytes that were hashed, for it has to find by itself the external data that a
 * graph may have beside it, and large weights would lie in memory twice.
 *
 * @throws RunError where a package is another one than when the run began; what was opened is closed
 */
export const openUnchanged = async <T extends { close(): Promise<void> }>(
  known: KnownModels,
  open: () => Promise<T>,
): Promise<T> => {
  await confirmUnchanged(known);
  const opened = await open().catch(async (error: unknown) => {
    // Half a package does not open: that it is being replaced says more than what came of that.
    await confirmUnchanged(known);
    throw error;
  });
  try {
    await confirmUnchanged(known);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const confirmUnchanged = async (known: KnownModels): Promise<void> => {
  const processor = plannedProcessor(planDevice(known.device ?? 'auto'));
  const before = new Map(known.fingerprints.map(({ model, fingerprint }) => [model, fingerprint]));
  let models: ReadonlyMap<ModelId, LoadedModel>;
  let now: readonly ModelFingerprint[];
  try {
    models = await loadModels(known.models, known);
    now = await fingerprintModels(models, processor);
  } catch (error) {
    // When the run began, they could be read.
    if (!(error instanceof UsageError) && codeOf(error) !== 'ENOENT') throw error;
    throw new RunError(
      `A model package was replaced while the run was under way, and what is there now cannot answer: ${messageOf(error)} Nothing that it said was kept; run it again when it can.`,
      { cause: error },
    );
  }
  const replaced = new Map<string, ModelId[]>();
  for (const { model, fingerprint } of now) {
    const folder = models.get(model)?.folder ?? '';
    if (fingerprint !== before.get(model)) replaced.set(folder, [...(replaced.get(folder) ?? []), model]);
  }
  if (replaced.size === 0) return;
  const which = [...replaced].map(([folder, ids]) => `${ids.join(', ')} (now ${folder})`).join('; ');
  throw new RunError(
    `The model package of ${which} was replaced while the run was under way. Nothing that the new one said was kept, and what was published before stays: run it again, and the new one answers.`,
  );
};
