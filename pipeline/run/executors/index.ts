import { UsageError } from '../../../src/errors.js';
import type { Settings } from '../../../src/settings.js';
import type { Engine, Executor } from './executor.js';
import { local } from './local.js';
import { slurm } from './slurm.js';

/** Every way to run: in this process, or handed over to an engine. */
export const EXECUTORS: Readonly<Record<Settings['executor'], Executor | Engine>> = { local, slurm };

/** @throws UsageError where it is an engine, which runs nothing in this process */
export const getExecutor = (name: Settings['executor']): Executor => {
  const found = EXECUTORS[name];
  if ('runAll' in found) return found;
  throw new UsageError(`--executor ${name} is for fintext rebuild, without --full; use --executor local here.`);
};

/** The engine of this name, or undefined where it is none. */
export const findEngine = (name: string): Engine | undefined =>
  Object.values(EXECUTORS)
    .filter((one) => 'submit' in one)
    .find((one) => one.name === name);
