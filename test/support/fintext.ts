/** Runs the built command as a person would, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSummary } from '../../src/cli/summary.js';
import { entryPoint, packagePath } from '../../src/package-root.js';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What is sent to the process, and after how many milliseconds. */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly afterMs: number };
  readonly cwd?: string;
  /** Called with all of stderr so far whenever there is more, to send a signal at a known place. */
  readonly watch?: (stderr: string, process: ChildProcess) => void;
}

export const fintext = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entryPoint('src/cli/fintext'), ...args], {
      env: { ...process.env, FINTEXT_DEVICE: 'cpu', ...options.env },
      cwd: options.cwd ?? tmpdir(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      options.watch?.(stderr, child);
    });
    child.stdin.on('error', () => undefined).end(options.input ?? '');
    const timer =
      options.kill === undefined ? undefined : setTimeout(() => child.kill(options.kill?.signal), options.kill.afterMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    });
  });

/** A temporary folder with an outputs folder and a copy of the bundled sample. */
export const openRig = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-'));
  const outputs = join(folder, 'outputs');
  const input = join(folder, 'sample');
  await cp(packagePath('data', 'sample'), input, { recursive: true });
  const common = ['--outputs', outputs];

  const rebuild = async (...more: readonly string[]): Promise<readonly RunSummary[]> => {
    const ended = await fintext(['rebuild', '--json', '--input', input, ...common, ...more]);
    if (ended.code !== 0) throw new Error(`fintext rebuild ended with ${ended.code}: ${ended.stderr}`);
    return JSON.parse(ended.stdout) as readonly RunSummary[];
  };
  return {
    folder,
    input,
    outputs,
    rebuild,
    run: (args: readonly string[], options?: RunOptions) => fintext([...args, ...common], options),
    current: async (dataset: string): Promise<string> =>
      (await readFile(join(outputs, 'published', dataset, 'CURRENT'), 'utf8')).trim(),
    published: (dataset: string, id: string, file: string): string =>
      join(outputs, 'published', dataset, 'snapshots', id, file),
    close: () => rm(folder, { recursive: true, force: true }),
  };
};

export type Rig = Awaited<ReturnType<typeof openRig>>;
