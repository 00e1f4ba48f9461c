import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LooksOptions, openLooks } from '../../../pipeline/run/looks.js';
import { hashText } from '../../../src/files.js';
import { type Outputs, outputsIn } from '../../../src/outputs.js';
import { idOf, manifestOf, openNights, textOf } from '../../support/nightly.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
/** Stands for what was remembered: no content has it, so whoever finds it has not read the file. */
const REMEMBERED = 'a'.repeat(64);
const later = (): Date => new Date(Date.now() + 60_000);
let outputs: Outputs;
let file: string;
let worlds = 0;

beforeEach(() => {
  worlds += 1;
  outputs = outputsIn(join(root, `outputs-${worlds}`));
  file = join(root, `file-${worlds}.txt`);
  writeFileSync(file, 'As it was.');
});

const remembered = (): Record<string, [string, string, number]> =>
  JSON.parse(readFileSync(outputs.looks('wcb'), 'utf8')) as Record<string, [string, string, number]>;
const open = (trust: LooksOptions['trust'], began = later()) => openLooks({ outputs, dataset: 'wcb', began, trust });
const remember = async (path = file, began?: Date): Promise<void> =>
  (await open('nothing', began)).save(new Map([[path, REMEMBERED]]));
const hashOf = async (path = file, trust: LooksOptions['trust'] = 'all'): Promise<string> =>
  (await open(trust)).hash(path);

