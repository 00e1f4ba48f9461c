/** `npm run bench`: every benchmark, one after the other, each in a process of its own; or those named. */
import { spawnSync } from 'node:child_process';
import { entryPoint } from '../../src/package-root.js';

const BENCHMARKS = [
  'segmentation',
  'extraction',
  'inference',
  'transformers',
  'gpu',
  'pipeline',
  'growth',
  'serve',
] as const;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHMARKS.some((known) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are ${BENCHMARKS.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const name of BENCHMARKS.filter((known) => asked.length === 0 || asked.includes(known))) {
    process.stdout.write(`\n== ${name}\n`);
    const { status } = spawnSync(process.execPath, [entryPoint(`test/bench/${name}`)], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
