/** What is the machine's fault and not the file's: the process that reads it is killed, as the system does for want of memory. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultOf } from '../../../pipeline/1-ingest/read.js';
import { ingest } from '../../../pipeline/1-ingest/stage.js';
import { checkUnit, makeUnit } from '../../../pipeline/run/units.js';
import { WHOLE } from '../../../pipeline/stage.js';
import { hashFile } from '../../../src/files.js';
import { idOf, manifestOf, openNights, textOf } from '../../support/nightly.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';
import { makePdf, openRig } from './rig.js';

const rig = openRig();
const PADDING = 48 << 20;

/** A PDF so large that a process which has read it can be told from one that only starts. */
const largePdf = async (): Promise<string> => {
  const pdf = await makePdf([
    (page) => page.text('Inflation rose in March and the Board took note of it, as it had before.'),
  ]);
  const first = pdf.indexOf('\n') + 1;
  const padding = Buffer.alloc(PADDING, '%'.padEnd(99, 'x').concat('\n'));
  const bytes = Buffer.concat([pdf.subarray(0, first), padding, pdf.subarray(first)]);
  return join(rig.write({ 'large.pdf': bytes }), 'large.pdf');
};

/** Kills as many of the processes that read documents from now on as asked, each once it has read so much. */
const killReaders = (most: number, bytes = PADDING): { readonly killed: () => number } => {
  const before = new Set(readdirSync('/proc'));
  const killed = new Set<string>();
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (
          killed.size >= most ||
          killed.has(pid) ||
          before.has(pid) ||
          !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('extract-child')
        )
          continue;
        if (!readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`)) continue;
        if (Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]) < bytes) continue;
        process.kill(Number(pid), 'SIGKILL');
        killed.add(pid);
      } catch {
        // It has ended by itself.
      }
    }
  }, 10);
  onTestFinished(() => clearInterval(timer));
  return { killed: () => killed.size };
};

describe.skipIf(process.platform !== 'linux')('a file whose reader is killed', () => {
  it('is read by another one', async () => {
    const file = await largePdf();
    const { killed } = killReaders(1);
    expect((await rig.open().extract(file, file)).text).toContain('Inflation rose');
    expect(killed()).toBe(1);
  });

  it('is read by another one where it is killed before it can read', async () => {
    const file = await largePdf();
    const { killed } = killReaders(1, 0);
    expect((await rig.fresh().extract(file, file)).text).toContain('Inflation rose');
    expect(killed()).toBe(1);
  });

  it('ends the run where no reader comes to reading', async () => {
    const file = await largePdf();
    const { killed } = killReaders(9, 0);
    const read = rig.fresh().extract(file, file);
    await expect(read).rejects.toThrow(/The process that reads documents does not start: .*SIGKILL/);
    expect(killed()).toBe(2);
  });

  it('is a reject of this run where that is killed too, and makes its partition stale for the next', async () => {
    const folder = temporaryFolder();
    const file = await largePdf();
    const document = {
      dataset: 'wcb',
      documentId: 'a',
      partition: 'a/2020',
      dimensions: { bank_name: 'a', year: 2020, date: '2020-01-02' },
      title: null,
      sourceUrl: null,
      file,
      path: 'large.pdf',
      fileSha256: await hashFile(file),
      bytes: PADDING,
    } as const;
    const world = testWorld('wcb', await testDatabase(folder), folder, { documents: () => [document] });
    const unit = join(folder, 'unit');
    const ingredients = await ingest.ingredients(WHOLE, world);
    const make = async () => {
      const open = await ingest.open([WHOLE], world);
      try {
        return await makeUnit({
          folder: unit,
          beside: join(folder, 'beside'),
          ingredients,
          make: (own) => open.run(WHOLE, own),
        });
      } finally {
        await open.close();
      }
    };

    const { killed } = killReaders(2);
    expect((await make()).amounts).toEqual({ documents: 0, rejects: 1 });
    expect(killed()).toBe(2);
    const [reject] = await world.database.rows(`SELECT reason FROM '${unit}/rejects.parquet'`);
    expect(reject?.reason).toMatch(/ended the process that read it \(SIGKILL\)\. The next run tries again\.$/);
    expect(await checkUnit(unit, ingredients)).toEqual({
      state: 'stale',
      why: 'could not be read, and may be now: large.pdf',
    });

    expect((await make()).amounts).toEqual({ documents: 1, rejects: 0 });
    expect(await checkUnit(unit, ingredients)).toMatchObject({ state: 'fresh' });
  });

  it('stays as it was read before, in the same bytes, where another document of its partition is new', async () => {
    const nights = openNights();
    nights.write('corpus/large.pdf', readFileSync(await largePdf()));
    nights.write('corpus/new.txt', textOf(2));
    nights.write('corpus/manifest.csv', manifestOf(['large.pdf']));
    await nights.rebuild(['corpus']);
    nights.write('corpus/manifest.csv', manifestOf(['large.pdf', 'new.txt']));
    const { killed } = killReaders(2);
    const night = await nights.rebuild(['corpus']);
    expect(killed()).toBe(2);
    expect(night.documents).toEqual([idOf(1), idOf(2)]);
    expect(night.rejects).toEqual({});
    expect(night.events.filter(({ type }) => type === 'kept')).toEqual([
      {
        type: 'kept',
        dataset: 'wcb',
        subject: 'large.pdf',
        why: expect.stringMatching(/process that read it \(SIGKILL\)\.$/),
      },
    ]);
    expect((await nights.rebuild(['corpus'])).ingested).toBe(0);
    rmSync(nights.outputs.folder, { recursive: true });
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(night.snapshot);
  });
});

it('what the system says of itself is no fault of a file', () => {
  const saying = (code: string) => Object.assign(new Error(code), { code });
  expect(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC'].map((code) => faultOf(saying(code)))).toEqual(
    Array(5).fill('machine'),
  );
  expect(['ENOENT', 'EACCES', 'EISDIR'].map((code) => faultOf(saying(code)))).toEqual(Array(3).fill('file'));
});
