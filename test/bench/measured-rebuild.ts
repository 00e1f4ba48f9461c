/** A rebuild by the built command, measured from outside: seconds and peak memory, of all of it and of each stage. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { StageReport } from '../../pipeline/events.js';
import type { RunSummary } from '../../src/cli/summary.js';
import { entryPoint } from '../../src/package-root.js';
import { cpuSecondsOf, memoryOfTree } from './process-memory.js';

export interface Measured {
  readonly summaries: readonly RunSummary[];
  readonly stages: readonly MeasuredStage[];
  readonly seconds: number;
  /** Of all threads of the process: on a busy machine it says more than the seconds. Linux; elsewhere 0. */
  readonly cpuSeconds: number;
  readonly peak: number;
}

export interface MeasuredStage {
  readonly dataset: string;
  readonly report: StageReport;
  readonly peak: number;
}

export const rebuild = async (inputs: readonly string[], outputs: string): Promise<Measured> => {
  const { stdout, ...rest } = await measure([
    'rebuild',
    '--json',
    '--log',
    'json',
    '--outputs',
    outputs,
    ...inputs.flatMap((input) => ['--input', input]),
  ]);
  return { ...rest, summaries: JSON.parse(stdout) as readonly RunSummary[] };
};

/** Any command; of one that is no run there are no stages. */
export const measure = async (
  args: readonly string[],
): Promise<Omit<Measured, 'summaries'> & { readonly stdout: string }> => {
  const began = performance.now();
  const child = spawn(process.execPath, [entryPoint('src/cli/fintext'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peak = 0;
  let cpuSeconds = 0;
  let peakOfStage = 0;
  const timer = setInterval(() => {
    void cpuSecondsOf(child.pid ?? 0).then((seconds) => {
      cpuSeconds = Math.max(cpuSeconds, seconds);
    });
    void memoryOfTree(child.pid ?? 0).then((bytes) => {
      peak = Math.max(peak, bytes);
      peakOfStage = Math.max(peakOfStage, bytes);
    });
  }, 100);
  const stages: MeasuredStage[] = [];
  let last = '';
  const events = createInterface({ input: child.stderr });
  events.on('line', (line) => {
    last = line;
    const event: { msg?: string; dataset?: string; report?: StageReport } = line.startsWith('{')
      ? JSON.parse(line)
      : {};
    if (event.msg === 'stage-started') peakOfStage = 0;
    if (event.msg === 'stage-done' && event.report !== undefined) {
      stages.push({ dataset: event.dataset ?? '', report: event.report, peak: peakOfStage });
    }
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`fintext ${args[0]} ended with ${code}: ${last}`);
  return {
    stdout,
    stages,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds,
    peak,
  };
};

export const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
