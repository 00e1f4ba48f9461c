/** A small corpus, the command run on it with a fault, and what has to hold afterwards. */
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputsIn } from '../../../src/outputs.js';
import { packagePath } from '../../../src/package-root.js';
import { findCurrent, verifySnapshot } from '../../../src/snapshot/snapshots.js';
import { type Ended, fintext, type RunOptions } from '../fintext.js';

const FIRST_NIGHT = ['snb-statement-2024-09.txt', 'cnb-minutes-2022-06.docx'];
const SECOND_NIGHT = [...FIRST_NIGHT, 'cnb-statement-2024-03.txt'];

export interface Small {
  readonly folder: string;
  /** Two documents, and a day later three. */
  readonly nights: readonly [first: string, second: string];
  readonly close: () => Promise<void>;
}

export const openSmall = async (): Promise<Small> => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-faults-'));
  const write = async (night: string, names: readonly string[]): Promise<string> => {
    const input = join(folder, night);
    const from = packagePath('data', 'sample', 'wcb-manifest');
    await mkdir(join(input, 'files'), { recursive: true });
    for (const name of names) await copyFile(join(from, 'files', name), join(input, 'files', name));
    const [header = '', ...rows] = (await readFile(join(from, 'manifest.csv'), 'utf8')).split(/\r?\n/);
    const kept = rows.filter((row) => names.some((name) => row.startsWith(`files/${name},`)));
    await writeFile(join(input, 'manifest.csv'), `${[header, ...kept].join('\n')}\n`);
    return input;
  };
  return {
    folder,
    nights: [await write('first', FIRST_NIGHT), await write('second', SECOND_NIGHT)],
    close: () => rm(folder, { recursive: true, force: true }),
  };
};

export const rebuildSmall = (input: string, outputs: string, options: RunOptions = {}): Promise<Ended> =>
  fintext(
    ['rebuild', '--dataset', 'wcb', '--log', 'quiet', '--workers', '1', '--input', input, '--outputs', outputs],
    options,
  );

export const copyOutputs = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true });

/** The current snapshot, or undefined; and what is wrong with it. */
export const findServed = async (
  outputs: string,
): Promise<{ readonly id: string | undefined; readonly faults: readonly string[] }> => {
  const places = outputsIn(outputs);
  const id = await findCurrent(places, 'wcb');
  return { id, faults: id === undefined ? [] : await verifySnapshot(places, 'wcb', id) };
};

/** A record of a run, and its lineage: each run has its own. */
const RECORD = /[/\\]runs[/\\][0-9a-f-]{36}(\.openlineage)?\.json$/;

/** Every file and folder below the outputs folder, sorted, but for the records of the single runs. */
export const listTree = async (outputs: string): Promise<readonly string[]> =>
  (await readdir(outputs, { recursive: true })).filter((path) => !RECORD.test(path)).sort();
