/**
 * A long run killed with -9 again and again, then run to its end: does it end in the snapshots of a run that nobody
 * disturbed? `node dist/test/bench/killed.js [input…]`, by default the shared corpora. Exits 1 where it does not.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATASET_IDS } from '../../data/catalog.js';
import { outputsIn } from '../../src/outputs.js';
import { entryPoint, packagePath } from '../../src/package-root.js';
import { findCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { rebuild } from './measured-rebuild.js';

/** Seconds after which the run is killed, one after the other. */
const MOMENTS = [7, 19, 31, 11, 23, 5, 37, 13];

const corpora = packagePath('..', 'shared', 'corpora');
const asked = process.argv.slice(2);
const inputs = asked.length > 0 ? asked : [join(corpora, 'WorldCentralBanks'), join(corpora, 'fin-num-claim')];
const write = (text: string): void => void process.stdout.write(`${text}\n`);

const killAfter = (seconds: number, outputs: string): Promise<string> =>
  new Promise((resolve) => {
    const args = ['rebuild', '--log', 'quiet', '--outputs', outputs, ...inputs.flatMap((input) => ['--input', input])];
    const child = spawn(process.execPath, [entryPoint('src/cli/fintext'), ...args], { stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(signal === null ? `ended by itself with ${code}` : 'killed');
    });
  });

/** What is pointed to, which must be whole at every moment. */
const pointedTo = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const dataset of DATASET_IDS) {
    const id = await findCurrent(outputsIn(folder), dataset);
    if (id === undefined) continue;
    const faults = await verifySnapshot(outputsIn(folder), dataset, id);
    if (faults.length > 0) throw new Error(`${dataset} points to ${id}, which is broken: ${faults.join('; ')}`);
    found.push(`${dataset} ${id}`);
  }
  return found;
};

if (!inputs.every((input) => existsSync(input))) write(`Not there: ${inputs.join(', ')}. Name folders of documents.`);
else {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-killed-'));
  try {
    await rebuild(inputs, join(folder, 'undisturbed'));
    const expected = await pointedTo(join(folder, 'undisturbed'));
    for (const seconds of MOMENTS) {
      const ended = await killAfter(seconds, join(folder, 'killed'));
      const pointers = await pointedTo(join(folder, 'killed'));
      write(`after ${seconds} s ${ended}; pointed to: ${pointers.join(', ') || 'nothing yet'}`);
    }
    await rebuild(inputs, join(folder, 'killed'));
    const found = await pointedTo(join(folder, 'killed'));
    const same = found.join() === expected.join();
    write(
      `undisturbed ${expected.join(', ')}; after the kills ${found.join(', ')}: ${same ? 'the same' : 'DIFFERENT'}`,
    );
    if (!same) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
