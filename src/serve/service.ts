import type { ModelEntry } from '../../models/catalog.js';
import type { Accounts } from '../accounts/accounts.js';
import type { Inference } from './inference.js';
import type { Snapshots } from './snapshots.js';
import type { Turns } from './turns.js';

/** What the handlers are given. */
export interface Service {
  readonly accounts: Accounts;
  readonly snapshots: Snapshots;
  readonly inference: Inference;
  /** For long answers. */
  readonly turns: Turns;
  /** The models that are listed and may be run. */
  readonly models: readonly ModelEntry[];
  /** Prometheus' text of everything that is measured. */
  readonly measurements: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The OpenAPI document. */
  readonly document: () => unknown;
  /** Undefined while requests are welcome. */
  readonly stopping: () => boolean;
}
