import type { Manifest } from './manifest.js';

/** Something that one snapshot was made of and the other was not, or was made of differently. */
export interface Ingredient {
  /** `model cb_stance_label`, `formula stance`, `stage segment`, `code`, `input files`, `input folders`. */
  readonly name: string;
  /** Null where that snapshot has none of it. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What two snapshots were made of differently, as their manifests tell it. */
export const changedIngredients = (a: Manifest, b: Manifest): readonly Ingredient[] => {
  const [before, after] = [ingredientsOf(a), ingredientsOf(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((ingredient) => ingredient.before !== ingredient.after);
};

const ingredientsOf = (manifest: Manifest): ReadonlyMap<string, string> =>
  new Map([
    ...manifest.models.map(({ id, fingerprint }) => [`model ${id}`, fingerprint] as const),
    ...manifest.metrics.map(({ name, formula }) => [`formula ${name}`, formula] as const),
    ...Object.entries(manifest.stage_versions).map(
      ([stage, version]) => [`stage ${stage}`, `version ${version}`] as const,
    ),
    ['code', manifest.code_version] as const,
    ['input files', manifest.inputs.sha256] as const,
    ['input folders', manifest.inputs.folders] as const,
  ]);
