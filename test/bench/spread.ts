/**
 * What the steps of a job cost: processor seconds of each step's tasks, run one after the other on this machine.
 * `node dist/test/bench/spread.js 20000 100000`, in sentences of generated documents; the last row is the difference
 * between the first and the last size, for each million sentences.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { measureBytes } from '../../src/files.js';
import { entryPoint } from '../../src/package-root.js';
import { writeCorpus } from '../support/corpus.js';

const TASKS = '4';
const STEPS = ['plan', 'read', 'cut', 'answer', 'finalize'] as const;
type Seconds = Readonly<Record<(typeof STEPS)[number], number>>;

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length === 0 ? [2_000, 20_000] : asked;
if (sizes.some((size) => !Number.isInteger(size) || size < 1)) throw new RangeError('Sizes are numbers of sentences.');

/** What a command printed, and the processor seconds of all its processes. */
const measure = (words: readonly string[]): Promise<{ readonly stdout: string; readonly seconds: number }> =>
  new Promise((resolve, reject) => {
    const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
    const node = [process.execPath, entryPoint('src/cli/fintext'), ...words, '--log', 'quiet'];
    const child = spawn('bash', ['-c', script, 'bash', ...node], {
      env: { ...process.env, FINTEXT_WORKERS: '1', FINTEXT_DEVICE: 'cpu' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('close', (code) => {
      const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
      if (code === 0) resolve({ stdout, seconds: Number(user) + Number(system) });
      else reject(new Error(`fintext ${words.join(' ')} ended with ${code}: ${stderr}`));
    });
  });

const measureJob = async (size: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-spread-'));
  try {
    const corpus = await writeCorpus(join(folder, 'corpus'), size, 8);
    const outputs = join(folder, 'outputs');
    const where = ['--dataset', 'wcb', '--input', corpus.folder, '--outputs', outputs, '--tasks', TASKS];
    const { stdout, seconds } = await measure(['plan', ...where]);
    const spent: Record<(typeof STEPS)[number], number> = { plan: seconds, read: 0, cut: 0, answer: 0, finalize: 0 };
    let texts = 0;
    for (const line of stdout.trim().split('\n')) {
      const words = line.split(' ').slice(1);
      const step = STEPS.find((name) => words.includes(name)) ?? 'plan';
      spent[step] += (await measure(words)).seconds;
      if (step === 'cut') {
        const marker: { readonly amounts: { readonly texts: number } } = JSON.parse(
          await readFile(join(words[words.indexOf('--job') + 1] ?? '', 'done', 'cut-0.json'), 'utf8'),
        );
        texts = marker.amounts.texts;
      }
    }
    return { size: corpus.documents * 200, texts, spent: spent as Seconds, bytes: await measureBytes(outputs) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const table = new Table({
  head: ['sentences', 'distinct', ...STEPS, 'bytes in outputs'],
  style: { head: [], border: [], compact: true },
});
const jobs: Awaited<ReturnType<typeof measureJob>>[] = [];
for (const size of sizes) {
  const job = await measureJob(size);
  jobs.push(job);
  const seconds = STEPS.map((step) => job.spent[step].toFixed(1));
  table.push([
    job.size.toLocaleString('en'),
    job.texts.toLocaleString('en'),
    ...seconds,
    job.bytes.toLocaleString('en'),
  ]);
}
const [first, last] = [jobs[0], jobs.at(-1)];
if (first !== undefined && last !== undefined && last.size > first.size) {
  const more = (last.size - first.size) / 1e6;
  table.push([
    'each million',
    Math.round((last.texts - first.texts) / more).toLocaleString('en'),
    ...STEPS.map((step) => ((last.spent[step] - first.spent[step]) / more).toFixed(0)),
    Math.round((last.bytes - first.bytes) / more).toLocaleString('en'),
  ]);
}
process.stdout.write(`${table.toString()}\n`);
