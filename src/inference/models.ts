import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { findModel, MODELS, type ModelEntry, type ModelId } from '../../models/catalog.js';
import { codeOf, UsageError } from '../errors.js';
import { makerOf } from '../files.js';
import { packagePath } from '../package-root.js';
import { loadModelPackage, type ModelPackage, ONLY_OUTPUT, type PackageOutput } from './package.js';
import type { VariantChoice } from './variants.js';

/** Where a model's package lies: its own folder `models/<id>/` where there is one, else the catalog's package. */
export interface ResolvedModel {
  readonly entry: ModelEntry & { readonly id: ModelId };
  readonly folder: string;
  /** Is it a folder of its own, as `models import` makes it? */
  readonly own: boolean;
  /** Key in the package's `outputs` of a shared encoder; a package of its own has only `logits`. */
  readonly output: string;
}

/** A model of the catalog with the package and output that answer it. */
export interface LoadedModel extends ResolvedModel {
  readonly id: ModelId;
  readonly package: ModelPackage;
  readonly packageOutput: PackageOutput;
  /** `toCatalog[i]` is the place in `entry.labels` of the label that column i of the logits stands for. */
  readonly toCatalog: readonly number[];
}

export interface ModelsOptions {
  /** Folder that holds the packages; by default the package's own `models/`. */
  readonly modelsFolder?: string | undefined;
  /** Which of a package's files answers; by default `auto`. */
  readonly variant?: VariantChoice | undefined;
}

/** @throws UsageError when the catalog has no such model */
export const findEntry = (id: string): ResolvedModel['entry'] => {
  const entry = findModel(id);
  if (!isCatalogEntry(entry)) {
    throw new UsageError(`There is no model ${id}. The models are: ${MODELS.map((model) => model.id).join(', ')}.`);
  }
  return entry;
};

/**
 * A folder of its own answers for the model whatever is in it: where something is missing there, that is an error, and the
 * bundled package does not step in.
 *
 * @throws UsageError when the catalog has no such model, or its own package was being replaced when that was cut short
 */
export const resolveModel = (
  id: string,
  { modelsFolder = packagePath('models') }: ModelsOptions = {},
): ResolvedModel => {
  const entry = findEntry(id);
  const own = join(modelsFolder, id);
  if (isThere(own)) return { entry, folder: own, own: true, output: ONLY_OUTPUT };
  const aside = findAside(modelsFolder, id);
  if (aside !== undefined) {
    throw new UsageError(
      `An import of ${id} was cut short: ${own} is not there, and the package that answered before lies in ${aside}. Rename that to ${own}, then import again; or delete it, and the package ${entry.package} answers.`,
    );
  }
  return { entry, folder: join(modelsFolder, entry.package), own: false, output: id };
};

/**
 * The catalog, with what is known of a user's own packages in it: nobody says what they learnt from, and `updated_at` is the
 * day (UTC) on which they were put there.
 */
export const describeModels = (modelsFolder: string): readonly (ModelEntry & { readonly id: ModelId })[] =>
  MODELS.map((entry) => {
    const own = isThere(join(modelsFolder, entry.id));
    return own ? { ...entry, training_datasets: [], updated_at: own.mtime.toISOString().slice(0, 10) } : entry;
  });

/** A link that leads nowhere is there too: what it stood for is missing, and that must not pass for its never having been. */
const isThere = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Below a file there is nothing; that the models folder is one, loading a package says.
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** What an import moved aside. A copy that was not finished has no config.json here: it lies one folder further down. */
const findAside = (modelsFolder: string, id: string): string | undefined =>
  (isFolder(modelsFolder) ? readdirSync(modelsFolder) : [])
    .filter((name) => name.startsWith(`${id}.`) && makerOf(name) !== undefined)
    .map((name) => join(modelsFolder, name))
    .find((folder) => existsSync(join(folder, 'config.json')));

/**
 * The models with their packages, each package read once. A package of a folder of its own may be of either kind.
 *
 * @throws UsageError when a package is missing or wrong, has not the variant asked for, or its labels are not those of the catalog
 */
export const loadModels = async (
  ids: readonly string[],
  options: ModelsOptions = {},
): Promise<ReadonlyMap<ModelId, LoadedModel>> => {
  const packages = new Map<string, ModelPackage>();
  const models = new Map<ModelId, LoadedModel>();
  for (const id of ids) {
    const resolved = resolveModel(id, options);
    const known = packages.get(resolved.folder);
    const modelPackage = known ?? (await loadPackage(resolved, options.variant));
    packages.set(resolved.folder, modelPackage);
    models.set(resolved.entry.id, connectModel(resolved, modelPackage));
  }
  return models;
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const loadPackage = async ({ entry, folder, own }: ResolvedModel, variant?: VariantChoice): Promise<ModelPackage> => {
  try {
    return await loadModelPackage(folder, variant);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (own) {
      throw new UsageError(`${error.message} Or delete ${folder}, and the package ${entry.package} answers.`, {
        cause: error,
      });
    }
    const bundled = packagePath('models', entry.package);
    if (folder === bundled || existsSync(folder)) throw error;
    throw new UsageError(`${error.message} Copy ${bundled} there, as models import does.`, { cause: error });
  }
};

/** @throws UsageError when the package does not answer the model, or its labels are not those of the catalog */
export const connectModel = (resolved: ResolvedModel, modelPackage: ModelPackage): LoadedModel => {
  const { entry, folder } = resolved;
  const output = modelPackage.kind === 'shared' ? entry.id : ONLY_OUTPUT;
  const packageOutput = modelPackage.outputs.get(output);
  if (!packageOutput) {
    throw new UsageError(
      `${join(folder, 'config.json')} has no "outputs" entry for the model ${entry.id} (it has ${[...modelPackage.outputs.keys()].join(', ')}): train the package with it, or import a package of its own as models/${entry.id}.`,
    );
  }
  return {
    ...resolved,
    id: entry.id,
    output,
    package: modelPackage,
    packageOutput,
    toCatalog: matchLabels(resolved, packageOutput),
  };
};

/** A package need not know all labels of the catalog: the FOMC's stance has three of four. It never gives the others. */
const matchLabels = ({ entry, folder }: ResolvedModel, { labels }: PackageOutput): readonly number[] => {
  const wanted = entry.labels.map(foldLabel);
  const places = labels.map((label) => wanted.indexOf(foldLabel(label)));
  if (new Set(places).size !== places.length || places.includes(-1)) {
    const unnamed = labels.some((label) => /^LABEL_\d+$/.test(label));
    throw new UsageError(
      `${join(folder, 'config.json')} has the labels ${labels.join(', ')}, but the model ${entry.id} has ${entry.labels.join(', ')}: ${unnamed ? "say which they are, in the order of the logits, with models import --id2label; the model's card has it" : 'correct id2label, in the order of the logits, or name them with models import --id2label'}.`,
    );
  }
  return places;
};

/** `HIGH_UNCERTAINTY`, `high-uncertainty` and `High Uncertainty` are one label. */
export const foldLabel = (label: string): string => label.toLowerCase().replace(/[\s_-]+/g, '');

const isCatalogEntry = (entry: ModelEntry | undefined): entry is ResolvedModel['entry'] => entry !== undefined;
