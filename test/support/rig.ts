/** What tests of the pipeline share: a folder that goes when the file is done, a database, a world without surprises. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import { countsFor, metricsOf } from '../../pipeline/4-aggregate/metrics.js';
import type { World } from '../../pipeline/stage.js';
import { type Database, openDatabase } from '../../src/database.js';
import { hashFile } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { readSettings } from '../../src/settings.js';

/** A new folder below the system's temporary one, deleted after the tests of the file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fintext-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A small database, closed after the tests of the file. */
export const testDatabase = async (folder: string, threads = 2): Promise<Database> => {
  const database = await openDatabase({ memoryMb: 256, temporaryFolder: folder, threads });
  afterAll(() => database.close());
  return database;
};

/** A world of one dataset with nothing in it; `parts` is what the test is about. */
export const testWorld = (
  dataset: DatasetId,
  database: Database,
  folder: string,
  parts: Partial<World> = {},
): World => {
  const settings = readSettings({ outputs: folder }, {});
  return {
    dataset: DATASETS[dataset],
    settings,
    metrics: metricsOf(dataset, settings),
    counts: countsFor(dataset, settings),
    outputs: outputsIn(folder),
    database,
    log: () => undefined,
    signal: new AbortController().signal,
    now: () => new Date('2026-01-02T03:04:05Z'),
    hash: hashFile,
    alone: (_path, work) => work(),
    confirmAlone: () => Promise.resolve(),
    documents: () => [],
    partitions: [],
    inputs: [],
    fingerprints: [],
    stageVersions: {},
    listingRejects: [],
    output: (stage, partition) => {
      throw new Error(`The test gives no output of ${stage} for ${partition}.`);
    },
    lastMade: () => Promise.resolve(undefined),
    redoModels: [],
    allowedChecks: new Map(),
    reports: () => [],
    ...parts,
  };
};
