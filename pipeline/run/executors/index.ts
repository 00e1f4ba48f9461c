import type { Settings } from '../../../src/settings.js';
import type { Executor } from './executor.js';
import { local } from './local.js';

/** Every way to run. */
export const EXECUTORS: Readonly<Record<Settings['executor'], Executor>> = { local };
