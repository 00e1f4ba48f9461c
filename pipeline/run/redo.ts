import { DATASETS } from '../../data/catalog.js';
import type { ModelId } from '../../models/catalog.js';
import { UsageError } from '../../src/errors.js';
import type { StageName } from '../document.js';
import { type Stage, WHOLE } from '../stage.js';
import { type DatasetPlan, partitionsWith, type Selection } from './plan.js';
import { unmatched } from './unmatched.js';

/** What is made again although it is fresh. */
export type Redo =
  | { readonly what: 'nothing' }
  | { readonly what: 'everything' }
  /** With `model`, its predictions and what follows; without, from the raw files on. */
  | { readonly what: 'selection'; readonly selection: Selection; readonly model?: ModelId };

/**
 * Partitions that were asked for; throws where there is nothing to read, or nothing of it was asked for.
 *
 * @param documents the documents that were asked for, where `redo` is a selection
 */
export const selectedBy = (plan: DatasetPlan, redo: Redo, documents: ReadonlySet<string>): readonly string[] => {
  if (plan.partitions.length === 0) {
    const [first] = plan.rejects;
    throw new UsageError(
      `No document of ${plan.dataset} can be read: ${plan.rejects.length} rejected, the first ${first?.subject}: ${first?.reason}`,
    );
  }
  switch (redo.what) {
    case 'nothing':
      return [];
    case 'everything':
      return plan.partitions;
    case 'selection': {
      const selected = partitionsWith(plan, documents);
      if (selected.length === 0) throw unmatched(plan, redo.selection);
      return selected;
    }
    default:
      return redo satisfies never;
  }
};

/** Are the raw files of what was asked for read again? Where only a model is asked again, they are not. */
export const whatIsRead = ({ model }: Extract<Redo, { what: 'selection' }>): 'selected' | 'nothing' =>
  model === undefined ? 'selected' : 'nothing';

/** Models that are asked again, whatever the prediction store holds. */
export const modelsToRedo = (plan: DatasetPlan, redo: Redo): readonly ModelId[] => {
  if (redo.what === 'nothing') return [];
  if (redo.what === 'selection' && redo.model !== undefined) return [redo.model];
  return redo.what === 'everything' ? DATASETS[plan.dataset].models : [];
};

/** Units of a stage that are made again although they may be fresh. Publishing follows from what changed. */
export const forcedUnits = (stage: Stage, redo: Redo, selected: readonly string[]): ReadonlySet<string> => {
  if (stage.scope === 'dataset') return new Set(redo.what === 'everything' ? [WHOLE] : []);
  const fromModels: readonly StageName[] = ['classify', 'aggregate'];
  const onlyModel = redo.what === 'selection' && redo.model !== undefined;
  return new Set(onlyModel && !fromModels.includes(stage.name) ? [] : selected);
};