describe('the hash of a file', () => {
  it('is what was remembered while the file looks the same', async () => {
    await remember();
    expect(await hashOf()).toBe(REMEMBERED);
  });

  it('is that of its content where nothing was remembered, or nothing that can be read', async () => {
    expect(await hashOf()).toBe(hashText('As it was.'));
    await remember();
    for (const text of ['{"', '[]', `{"${file}": "x"}`, `{"${file}": ["x", "${REMEMBERED}"]}`, 'null']) {
      writeFileSync(outputs.looks('wcb'), text);
      expect(await hashOf()).toBe(hashText('As it was.'));
    }
  });

  it('is that of its content once it has changed, though its size and time are set back', async () => {
    const time = new Date('2026-01-01T00:00:00Z');
    utimesSync(file, time, time);
    await remember();
    writeFileSync(file, 'Otherwise.');
    utimesSync(file, time, time);
    expect(await hashOf()).toBe(hashText('Otherwise.'));
  });

  it('of a file that changed as the run began, or since, is not remembered', async () => {
    await remember(file, new Date());
    expect(await hashOf()).toBe(hashText('As it was.'));
  });

  it('of a file that only we write is remembered at once', async () => {
    const ours = join(outputs.unit('wcb', 'ingest', 'bank_of_japan/2005'), 'texts.parquet');
    mkdirSync(dirname(ours), { recursive: true });
    writeFileSync(ours, 'Ours.');
    await remember(ours, new Date());
    expect(await hashOf(ours)).toBe(REMEMBERED);
  });

  it('is that of its content where nothing is to be relied on', async () => {
    await remember();
    expect(await hashOf(file, 'nothing')).toBe(hashText('As it was.'));
  });

  it('that was found by reading is remembered as well, and what was not asked for is forgotten', async () => {
    await remember();
    const other = join(root, `other-${worlds}.txt`);
    writeFileSync(other, 'Another one.');
    const looks = await open('all');
    expect(await looks.hash(other)).toBe(hashText('Another one.'));
    await looks.save(new Map());
    expect(Object.keys(remembered())).toEqual([other]);
    expect(remembered()[other]?.[1]).toBe(hashText('Another one.'));
  });

  it('is read again by runs, a part of the files each night, until all were', async () => {
    const files = Array.from({ length: 600 }, (_, at) => join(root, `again-${worlds}-${at}.txt`));
    for (const path of files) writeFileSync(path, 'As it was.');
    await (await open('nothing')).save(new Map(files.map((path) => [path, REMEMBERED])));
    const right: number[] = [];
    for (let night = 1; night <= 4; night += 1) {
      const looks = await open('all but some', new Date(Date.now() + night * 86_400_000));
      for (const path of files) await looks.hash(path);
      await looks.save(new Map());
      right.push(Object.values(remembered()).filter(([, sha256]) => sha256 === hashText('As it was.')).length);
    }
    expect(right).toEqual([256, 512, 600, 600]);
  });

  it('is read again of few files where they are large', async () => {
    const files = Array.from({ length: 4 }, (_, at) => join(root, `large-${worlds}-${at}.bin`));
    for (const path of files) writeFileSync(path, Buffer.alloc(9 << 20));
    await (await open('nothing')).save(new Map(files.map((path) => [path, REMEMBERED])));
    const looks = await open('all but some');
    const hashes = await Promise.all(files.map((path) => looks.hash(path)));
    expect(hashes.filter((hash) => hash === REMEMBERED)).toHaveLength(2);
  });

  it('of a file that is not there is none', async () => {
    await remember(join(root, 'nowhere'));
    await expect(hashOf(join(root, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});

describe('whoever only looks, and a run', () => {
  const nights = openNights();
  const stale = async (): Promise<readonly (string | null)[]> => {
    const [inspection] = await nights.inspect(['corpus']);
    return (inspection?.units ?? []).filter(({ state }) => state === 'stale').map(({ why }) => why);
  };
  const looks = (): string => nights.outputs.looks('wcb');
  const swap = (from: string, to: string): void => {
    const text = readFileSync(looks(), 'utf8');
    expect(text).toContain(from);
    writeFileSync(looks(), text.replaceAll(from, to));
  };

  /** So many that were read before all others that it is no turn of these tonight. */
  const pushBack = (): void => {
    const all = JSON.parse(readFileSync(looks(), 'utf8')) as Record<string, unknown>;
    for (let at = 0; at < 300; at += 1) all[join(nights.folder, `long-ago-${at}.txt`)] = ['1 1 1 1', REMEMBERED, 0];
    writeFileSync(looks(), JSON.stringify(all));
  };

  beforeAll(async () => {
    for (const n of [1, 2]) nights.write(`corpus/${n}.txt`, textOf(n));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt']));
    await nights.rebuild(['corpus'], { now: later });
  });

  it('goes by what raw files and units look like', async () => {
    expect(await stale()).toEqual([]);
    swap(hashText(textOf(1)), REMEMBERED);
    const [first] = await stale();
    expect(first).toContain(`document ${idOf(1)} changed`);
  });

  it('a run reads again what looks the same but was not read for longest, and nothing of the rest', async () => {
    // Of so few files every one has its turn each night.
    expect((await nights.rebuild(['corpus'], { now: later })).ingested).toBe(0);
    expect(await stale()).toEqual([]);
    swap(hashText(textOf(1)), REMEMBERED);
    pushBack();
    // It is read because its hash seems to have changed, and is not what was remembered.
    await expect(nights.rebuild(['corpus'], { now: later })).rejects.toThrow('1.txt changed after the run was planned');
  });

  it('the run after one that found another content than was remembered reads everything', async () => {
    expect((await nights.rebuild(['corpus'], { now: later })).ingested).toBe(0);
    expect(await stale()).toEqual([]);
  });

  it('a run that makes everything again relies on nothing that it only looked at', async () => {
    swap(hashText(textOf(1)), 'b'.repeat(64));
    pushBack();
    await nights.rebuild(['corpus'], { now: later, redo: { what: 'everything' } });
    expect(readFileSync(looks(), 'utf8')).not.toContain('b'.repeat(64));
    expect(await stale()).toEqual([]);
  });

  it('reads no unit and no file of the snapshot that looks the same', async () => {
    const all = JSON.parse(readFileSync(looks(), 'utf8')) as Record<string, [string, string, number]>;
    const names = Object.keys(all).map((path) => path.slice(nights.folder.length + 1));
    const published = names.filter((name) => name.startsWith('outputs/published/'));
    expect(published.map((name) => name.split('/').at(-1))).toEqual(
      expect.arrayContaining(['sentences.parquet', 'wcb.duckdb', 'report.html']),
    );
    const unit = (stage: string): string => nights.outputs.unit('wcb', stage, 'bank_of_mexico/2023');
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining([
        join(nights.folder, 'corpus', '1.txt'),
        join(unit('ingest'), 'texts.parquet'),
        join(unit('classify'), 'sentences.parquet'),
      ]),
    );
    for (const entry of Object.values(all)) entry[1] = REMEMBERED;
    writeFileSync(looks(), JSON.stringify(all));
    const whys = await stale();
    expect(whys.some((why) => why?.includes('changed'))).toBe(true);
    await nights.rebuild(['corpus'], { now: later });
  });

  it('finds what was damaged, and what is gone', async () => {
    const spans = join(nights.outputs.unit('wcb', 'segment', 'bank_of_mexico/2023'), 'spans.parquet');
    const whole = readFileSync(spans);
    writeFileSync(spans, Buffer.alloc(whole.length, 'x'));
    expect(await stale()).toContain('its file spans.parquet is not what was written');
    rmSync(spans);
    expect(await stale()).toContain('its file spans.parquet is missing');
    writeFileSync(spans, whole);
    expect(await stale()).toEqual([]);
  });
});
