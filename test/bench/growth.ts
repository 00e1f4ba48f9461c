/**
 * How the main job grows with the corpus: from nothing, then a night with nothing new, then one with one document more; and
 * what `fintext status` costs in between.
 * `node dist/test/bench/growth.js 20000 100000 500000 2000000`, in sentences; every size in folders of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { measureBytes } from '../../src/files.js';
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
    await status();
    showRows();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
