import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../src/errors.js';
import { hashText } from '../../src/files.js';
import { type Outputs, outputsIn } from '../../src/outputs.js';
import { type Manifest, manifestSchema, readManifest } from '../../src/snapshot/manifest.js';
import { prune } from '../../src/snapshot/prune.js';
import { rollback as rollbackWith } from '../../src/snapshot/rollback.js';
import { findCurrent, listSnapshots, setCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { smallManifest } from '../support/manifest.js';
import { temporaryFolder } from '../support/rig.js';

const root = temporaryFolder();
let outputs: Outputs;
let worlds = 0;

beforeEach(() => {
  worlds += 1;
  outputs = outputsIn(join(root, `outputs-${worlds}`));
});

const rollback = (place: Outputs, dataset: 'wcb', to: string | undefined): Promise<string> =>
  rollbackWith(place, dataset, { to, reason: undefined, now: new Date('2026-02-01T00:00:00Z') });
const pruned = async (keep: number): Promise<readonly string[]> =>
  (await prune(outputs, 'wcb', keep)).map(({ id }) => id);

const [FIRST, SECOND, THIRD] = ['1'.repeat(16), '2'.repeat(16), '3'.repeat(16)] as const;

const manifestOf = (id: string, day: number, files: Manifest['files']): Manifest =>
  smallManifest(id, `2026-01-0${day}T00:00:00.000Z`, files);

const keep = (id: string, day: number): void => {
  const folder = outputs.snapshot('wcb', id);
  mkdirSync(folder, { recursive: true });
  const files: Manifest['files'] = {};
  for (const name of ['documents.parquet', 'report.html']) {
    const content = `${name} of ${id}`;
    writeFileSync(join(folder, name), content);
    files[name] = { sha256: hashText(content), bytes: content.length, rows: null, in_id: true };
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifestOf(id, day, files)));
};

const keepThree = async (current: string): Promise<void> => {
  keep(FIRST, 1);
  keep(SECOND, 2);
  keep(THIRD, 3);
  await setCurrent(outputs, 'wcb', current);
};

const inSnapshot = (id: string, name: string): string => join(outputs.snapshot('wcb', id), name);
const flip = (path: string): void => {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3);
  writeFileSync(path, bytes);
};

describe('the pointer', () => {
  it('names nothing before anything is published', async () => {
    expect(await findCurrent(outputs, 'wcb')).toBeUndefined();
    expect(await listSnapshots(outputs, 'wcb')).toEqual([]);
  });

  it('names the snapshot that was set last, in a file of one line', async () => {
    await setCurrent(outputs, 'wcb', FIRST);
    await setCurrent(outputs, 'wcb', SECOND);
    expect(await findCurrent(outputs, 'wcb')).toBe(SECOND);
    expect(readFileSync(outputs.pointer('wcb'), 'utf8')).toBe(`${SECOND}\n`);
  });

  it('of one dataset is not that of the other', async () => {
    await setCurrent(outputs, 'wcb', FIRST);
    expect(await findCurrent(outputs, 'earnings')).toBeUndefined();
  });

  it.each(['', 'latest', '../../etc', '1'.repeat(15)])('that holds %j is said to be damaged', async (text) => {
    await keepThree(THIRD);
    writeFileSync(outputs.pointer('wcb'), text);
    await expect(findCurrent(outputs, 'wcb')).rejects.toThrow(
      'does not hold a snapshot id. fintext snapshots rollback',
    );
  });
});

describe('the list', () => {
  it('has the newest first and marks the current one', async () => {
    await keepThree(SECOND);
    const listed = await listSnapshots(outputs, 'wcb');
    expect(listed.map(({ id, current }) => [id, current])).toEqual([
      [THIRD, false],
      [SECOND, true],
      [FIRST, false],
    ]);
  });

  it('has a snapshot whose manifest is torn last, with what is wrong, and leaves out what is none', async () => {
    await keepThree(SECOND);
    truncateSync(inSnapshot(THIRD, 'manifest.json'), 100);
    mkdirSync(join(outputs.snapshots('wcb'), 'staging.4711.0badf00d.tmp'));
    const listed = await listSnapshots(outputs, 'wcb');
    expect(listed.map(({ id }) => id)).toEqual([SECOND, FIRST, THIRD]);
    expect(listed.at(-1)?.manifest).toContain('is damaged');
  });
});

