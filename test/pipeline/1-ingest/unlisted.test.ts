/** Folders of the inputs that are there and cannot be listed: what lies in them is not left out without a word. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FolderError, listFiles, readNames } from '../../../pipeline/1-ingest/sources/folders.js';
import { listInput } from '../../../pipeline/1-ingest/sources/index.js';
import { collect, openRig } from './rig.js';

const rig = openRig();
const CALL = 'AAPL_2020_Q1.txt';
const MOST_PATH = 4096;

describe('a folder of the inputs', () => {
  it('that is not there, or is a file, has no names', async () => {
    const folder = rig.write({ 'a.txt': 'Text.' });
    expect(await readNames(join(folder, 'none'))).toEqual([]);
    expect(await readNames(join(folder, 'a.txt'))).toEqual([]);
  });

  it('of the system, as lies at the root of a disk, is not looked into', async () => {
    const folder = rig.write({ [CALL]: 'Text.', 'lost+found/AAPL_2020_Q2.txt': 'Text.' });
    expect(await listFiles(folder)).toEqual([CALL]);
  });

  it.runIf(process.platform === 'linux')(
    'whose path is too long ends the run, with its name and the code',
    async () => {
      let folder = rig.write({});
      while (folder.length + 201 < MOST_PATH - 100) folder = join(folder, 'd'.repeat(200));
      mkdirSync(folder, { recursive: true });
      const name = 'e'.repeat(250);
      execFileSync('sh', ['-c', `mkdir ${name} && echo Text. > ${name}/AAPL_2020_Q2.txt && echo Text. > ${CALL}`], {
        cwd: folder,
      });
      // By a path of its own Node could not delete it.
      onTestFinished(() => void execFileSync('rm', ['-rf', name], { cwd: folder }));
      const listed = collect(listInput(folder));
      await expect(listed).rejects.toBeInstanceOf(FolderError);
      await expect(listed).rejects.toThrow(
        `The input folder ${join(folder, name)} cannot be listed: the system says ENAMETOOLONG. Its path is too long: move it`,
      );
    },
  );

  describe.skipIf(process.getuid === undefined || process.getuid() === 0)('that may not be read ends the run', () => {
    const lock = (folder: string): void => {
      chmodSync(folder, 0);
      onTestFinished(() => chmodSync(folder, 0o700));
    };
    it.each([
      ['within a layout', { [`calls/${CALL}`]: 'Text.', 'calls/locked/AAPL_2020_Q2.txt': 'Text.' }, 'calls/locked'],
      ['beside a layout', { [`calls/${CALL}`]: 'Text.', 'locked/AAPL_2020_Q2.txt': 'Text.' }, 'locked'],
      [
        'that a manifest names',
        { 'manifest.csv': 'path,ticker,year,quarter\nfiles/a.txt,AAPL,2020,1\n', 'files/a.txt': 'Text.' },
        'files',
      ],
    ])('%s', async (_where, files, locked) => {
      const folder = rig.write(files);
      lock(join(folder, locked));
      const listed = collect(listInput(folder));
      await expect(listed).rejects.toThrow(
        `The input folder ${join(folder, locked)} cannot be listed: the system says EACCES. Let the user who runs fintext read it`,
      );
    });

    it.each([
      ['a file', 'a.txt', 'a.txt'],
      ['a folder', 'there', 'there/a.txt'],
    ])('but not where %s is a link out of the folder, which is not followed in any case', async (_what, link, path) => {
      const outside = rig.write({ 'a.txt': 'Text.' });
      const folder = rig.write({ 'manifest.csv': `path,ticker,year,quarter\n${path},AAPL,2020,1\n` });
      symlinkSync(link === path ? join(outside, 'a.txt') : outside, join(folder, link));
      lock(outside);
      expect((await collect(listInput(folder))).rejects.map(({ reason }) => reason)).toEqual([
        expect.stringContaining('the path leads through a link out of the folder and is not read'),
      ]);
    });

    it('but for a manifest that names the files of one that only may not be listed', async () => {
      const manifest = 'path,ticker,year,quarter\nfiles/a.txt,AAPL,2020,1\n';
      const folder = rig.write({ 'manifest.csv': manifest, 'files/a.txt': 'Text.' });
      chmodSync(join(folder, 'files'), 0o100);
      onTestFinished(() => chmodSync(join(folder, 'files'), 0o700));
      expect((await collect(listInput(folder))).ids).toHaveLength(1);
    });
  });
});
