import { availableParallelism } from 'node:os';
import type { Provider } from './device.js';
import type { Processor } from './variants.js';

/** The most texts that one run of a session gets, measured with test/bench/inference.ts. */
export const MICRO_BATCH: Readonly<Record<Processor, number>> = { cpu: 32, gpu: 128 };

/** The most texts that a worker holds at a time: bounds its memory, and how long others wait for their turn. */
export const CHUNK = 2048;

/** Fewer texts than this are not shared out among workers: batches of one length would become too small. */
export const LEAST_CHUNK = 32;

const MOST_WORKERS = 4;

/**
 * Worker threads that a provider gets: of the processor one a core up to four, each with one thread, or as many as were
 * asked for; of a GPU one. On WebGPU it is one whatever was asked: two sessions of a process that run at the same time end
 * it (microsoft/onnxruntime#32561).
 */
export const workersOn = (provider: Provider, asked?: number): number => {
  switch (provider) {
    case 'webgpu':
      return 1;
    case 'cuda':
      return Math.max(1, asked ?? 1);
    case 'cpu':
      return Math.max(1, asked ?? Math.min(MOST_WORKERS, availableParallelism()));
    default:
      return provider satisfies never;
  }
};