describe('verifying', () => {
  it('finds nothing wrong with a whole snapshot', async () => {
    keep(FIRST, 1);
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toEqual([]);
  });

  it('finds a missing file, a flipped bit and a wrong size, all of them', async () => {
    keep(FIRST, 1);
    rmSync(inSnapshot(FIRST, 'report.html'));
    flip(inSnapshot(FIRST, 'documents.parquet'));
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toEqual([
      'documents.parquet is not what was published',
      'report.html is missing',
    ]);
    truncateSync(inSnapshot(FIRST, 'documents.parquet'), 5);
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toContain('documents.parquet has 5 bytes, not 37');
  });

  it('finds a folder in the place of a file', async () => {
    keep(FIRST, 1);
    rmSync(inSnapshot(FIRST, 'report.html'));
    mkdirSync(inSnapshot(FIRST, 'report.html'));
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toHaveLength(1);
  });

  it('finds a manifest that is torn at any byte', async () => {
    keep(FIRST, 1);
    const path = inSnapshot(FIRST, 'manifest.json');
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 31) {
      writeFileSync(path, whole.subarray(0, length));
      const [fault] = await verifySnapshot(outputs, 'wcb', FIRST);
      expect(fault).toContain('is damaged');
    }
  });

  it('finds a manifest that is missing, and a folder that is', async () => {
    keep(FIRST, 1);
    rmSync(inSnapshot(FIRST, 'manifest.json'));
    for (const id of [FIRST, SECOND]) {
      expect((await verifySnapshot(outputs, 'wcb', id))[0]).toContain('manifest.json is missing');
    }
  });

  it('finds a snapshot under another’s name', async () => {
    keep(FIRST, 1);
    keep(SECOND, 2);
    writeFileSync(inSnapshot(SECOND, 'manifest.json'), readFileSync(inSnapshot(FIRST, 'manifest.json')));
    expect(await verifySnapshot(outputs, 'wcb', SECOND)).toContain(
      `manifest.json names the snapshot ${FIRST}, its folder ${SECOND}`,
    );
  });

  it('says where in the manifest the damage is', async () => {
    keep(FIRST, 1);
    const path = inSnapshot(FIRST, 'manifest.json');
    const manifest = await readManifest(outputs.snapshot('wcb', FIRST));
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
    writeFileSync(path, JSON.stringify({ ...manifest, counts: { ...manifest.counts, documents: 'many' } }));
    await expect(readManifest(outputs.snapshot('wcb', FIRST))).rejects.toThrow('(counts.documents)');
  });
});

