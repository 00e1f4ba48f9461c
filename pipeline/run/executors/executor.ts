import type { OpenStage } from '../../stage.js';

/** A way to run the stale partitions of a stage in this process. One file in this folder each; a stage does not know which. */
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

/** What an engine is given: a command of fintext, as one task or as many that differ in a number. */
export interface Step {
  /** No other step of any job has it. */
  readonly name: string;
  /** Arguments of `fintext`; `ELEMENT` and `ATTEMPTS` stand for what only the engine knows. */
  readonly args: readonly string[];
  /** Tasks of an array, numbered from 0; or one task. */
  readonly elements: number | 'one';
  /** The step that must have succeeded before, whole. */
  readonly after: string | null;
  readonly cpus: number;
  readonly gpus: number;
}

/** The number of an array's task. */
export const ELEMENT = '{element}';
/** What all attempts of one task have in common, and no other task has. */
export const ATTEMPTS = '{attempts}';

/** An exit status of `fintext`: this attempt failed, another one may succeed. */
export const TRY_AGAIN = 75;

/** Tasks of a step that the engine knows of and that have not ended. */
export interface Alive {
  readonly step: string;
  /** In the engine's word: PENDING, RUNNING… */
  readonly state: string;
  readonly tasks: number;
}

/**
 * An engine that places tasks on machines which share the outputs folder. It is told what to start and asked what lives;
 * what is done is told by the markers on the shared folder, never by it.
 */
export interface Engine {
  readonly name: string;
  /** Hands the steps over. `logs` is a folder for what the tasks say. */
  readonly submit: (steps: readonly Step[], logs: string) => Promise<void>;
  readonly findAlive: (steps: readonly string[]) => Promise<readonly Alive[]>;
  readonly cancel: (steps: readonly string[]) => Promise<void>;
}
