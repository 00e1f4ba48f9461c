import type { OpenStage } from '../../stage.js';

/** A way to run the stale partitions of a stage. One file in this folder each; a stage does not know which. */
export interface Executor {
  readonly name: string;
  /**
   * Runs `task` for every partition and resolves when all are done. The first failure stops what has not begun, and is
   * thrown once everything under way has ended.
   */
  readonly runAll: (
    partitions: readonly string[],
    stage: OpenStage,
    task: (partition: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
}
