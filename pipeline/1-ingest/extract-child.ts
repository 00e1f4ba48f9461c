/**
 * A process that reads files which nobody vouches for. It serves one file at a time for as long as its parent lives;
 * its parent bounds its time and memory, and replaces it when it dies.
 */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../src/errors.js';
import { extractFile } from './extract-file.js';
import type { ExtractAnswer, ExtractTask } from './extract-process.js';
import { DOCUMENT_FORMATS } from './formats/index.js';
import { faultOf } from './read.js';
import { ExtractError } from './source.js';

const answer = async ({ file, format: name, limits }: ExtractTask): Promise<ExtractAnswer> => {
  try {
    const format = DOCUMENT_FORMATS.find((each) => each.name === name);
    if (format === undefined) return { kind: 'refused', reason: `There is no format ${name}.`, fault: 'file' };
    return { kind: 'extracted', extracted: await extractFile(format, file, limits) };
  } catch (error) {
    if (error instanceof ExtractError) return { kind: 'refused', reason: error.message, fault: error.fault };
    return { kind: 'refused', reason: `The file cannot be read as ${name}: ${toReason(error)}`, fault: faultOf(error) };
  }
};

const toReason = (error: unknown): string => {
  const message = messageOf(error);
  if (!(error instanceof RangeError)) return message;
  if (message.includes('call stack')) return 'it is nested too deeply.';
  return /allocation|string length|array length|buffer/i.test(message) ? 'it takes too much memory.' : message;
};

// A busy loop never sees that the parent is gone; this thread does, and ends both.
const WATCH = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;
new Worker(WATCH, { eval: true }).unref();

process.on('disconnect', () => process.exit(0));
process.on('message', (task) => {
  // Only the parent writes here.
  void answer(task as ExtractTask).then((made) => process.send?.(made));
});
process.send?.({ kind: 'ready' } satisfies ExtractAnswer);
