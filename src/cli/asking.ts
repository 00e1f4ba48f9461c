import type { ModelId } from '../../models/catalog.js';
import { type Classifier, openClassifier } from '../inference/pool.js';
import type { Settings } from '../settings.js';

/** Opens one model as the settings say, and closes it again whatever comes of asking it. */
export const withModel = async <T>(
  model: ModelId,
  settings: Pick<Settings, 'models' | 'device' | 'variant' | 'workers'>,
  signal: AbortSignal,
  ask: (classifier: Classifier) => Promise<T>,
): Promise<T> => {
  const { models: modelsFolder, device, variant, workers } = settings;
  const classifier = await openClassifier({ models: [model], modelsFolder, device, variant, workers, signal });
  try {
    return await ask(classifier);
  } finally {
    await classifier.close();
  }
};
