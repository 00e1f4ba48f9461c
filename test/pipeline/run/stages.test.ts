import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent, StageReport } from '../../../pipeline/events.js';
import { local } from '../../../pipeline/run/executors/local.js';
import { checkUnits, partitionsOf, runStage } from '../../../pipeline/run/stages.js';
import type { OpenWorld } from '../../../pipeline/run/world.js';
import { type Stage, type UnitOutput, WHOLE, type World } from '../../../pipeline/stage.js';
import { type Database, openDatabase } from '../../../src/database.js';
import { hashText } from '../../../src/files.js';
import { temporaryFolder, testWorld } from '../../support/rig.js';

const root = temporaryFolder();
let database: Database;
let folder: string;
let folders = 0;

beforeAll(async () => {
  database = await openDatabase({ memoryMb: 128, temporaryFolder: root, threads: 1 });
  database.close();
});
beforeEach(() => {
  folders += 1;
  folder = join(root, String(folders));
});

/** A stage that notes what it is asked to do, and the raw text of each partition, which it copies. */
const rig = (partitions: readonly string[]) => {
  const texts = new Map(partitions.map((partition) => [partition, `text of ${partition}`]));
  const ran: string[] = [];
  const opened: (readonly string[])[] = [];
  const events: RunEvent[] = [];
  const outputs = new Map<string, UnitOutput>();
  let closed = 0;
  const failing = new Set<string>();
  let fault: string | undefined;
  const stage: Stage = {
    name: 'ingest',
    version: '1',
    scope: 'partition',
    about: 'copies',
    ingredients: async (partition) => ({ text: hashText(texts.get(partition) ?? '') }),
    findFault: async () => fault,
    open: async (stale) => {
      opened.push(stale);
      return {
        concurrency: 2,
        run: async (partition, unit) => {
          ran.push(partition);
          expect(readdirSync(unit)).toEqual([]);
          writeFileSync(join(unit, 'copy.txt'), texts.get(partition) ?? '');
          if (failing.has(partition)) throw new Error(`${partition} cannot be made`);
          return { files: ['copy.txt'], amounts: { documents: 1 } };
        },
        close: async () => {
          closed += 1;
          return { amounts: { opened: 1 }, facts: { how: 'by hand' } };
        },
      };
    },
  };
  const world: World = testWorld('wcb', database, folder, {
    partitions,
    log: (event) => events.push(event),
    now: () => new Date(1000),
  });
  const open: OpenWorld = {
    world,
    setOutput: (_, partition, output) => void outputs.set(partition, output),
    hasOutput: (_, partition) => outputs.has(partition),
    hashes: () => new Map(),
    close: async () => undefined,
  };
  const run = (forced: readonly string[] = [], with_: Partial<Stage> = {}): Promise<StageReport> =>
    runStage({ ...stage, ...with_ }, open, local, new Set(forced));
  return {
    stage,
    world,
    open,
    texts,
    ran,
    opened,
    events,
    outputs,
    failing,
    run,
    closed: () => closed,
    setFault: (text: string | undefined) => {
      fault = text;
    },
    unit: (partition: string) => world.outputs.unit('wcb', 'ingest', partition),
  };
};

