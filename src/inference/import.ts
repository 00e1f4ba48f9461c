import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import { moveInPlace, temporaryBeside } from '../files.js';
import { loadModels, resolveModel } from './models.js';
import { loadModelPackage } from './package.js';

/** What belongs to a package; the rest of an export (checkpoints, optimiser state) stays where it is. */
const PARTS =
  /^(config\.json|tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|vocab\.(txt|json)|merges\.txt|README\.md|.+\.onnx(_data|\.data)?)$/;

/**
 * Puts a user's own model package in the place of the bundled one: copies it to `models/<model id>/`, which wins over the
 * catalog's package. It is read and its labels are compared with the catalog's first; a package that was there before is
 * replaced as one step.
 *
 * @throws UsageError when the package cannot answer for the model
 */
export const importPackage = async (folder: string, modelId: string, modelsFolder: string): Promise<string> => {
  const { entry } = resolveModel(modelId, { modelsFolder });
  await loadModelPackage(folder);
  const target = join(modelsFolder, entry.id);
  await mkdir(modelsFolder, { recursive: true });
  // A folder of models with nothing but the new one, so that it is judged under the name it will have.
  const trial = temporaryBeside(target);
  try {
    const copy = join(trial, entry.id);
    await mkdir(copy, { recursive: true });
    for (const name of (await readdir(folder)).filter((file) => PARTS.test(file))) {
      await cp(join(folder, name), join(copy, name));
    }
    await loadModels([entry.id], { modelsFolder: trial });
    const old = temporaryBeside(target);
    const hadOne = await rename(target, old).then(
      () => true,
      () => false,
    );
    await moveInPlace(copy, target);
    if (hadOne) await rm(old, { recursive: true, force: true });
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.message.replaceAll(trial, modelsFolder));
    throw error;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
  return target;
};
