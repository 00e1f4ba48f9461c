import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Means over the samples of a span of time, of the first GPU. */
export interface GpuLoad {
  readonly samples: number;
  /** Share of the time in which the GPU computed anything at all, 0 to 1. */
  readonly busy: number;
  /** Share of the time in which its memory was read or written, 0 to 1. */
  readonly memory: number;
  readonly watts: number;
}

export interface GpuSampler {
  /** Of the time since `began`, of `Date.now()`; undefined where there is no nvidia-smi or it knows nothing. */
  since(began: number): GpuLoad | undefined;
  stop(): void;
}

const QUERY = 'utilization.gpu,utilization.memory,power.draw';

/** NVML's own sampling, ten times a second, through nvidia-smi. */
export const sampleGpu = async (): Promise<GpuSampler> => {
  const samples: { readonly at: number; readonly values: readonly number[] }[] = [];
  const child = spawn(
    'nvidia-smi',
    ['-i', '0', `--query-gpu=${QUERY}`, '--format=csv,noheader,nounits', '-lms', '100'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    const values = line.split(',').map(Number);
    if (values.length === 3 && values.every(Number.isFinite)) samples.push({ at: Date.now(), values });
  });
  let isGone = false;
  const end = (): void => {
    isGone = true;
  };
  child.on('error', end).on('exit', end);
  // It needs a while before its first line; what is measured must not begin before.
  for (let waited = 0; waited < 5000 && samples.length === 0 && !isGone; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    since: (began) => {
      // A sample speaks of the time before it: the first of the span still tells of what was before.
      const own = samples.filter(({ at }) => at >= began + 200).map(({ values }) => values);
      if (own.length === 0) return undefined;
      const mean = (place: number): number => own.reduce((sum, values) => sum + (values[place] ?? 0), 0) / own.length;
      return { samples: own.length, busy: mean(0) / 100, memory: mean(1) / 100, watts: mean(2) };
    },
    stop: () => void child.kill(),
  };
};