describe('a stage that is run', () => {
  it('makes every partition the first time, and none the second', async () => {
    const { run, ran, opened, outputs, closed } = rig(['a/1', 'a/2', 'b/1']);
    expect(await run()).toMatchObject({
      stage: 'ingest',
      units: 3,
      stale: 3,
      amounts: { documents: 3, opened: 1 },
      facts: { how: 'by hand' },
    });
    expect([...ran].sort()).toEqual(['a/1', 'a/2', 'b/1']);
    outputs.clear();
    expect(await run()).toMatchObject({ units: 3, stale: 0, amounts: { documents: 3 }, facts: {} });
    expect(ran).toHaveLength(3);
    expect(opened).toHaveLength(1);
    expect(closed()).toBe(1);
    expect(outputs.get('a/2')).toMatchObject({ files: { 'copy.txt': hashText('text of a/2') } });
  });

  it('makes only the partition whose ingredient changed', async () => {
    const { run, ran, texts, opened, outputs } = rig(['a/1', 'a/2', 'b/1']);
    await run();
    ran.length = 0;
    texts.set('a/2', 'another text');
    expect(await run()).toMatchObject({ stale: 1, amounts: { documents: 3 } });
    expect(ran).toEqual(['a/2']);
    expect(opened.at(-1)).toEqual(['a/2']);
    expect(outputs.get('a/2')?.files).toEqual({ 'copy.txt': hashText('another text') });
  });

  it('makes only the partition whose file was changed or lost', async () => {
    const { run, ran, unit } = rig(['a/1', 'a/2', 'b/1']);
    await run();
    ran.length = 0;
    writeFileSync(join(unit('b/1'), 'copy.txt'), 'changed by hand');
    rmSync(unit('a/1'), { recursive: true });
    await run();
    expect([...ran].sort()).toEqual(['a/1', 'b/1']);
  });

  it('makes everything when its version is raised', async () => {
    const { run, ran } = rig(['a', 'b']);
    await run();
    await run([], { version: '2' });
    expect(ran).toHaveLength(4);
    await run([], { version: '2' });
    expect(ran).toHaveLength(4);
  });

  it('makes again what is asked for, though it is fresh', async () => {
    const { run, ran } = rig(['a', 'b']);
    await run();
    ran.length = 0;
    expect(await run(['b'])).toMatchObject({ stale: 1 });
    expect(ran).toEqual(['b']);
  });

  it('makes again what has a fault outside its folder, and only then', async () => {
    const { run, ran, setFault, stage, world } = rig(['a']);
    setFault('asked too early');
    await run();
    setFault('the snapshot is gone');
    const [checked] = await checkUnits(stage, world, ['a'], new Set());
    expect(checked?.freshness).toEqual({ state: 'stale', why: 'the snapshot is gone' });
    await run();
    setFault(undefined);
    await run();
    expect(ran).toEqual(['a', 'a']);
  });

  it('tells how far it is and what it did', async () => {
    const { run, events } = rig(['a', 'b']);
    await run();
    expect(events.map(({ type }) => type)).toEqual(['stage-started', 'progress', 'progress', 'stage-done']);
    expect(events[0]).toMatchObject({ units: 2, stale: 2 });
    expect(events[2]).toMatchObject({ done: 2, total: 2 });
  });
});

describe('a stage that fails', () => {
  it('for one partition keeps what is done, closes, and goes on there the next time', async () => {
    const { run, ran, failing, closed, unit, outputs } = rig(['a', 'b', 'c', 'd']);
    failing.add('c');
    await expect(run()).rejects.toThrow('c cannot be made');
    expect(closed()).toBe(1);
    expect(existsSync(join(unit('c'), 'unit.json'))).toBe(false);
    expect(outputs.has('c')).toBe(false);
    const done = [...outputs.keys()];
    ran.length = 0;
    failing.clear();
    await run();
    expect([...ran].sort()).toEqual(['a', 'b', 'c', 'd'].filter((partition) => !done.includes(partition)));
    expect(outputs.size).toBe(4);
  });

  it('leaves no mixed unit and nothing half made: an old one stays until the new one is whole', async () => {
    const { run, failing, unit, texts, world } = rig(['a']);
    await run();
    texts.set('a', 'another text');
    failing.add('a');
    await expect(run()).rejects.toThrow('a cannot be made');
    expect(readFileSync(join(unit('a'), 'copy.txt'), 'utf8')).toBe('text of a');
    expect(readdirSync(world.outputs.work('wcb'))).toEqual(['ingest']);
    failing.clear();
    expect(await run()).toMatchObject({ stale: 1 });
    expect(readFileSync(join(unit('a'), 'copy.txt'), 'utf8')).toBe('another text');
  });

  it('says the first failure, though closing fails as well', async () => {
    const { run, failing, stage } = rig(['a']);
    failing.add('a');
    const open: Stage['open'] = async (partitions, world) => ({
      ...(await stage.open(partitions, world)),
      close: () => Promise.reject(new Error('the worker is gone')),
    });
    await expect(run([], { open })).rejects.toThrow('a cannot be made');
  });

  it('says that closing failed where nothing else did', async () => {
    const { run, stage } = rig(['a']);
    const open: Stage['open'] = async (partitions, world) => ({
      ...(await stage.open(partitions, world)),
      close: () => Promise.reject(new Error('the worker is gone')),
    });
    await expect(run([], { open })).rejects.toThrow('the worker is gone');
  });
});

describe('the units of a stage', () => {
  it('are one for the dataset where that is its scope', async () => {
    const { stage, world } = rig(['a', 'b']);
    expect(partitionsOf(stage, world)).toEqual(['a', 'b']);
    expect(partitionsOf({ ...stage, scope: 'dataset' }, world)).toEqual([WHOLE]);
  });
});