describe('rolling back', () => {
  it('points to the snapshot before, and again to the one before that', async () => {
    await keepThree(THIRD);
    expect(await rollback(outputs, 'wcb', undefined)).toBe(SECOND);
    expect(await findCurrent(outputs, 'wcb')).toBe(SECOND);
    expect(await rollback(outputs, 'wcb', undefined)).toBe(FIRST);
    await expect(rollback(outputs, 'wcb', undefined)).rejects.toThrow(UsageError);
    expect(await findCurrent(outputs, 'wcb')).toBe(FIRST);
  });

  it('points to a named one, newer ones too', async () => {
    await keepThree(FIRST);
    expect(await rollback(outputs, 'wcb', THIRD)).toBe(THIRD);
    expect(await findCurrent(outputs, 'wcb')).toBe(THIRD);
  });

  it('refuses one that is not kept, and says which are', async () => {
    await keepThree(THIRD);
    await expect(rollback(outputs, 'wcb', '4'.repeat(16))).rejects.toThrow(`Kept: ${THIRD}, ${SECOND}, ${FIRST}.`);
    await expect(rollback(outputs, 'wcb', '../wcb')).rejects.toThrow(UsageError);
  });

  it('refuses a damaged one, says what is wrong and moves nothing', async () => {
    await keepThree(THIRD);
    flip(inSnapshot(SECOND, 'documents.parquet'));
    const refused: unknown = await rollback(outputs, 'wcb', undefined).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RunError);
    expect(String(refused)).toContain('documents.parquet is not what was published. Nothing was changed.');
    expect(await findCurrent(outputs, 'wcb')).toBe(THIRD);
  });

  it('refuses one whose manifest is torn in one sentence, and names those that may be whole', async () => {
    await keepThree(THIRD);
    truncateSync(inSnapshot(SECOND, 'manifest.json'), 10);
    await expect(rollback(outputs, 'wcb', SECOND)).rejects.toThrow(
      `Snapshot ${SECOND} is not whole: manifest.json is damaged (not JSON). Nothing was changed. Name another one with --to: ${THIRD}, ${FIRST}.`,
    );
  });

  it('refuses where nothing is published', async () => {
    await expect(rollback(outputs, 'wcb', undefined)).rejects.toThrow('no snapshot before the current one');
  });

  it.each([undefined, SECOND])('mends a damaged pointer, as its message says, to %s', async (to) => {
    await keepThree(THIRD);
    writeFileSync(outputs.pointer('wcb'), 'garbage');
    expect(await rollback(outputs, 'wcb', to)).toBe(to ?? THIRD);
    expect(await findCurrent(outputs, 'wcb')).toBe(to ?? THIRD);
  });
});

