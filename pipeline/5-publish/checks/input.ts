import type { Dataset } from '../../../data/catalog.js';
import { canonicalJson } from '../../../src/files.js';
import { type Count, countColumn, type Metric } from '../../../src/formula.js';
import type { ModelFingerprint } from '../../../src/inference/fingerprints.js';
import type { Settings } from '../../../src/settings.js';
import type { Manifest } from '../../../src/snapshot/manifest.js';
import type { World } from '../../stage.js';

export interface CheckInput {
  readonly dataset: Dataset;
  readonly metrics: readonly Metric[];
  /** Every count that is stored. */
  readonly counts: readonly Count[];
  readonly settings: Pick<Settings, 'maxRejects' | 'maxDropped' | 'maxAgeDays'>;
  readonly now: Date;
  /** What this snapshot has of the last one's making. */
  readonly kept: KeptIngredients;
}

/** Which models and formulas are those of the last snapshot. What those made must not drift; what others made may. */
export interface KeptIngredients {
  readonly models: ReadonlySet<string>;
  /** Metrics whose formula and models are the same. */
  readonly metrics: ReadonlySet<string>;
}

/** Compares with the manifest of the last snapshot; without one nothing is kept. */
export const keptIngredients = (
  last: Manifest | undefined,
  { metrics, fingerprints }: Pick<World, 'metrics' | 'fingerprints'>,
): KeptIngredients => {
  const isKept = ({ model, fingerprint }: ModelFingerprint): boolean =>
    last?.models.some((was) => was.id === model && was.fingerprint === fingerprint) === true;
  const models = new Set<string>(fingerprints.filter(isKept).map(({ model }) => model));
  const same = metrics.filter(({ name, formula }) => {
    const was = last?.metrics.find((metric) => metric.name === name);
    const sides = [formula.plus, formula.minus, formula.over, formula.overMinus];
    const asked = sides.flat().flatMap(({ model, given }) => [model, given?.model ?? model]);
    return (
      was !== undefined &&
      asked.every((model) => models.has(model)) &&
      canonicalJson(sides.map((side) => side.map(countColumn))) ===
        canonicalJson([was.plus, was.minus, was.over, was.over_minus])
    );
  });
  return { models, metrics: new Set(same.map(({ name }) => name)) };
};
