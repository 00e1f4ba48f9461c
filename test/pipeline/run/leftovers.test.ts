import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { removeLeftovers, removeTemporaries } from '../../../pipeline/run/leftovers.js';
import { sealUnit } from '../../../pipeline/run/units.js';
import { WHOLE } from '../../../pipeline/stage.js';
import { temporaryBeside } from '../../../src/files.js';
import { type Outputs, outputsIn } from '../../../src/outputs.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const NOW = new Date('2026-01-10T00:00:00Z');
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
let outputs: Outputs;
let worlds = 0;

beforeEach(() => {
  worlds += 1;
  outputs = outputsIn(join(root, `outputs-${worlds}`));
});

const put = (path: string, at: Date, text = '0123456789'): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, at, at);
  return path;
};

const unit = async (stage: string, partition: string, at: Date, ingredients = {}): Promise<string> => {
  const folder = outputs.unit('wcb', stage, partition);
  put(join(folder, 'made.parquet'), at);
  await sealUnit(folder, ingredients, { files: ['made.parquet'], amounts: {} });
  utimesSync(join(folder, 'unit.json'), at, at);
  return folder;
};

const removed = async (): Promise<readonly string[]> =>
  (await removeLeftovers(outputs, 'wcb', NOW)).map(({ path }) => path);

describe('what is left over', () => {
  it('are units of partitions that the last published run did not have', async () => {
    const kept = await unit('ingest', 'bank_of_japan/2024', day(1));
    const gone = await unit('ingest', 'bank_of_japan/1999', day(1));
    const alsoGone = await unit('classify', 'bank_of_atlantis/2001', day(1));
    await unit('publish', WHOLE, day(2), { 'partition bank_of_japan/2024': 'x', formulas: 'y' });
    expect(await removed()).toEqual(['work/wcb/ingest/bank_of_japan/1999', 'work/wcb/classify/bank_of_atlantis/2001']);
    expect([kept, gone, alsoGone].map((path) => existsSync(path))).toEqual([true, false, false]);
    expect(await removed()).toEqual([]);
  });

  it.each([
    ['a slash after it', (folder: string) => `${folder}/`],
    ['a way from here', (folder: string) => `./${relative('.', folder)}`],
  ])('are found and removed where the outputs folder is named with %s', async (_what, named) => {
    outputs = outputsIn(named(outputs.folder));
    const gone = await unit('ingest', 'bank_of_japan/1999', day(1));
    await unit('publish', WHOLE, day(2), { 'partition bank_of_japan/2024': 'x' });
    expect(await removed()).toEqual(['work/wcb/ingest/bank_of_japan/1999']);
    expect(existsSync(gone)).toBe(false);
  });

  it('are not units that were made since: a later run will publish them', async () => {
    await unit('publish', WHOLE, day(2), { 'partition bank_of_japan/2024': 'x' });
    await unit('ingest', 'bank_of_japan/2025', day(3));
    expect(await removed()).toEqual([]);
  });

  it('are no units at all where nothing was published', async () => {
    await unit('ingest', 'bank_of_japan/1999', day(1));
    expect(await removed()).toEqual([]);
  });

  it('are temporary files of the day before and earlier, in work, published and predictions, with their bytes', async () => {
    const name = 'x.parquet.4711.0badf00d.tmp';
    const old = [
      put(join(outputs.work('wcb'), 'ingest', 'a', name), day(1)),
      put(join(outputs.snapshots('wcb'), 'staging.4711.0badf00d.tmp', 'documents.parquet'), day(1)),
      put(join(outputs.predictions, 'model', name), day(8)),
    ];
    utimesSync(dirname(old[1] ?? ''), day(1), day(1));
    const young = put(join(outputs.predictions, 'model', `y${name}`), new Date(NOW.getTime() - 3600_000));
    const others = put(join(outputs.work('earnings'), name), day(1));
    const ours = put(join(outputs.predictions, 'model', 'answers.tmp.parquet'), day(1));
    const found = await removeLeftovers(outputs, 'wcb', NOW);
    expect(found.map(({ what, bytes }) => [what, bytes])).toEqual(Array(3).fill(['temporary', 10]));
    expect(old.map((path) => existsSync(path))).toEqual([false, false, false]);
    expect([young, others, ours].map((path) => existsSync(path))).toEqual([true, true, true]);
  });
});

/** How a temporary name of this machine ends, after the number of its process. */
const makerName = (): string => temporaryBeside('x').replace(/^x\.\d+\./, '');

describe('what is removed as a run begins', () => {
  const NOBODY = 2 ** 22 + 1;
  const name = (pid: number): string => `made.${pid}.0123abcd.tmp`;

  it('are temporary files of processes that are gone, or had this process’ number', async () => {
    const folders = [
      outputs.work('wcb'),
      outputs.published('wcb'),
      outputs.snapshots('wcb'),
      join(outputs.predictions, 'a'),
    ];
    const dead = folders.flatMap((folder) => [NOBODY, process.pid].map((pid) => put(join(folder, name(pid)), day(9))));
    await removeTemporaries(outputs, 'wcb', NOW);
    expect(dead.filter((path) => existsSync(path))).toEqual([]);
  });

  it('is a unit that a process died over', async () => {
    const beside = join(outputs.work('wcb'), 'ingest');
    const dead = put(join(`${beside}.${NOBODY}.${makerName()}`, 'texts.parquet'), day(9));
    await removeTemporaries(outputs, 'wcb', NOW);
    expect(existsSync(dirname(dead))).toBe(false);
  });

  it('is nothing of another machine, whose process numbers mean nothing here, until it is old', async () => {
    const own = /\.([0-9a-f]{8})[0-9a-f]{8}\.tmp$/.exec(temporaryBeside('x'))?.[1] ?? '';
    const others = own.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const named = (host: string, at: Date): string =>
      put(join(outputs.work('wcb'), `made.${NOBODY}.${host}0123abc${at.getUTCDate() % 10}.tmp`), at);
    const [ours, theirs, old] = [named(own, day(9)), named(others, day(9)), named(others, day(8))];
    await removeTemporaries(outputs, 'wcb', NOW);
    expect([ours, theirs, old].map((path) => existsSync(path))).toEqual([false, true, false]);
  });

  it('is nothing of a process that lives, and nothing with another name', async () => {
    const kept = [name(process.ppid), 'made.parquet', 'part.tmp'].map((file) =>
      put(join(outputs.work('wcb'), file), day(9)),
    );
    await removeTemporaries(outputs, 'wcb', NOW);
    expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  });
});
