import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLooks, rememberLooks } from '../../../pipeline/run/looks.js';
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

const remember = (path = file, began = later()): Promise<void> =>
  rememberLooks({ outputs, dataset: 'wcb', hashes: new Map([[path, REMEMBERED]]), began });
const hashOf = async (path = file): Promise<string> => (await openLooks(outputs, 'wcb'))(path);

describe('the hash of a file', () => {
  it('is what was remembered while the file looks the same', async () => {
    await remember();
    expect(await hashOf()).toBe(REMEMBERED);
  });

  it('is that of its content where nothing was remembered, or nothing that can be read', async () => {
    expect(await hashOf()).toBe(hashText('As it was.'));
    await remember();
    for (const text of ['{"', '[]', `{"${file}": "x"}`, 'null']) {
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

  it('of a file that is not there is none', async () => {
    await remember(join(root, 'nowhere'));
    await expect(hashOf(join(root, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});

describe('whoever only looks', () => {
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

  beforeAll(async () => {
    for (const n of [1, 2]) nights.write(`corpus/${n}.txt`, textOf(n));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt']));
    await nights.rebuild(['corpus'], { now: later });
  });

  it('goes by what raw files and units look like, and a run by what they hold', async () => {
    expect(await stale()).toEqual([]);
    swap(hashText(textOf(1)), REMEMBERED);
    const [first] = await stale();
    expect(first).toContain(`document ${idOf(1)} changed`);
    const night = await nights.rebuild(['corpus'], { now: later });
    expect(night.ingested).toBe(0);
    expect(await stale()).toEqual([]);
  });

  it('reads no unit and no file of the snapshot that looks the same', async () => {
    const all = JSON.parse(readFileSync(looks(), 'utf8')) as Record<string, [string, string]>;
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
