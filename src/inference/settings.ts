import { availableParallelism } from 'node:os';
import type { Processor } from './variants.js';

/** The most texts that one run of a session gets, measured with test/bench/inference.ts. */
export const MICRO_BATCH: Readonly<Record<Processor, number>> = { cpu: 32, gpu: 128 };

/** The most texts that a worker holds at a time: bounds its memory, and how long others wait for their turn. */
export const CHUNK = 2048;

/** Fewer texts than this are not shared out among workers: batches of one length would become too small. */
export const LEAST_CHUNK = 32;

const MOST_WORKERS = 4;

/** Worker threads on a processor: one a core up to four, each with one thread; a GPU takes one. */
export const defaultWorkers = (processor: Processor): number =>
  processor === 'gpu' ? 1 : Math.max(1, Math.min(MOST_WORKERS, availableParallelism()));
