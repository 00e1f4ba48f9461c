/**
 * How the main job grows with the corpus: from nothing, then a night with nothing new, then one with one document more; what
 * `fintext status` costs in between; and, beside the publishing of one document more, what any program would need to copy,
 * sync and hash the bytes of the two whole files that each snapshot holds of its sentences.
 * `node dist/test/bench/growth.js 20000 100000 500000 2000000`, in sentences; every size in folders of its own.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Table from 'cli-table3';
import { hashFile, measureBytes, syncPath } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { writeCorpus } from '../support/corpus.js';
import { type Measured, measure, mib, rebuild } from './measured-rebuild.js';

const SIZES = [2_000, 20_000];
const STAGES = ['ingest', 'segment', 'classify', 'aggregate', 'publish'];

const asked = process.argv.slice(2).map(Number);
if (asked.some((size) => !Number.isInteger(size) || size < 1)) throw new RangeError('Sizes are numbers of sentences.');

const write = (text: string): void => void process.stdout.write(`${text}\n`);

const secondsOf = ({ stages, seconds }: Measured): readonly string[] => {
  const each = STAGES.map((name) => stages.find(({ report }) => report.stage === name)?.report.seconds ?? 0);
  const before = seconds - each.reduce((sum, one) => sum + one, 0);
  return [before, ...each, seconds].map((one) => one.toFixed(1));
};

/**
 * Seconds to copy, sync and hash `sentences.parquet` and the DuckDB file of the current snapshot, one after the other and by
 * streams, so that a disk that shares blocks does not make the copy free.
 */
const copyWholeFiles = async (outputs: string, folder: string): Promise<string> => {
  const dataset = 'wcb';
  const current = await findCurrent(outputsIn(outputs), dataset);
  if (current === undefined) throw new Error(`${outputs} holds no snapshot of ${dataset}.`);
  const snapshot = outputsIn(outputs).snapshot(dataset, current);
  const began = performance.now();
  let bytes = 0;
  for (const name of ['sentences.parquet', `${dataset}.duckdb`]) {
    const copy = join(folder, `copied-${name}`);
    await pipeline(
      createReadStream(join(snapshot, name), { highWaterMark: 1 << 20 }),
      createWriteStream(copy, { highWaterMark: 1 << 20 }),
    );
    await syncPath(copy);
    await hashFile(copy);
    bytes += (await stat(copy)).size;
    await rm(copy);
  }
  return `copied, synced and hashed its ${mib(bytes)}: ${((performance.now() - began) / 1000).toFixed(2)} s`;
};

const rows: string[][] = [];

/** A new table each time: a table keeps the widths of its columns once it was shown. */
const showRows = (): void => {
  const table = new Table({
    head: ['sentences', 'night', 'start, list', ...STAGES, 'seconds', 'CPU', 'peak memory', 'outputs'],
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  write(table.toString());
};

for (const size of asked.length === 0 ? SIZES : asked) {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-growth-'));
  try {
    const corpus = await writeCorpus(join(folder, 'corpus'), size, 8);
    const outputs = join(folder, 'outputs');
    const night = async (name: string): Promise<void> => {
      const measured = await rebuild([corpus.folder], outputs);
      const [summary] = measured.summaries;
      rows.push([
        (summary?.sentences ?? 0).toLocaleString('en'),
        name,
        ...secondsOf(measured),
        measured.cpuSeconds.toFixed(1),
        mib(measured.peak),
        mib(await measureBytes(outputs)),
      ]);
      write(
        `${name}: ${summary?.documents} documents, ${summary?.unique_sentences} texts, ${summary?.predictions_made} predictions made, snapshot ${summary?.snapshot}`,
      );
    };
    const status = async (): Promise<void> => {
      const measured = await measure(['status', '--dataset', 'wcb', '--outputs', outputs]);
      if (!measured.stdout.includes('nothing: all')) throw new Error(`Something is to do: ${measured.stdout}`);
      const blank = Array.from(STAGES, () => '');
      const { seconds, cpuSeconds, peak } = measured;
      rows.push(['', 'status', '', ...blank, seconds.toFixed(1), cpuSeconds.toFixed(1), mib(peak), '']);
    };
    await night('first');
    await status();
    await night('nothing new');
    await corpus.grow();
    await night('one document');
    write(`the two whole files of that snapshot, ${await copyWholeFiles(outputs, folder)}`);
    await status();
    showRows();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