describe('pruning', () => {
  it('deletes all but the newest', async () => {
    await keepThree(THIRD);
    expect(await pruned(1)).toEqual([SECOND, FIRST]);
    expect((await listSnapshots(outputs, 'wcb')).map(({ id }) => id)).toEqual([THIRD]);
    expect(await verifySnapshot(outputs, 'wcb', THIRD)).toEqual([]);
  });

  it('keeps as many as are asked for, the current one among them; an older current one stays besides', async () => {
    await keepThree(THIRD);
    keep('4'.repeat(16), 4);
    await setCurrent(outputs, 'wcb', '4'.repeat(16));
    expect(await pruned(2)).toEqual([SECOND, FIRST]);
    keep(FIRST, 1);
    keep(SECOND, 2);
    await setCurrent(outputs, 'wcb', FIRST);
    expect(await pruned(2)).toEqual([SECOND]);
  });

  it('keeps what was served last before the current one, though it was published long before', async () => {
    await keepThree(FIRST);
    // The content of the first came back after the third, so it was served again; then something new was published.
    keep('4'.repeat(16), 4);
    const served = [FIRST, SECOND, THIRD, FIRST, '4'.repeat(16)];
    const lines = served.map((snapshot, n) => ({ snapshot, at: `2026-01-0${n + 1}T00:00:00.000Z`, by: 'publish' }));
    writeFileSync(outputs.history('wcb'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await setCurrent(outputs, 'wcb', '4'.repeat(16));
    expect(await pruned(2)).toEqual([THIRD, SECOND]);
    expect(await rollback(outputs, 'wcb', undefined)).toBe(FIRST);
  });

  it('never deletes the current one, however old it is', async () => {
    await keepThree(FIRST);
    expect(await pruned(1)).toEqual([SECOND]);
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toEqual([]);
    expect(await pruned(0)).toEqual([THIRD]);
    expect(await verifySnapshot(outputs, 'wcb', FIRST)).toEqual([]);
  });

  it('never deletes the current one, though its manifest is torn', async () => {
    await keepThree(SECOND);
    truncateSync(inSnapshot(SECOND, 'manifest.json'), 10);
    expect(await pruned(1)).toEqual([FIRST]);
    expect(existsSync(outputs.snapshot('wcb', SECOND))).toBe(true);
  });

  it('deletes nothing while the pointer is damaged', async () => {
    await keepThree(FIRST);
    writeFileSync(outputs.pointer('wcb'), 'garbage');
    await expect(prune(outputs, 'wcb', 1)).rejects.toThrow('does not hold a snapshot id');
    expect(await listSnapshots(outputs, 'wcb')).toHaveLength(3);
  });

  it('deletes nothing while the pointer is missing, and says how to point again to what was served last', async () => {
    await keepThree(THIRD);
    const moves = [
      [FIRST, 'publish'],
      [SECOND, 'publish'],
      [THIRD, 'publish'],
      [FIRST, 'rollback'],
    ];
    const lines = moves.map(([snapshot, by], n) => ({ snapshot, at: `2026-01-0${n + 1}T00:00:00.000Z`, by }));
    writeFileSync(outputs.history('wcb'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    rmSync(outputs.pointer('wcb'));
    await expect(prune(outputs, 'wcb', 1)).rejects.toThrow(
      `CURRENT is missing, so it is not known which snapshot is the current one, and nothing was deleted. To mend it: fintext snapshots rollback --dataset wcb --outputs ${outputs.folder} --to ${FIRST} points again to what was served last.`,
    );
    expect(await listSnapshots(outputs, 'wcb')).toHaveLength(3);
    // Without a history, what is kept tells of it.
    rmSync(outputs.history('wcb'));
    await expect(prune(outputs, 'wcb', 1)).rejects.toThrow(`--to ${THIRD} points again to what was served last.`);
    expect(await listSnapshots(outputs, 'wcb')).toHaveLength(3);
  });

  it('deletes nothing while nothing is kept of what was published: what else is left may be needed', async () => {
    await keepThree(THIRD);
    const line = { snapshot: THIRD, at: '2026-01-01T00:00:00.000Z', by: 'publish' };
    writeFileSync(outputs.history('wcb'), `${JSON.stringify(line)}\n`);
    rmSync(outputs.snapshots('wcb'), { recursive: true });
    rmSync(outputs.pointer('wcb'));
    await expect(prune(outputs, 'wcb', 1)).rejects.toThrow(
      /To mend it: fintext rebuild .*, with the --input folders and the settings of the last run, publishes again\.$/,
    );
  });

  it('deletes nothing where there is nothing', async () => {
    expect(await pruned(1)).toEqual([]);
  });
});

describe('looking at sizes', () => {
  it('finds what is missing or cut short, and reads nothing', async () => {
    await keepThree(THIRD);
    flip(inSnapshot(THIRD, 'documents.parquet'));
    expect(await verifySnapshot(outputs, 'wcb', THIRD, 'sizes')).toEqual([]);
    truncateSync(inSnapshot(THIRD, 'documents.parquet'), 3);
    rmSync(inSnapshot(THIRD, 'report.html'));
    expect(await verifySnapshot(outputs, 'wcb', THIRD, 'sizes')).toEqual([
      expect.stringMatching(/^documents\.parquet has 3 bytes, not \d+$/),
      'report.html is missing',
    ]);
  });
});

describe('a manifest', () => {
  it('that names a file elsewhere is refused: names are joined to folders, and it may come from a store', () => {
    const entry = { sha256: hashText(''), bytes: 0, rows: null, in_id: true };
    const isTaken = (name: string): boolean =>
      manifestSchema.safeParse(manifestOf(FIRST, 1, { [name]: entry })).success;
    for (const name of ['documents.parquet', 'wcb.duckdb', 'report.html'])
      expect([name, isTaken(name)]).toEqual([name, true]);
    for (const name of ['../x', '..', '.', '', '/etc/x', 'a/b', 'a\\b', 'a\u0000', 'a\n'])
      expect([name, isTaken(name)]).toEqual([name, false]);
  });
});
