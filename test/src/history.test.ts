import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.js';
import { type Outputs, outputsIn } from '../../src/outputs.js';
import {
  findAsOf,
  findEarlier,
  findLastMove,
  findServedBefore,
  findTakenBack,
  readHistory,
  type Served,
  serve,
} from '../../src/snapshot/history.js';
import { rollback } from '../../src/snapshot/rollback.js';
import { findCurrent, setCurrent } from '../../src/snapshot/snapshots.js';
import { temporaryFolder } from '../support/rig.js';

const root = temporaryFolder();
let outputs: Outputs;
let worlds = 0;
let hour = 0;

beforeEach(() => {
  worlds += 1;
  hour = 0;
  outputs = outputsIn(join(root, `outputs-${worlds}`));
});

const idOf = (letter: string): string => letter.charCodeAt(0).toString(16).repeat(8);
const lettersOf = (ids: readonly string[]): string =>
  ids.map((id) => String.fromCharCode(parseInt(id.slice(0, 2), 16))).join('');
const now = (): Date => new Date(Date.UTC(2026, 0, 1, hour++));

/** A snapshot without files: whole, as far as its manifest says. */
const keep = (letter: string, day = 1): void => {
  const folder = outputs.snapshot('wcb', idOf(letter));
  mkdirSync(folder, { recursive: true });
  const manifest = {
    format: 1,
    dataset: 'wcb',
    snapshot: idOf(letter),
    published_at: `2025-01-0${day}T00:00:00.000Z`,
    code_version: '0.1.0',
    stage_versions: {},
    counts: { documents: 1, sentences: 2, rejects: 0 },
    files: {},
    tables: {},
    models: [],
    metrics: [],
    inputs: { files: 1, sha256: 'f'.repeat(64), folders: '' },
    checks: [],
    run: {},
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
};

const publish = (letter: string): Promise<void> => {
  keep(letter);
  return serve(outputs, 'wcb', { snapshot: idOf(letter), at: now().toISOString(), by: 'publish' });
};
const back = async (to?: string): Promise<string> =>
  lettersOf([
    await rollback(outputs, 'wcb', { to: to === undefined ? undefined : idOf(to), reason: 'test', now: now() }),
  ]);
const servedOnes = async (): Promise<string> =>
  lettersOf((await readHistory(outputs, 'wcb')).map(({ snapshot }) => snapshot));

describe('the history', () => {
  it('is empty before anything is published', async () => {
    expect(await readHistory(outputs, 'wcb')).toEqual([]);
    expect(await findAsOf(outputs, 'wcb', '2026-01-01')).toBeUndefined();
  });

  it('has a line for each move of the pointer: what, when, by what, and why', async () => {
    await publish('a');
    await publish('b');
    expect(await back()).toBe('a');
    const lines = readFileSync(outputs.history('wcb'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { snapshot: idOf('a'), at: '2026-01-01T00:00:00.000Z', by: 'publish' },
      { snapshot: idOf('b'), at: '2026-01-01T01:00:00.000Z', by: 'publish' },
      { snapshot: idOf('a'), at: '2026-01-01T02:00:00.000Z', by: 'rollback', reason: 'test' },
    ]);
  });

  it('gets no line where the pointer does not move', async () => {
    await publish('a');
    await publish('a');
    expect(await servedOnes()).toBe('a');
  });

  it('goes on after a line that was cut short', async () => {
    await publish('a');
    appendFileSync(outputs.history('wcb'), '{"snapshot":"62');
    await publish('b');
    expect(await servedOnes()).toBe('ab');
    expect(await back()).toBe('a');
  });

  it('knows what the pointer names, though the run was killed before it said so, and says it when run again', async () => {
    await publish('a');
    keep('b');
    await setCurrent(outputs, 'wcb', idOf('b'));
    expect((await readHistory(outputs, 'wcb')).at(-1)).toMatchObject({ snapshot: idOf('b'), by: 'found' });
    await publish('b');
    expect((await readHistory(outputs, 'wcb')).at(-1)).toMatchObject({ snapshot: idOf('b'), by: 'publish' });
    expect(await servedOnes()).toBe('ab');
  });

  it('of outputs that never had one is what the kept snapshots tell', async () => {
    keep('b', 2);
    keep('a', 1);
    await setCurrent(outputs, 'wcb', idOf('b'));
    expect(await servedOnes()).toBe('ab');
    await publish('c');
    expect(await servedOnes()).toBe('abc');
    expect(readFileSync(outputs.history('wcb'), 'utf8').trim().split('\n')).toHaveLength(3);
  });
});

describe('rolling back by the history', () => {
  it('goes back to B where A, B and A again were published', async () => {
    for (const letter of ['a', 'b', 'a']) await publish(letter);
    expect(await back()).toBe('b');
    expect(await back()).toBe('a');
  });

  it('goes further back each time, and never to what was rolled back', async () => {
    for (const letter of ['a', 'b', 'c']) await publish(letter);
    expect([await back(), await back()]).toEqual(['b', 'a']);
    await expect(back()).rejects.toThrow(UsageError);
    await expect(back()).rejects.toThrow(`Name one with --to: `);
    await publish('d');
    expect(await back()).toBe('a');
    expect(await back('c')).toBe('c');
    expect(await back()).toBe('a');
  });

  it('passes over what is not kept any more', async () => {
    for (const letter of ['a', 'b', 'c']) await publish(letter);
    rmSync(outputs.snapshot('wcb', idOf('b')), { recursive: true });
    expect(await back()).toBe('a');
  });

  it('goes to what was served last where the pointer is damaged', async () => {
    await publish('a');
    await publish('b');
    writeFileSync(outputs.pointer('wcb'), 'garbage');
    expect(await back()).toBe('b');
    expect(await findCurrent(outputs, 'wcb')).toBe(idOf('b'));
  });

  it('never goes to the current one, nor twice to one, whatever happened', () => {
    const entry = fc.record({
      snapshot: fc.constantFrom('a', 'b', 'c', 'd'),
      at: fc.constant('2026-01-01T00:00:00.000Z'),
      by: fc.constantFrom('publish' as const, 'rollback' as const, 'found' as const),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (history: readonly Served[]) => {
        const earlier = findEarlier(history);
        expect(earlier).not.toContain(history.at(-1)?.snapshot);
        expect(new Set(earlier).size).toBe(earlier.length);
        expect(findServedBefore(history)).not.toBe(history.at(-1)?.snapshot ?? 'none');
        // Who only published gets them all, the last one first.
        const published = history.map((one) => ({ ...one, by: 'publish' as const }));
        expect(findEarlier(published)[0]).toBe(findServedBefore(published));
      }),
    );
  });
});

describe('what was rolled back from', () => {
  const takenBack = (...served: readonly (readonly [letter: string, by: Served['by']])[]): readonly string[] =>
    findTakenBack(served.map(([snapshot, by]) => ({ snapshot, at: '2026-01-01T00:00:00.000Z', by })));

  it('is all that was left on the way to the current one, and nothing once something was published', () => {
    expect(takenBack()).toEqual([]);
    expect(takenBack(['a', 'publish'], ['b', 'publish'])).toEqual([]);
    expect(takenBack(['a', 'publish'], ['b', 'publish'], ['a', 'rollback'])).toEqual(['b']);
    expect(
      takenBack(['a', 'publish'], ['b', 'publish'], ['c', 'publish'], ['b', 'rollback'], ['a', 'rollback']),
    ).toEqual(['b', 'c']);
    expect(takenBack(['a', 'publish'], ['b', 'publish'], ['a', 'rollback'], ['c', 'publish'])).toEqual([]);
  });

  it('is not what one has come back to', () => {
    expect(takenBack(['a', 'publish'], ['b', 'publish'], ['a', 'rollback'], ['b', 'rollback'])).toEqual(['a']);
  });
});

describe('how what is served came to be served', () => {
  const lastMove = (...moves: readonly (readonly [snapshot: string, by: Served['by'], reason?: string])[]) => {
    const history = moves.map(([snapshot, by, reason], n) => ({
      snapshot,
      at: `2026-01-0${n + 1}T00:00:00.000Z`,
      by,
      ...(reason === undefined ? {} : { reason }),
    }));
    return findLastMove(history);
  };

  it('stays so when it is pointed to again; and what is made again was published', () => {
    expect(lastMove()).toBeUndefined();
    expect(lastMove(['a', 'rollback'])).toMatchObject({ by: 'rollback' });
    expect(lastMove(['a', 'publish'], ['b', 'publish'], ['b', 'rollback'])).toMatchObject({
      snapshot: 'b',
      by: 'publish',
    });
    expect(
      lastMove(['a', 'publish'], ['b', 'publish'], ['a', 'rollback', 'wrong'], ['a', 'rollback'], ['a', 'rollback']),
    ).toMatchObject({ at: '2026-01-03T00:00:00.000Z', by: 'rollback', reason: 'wrong' });
    expect(lastMove(['a', 'publish'], ['b', 'publish'], ['a', 'rollback'], ['a', 'publish'])).toMatchObject({
      at: '2026-01-04T00:00:00.000Z',
      by: 'publish',
    });
  });
});

describe('what was served on a day', () => {
  it('is what was served at its end, in UTC, rolled back later or not', async () => {
    mkdirSync(dirname(outputs.history('wcb')), { recursive: true });
    const days = [
      ['a', '2026-01-01T02:15:00.000Z', 'publish'],
      ['b', '2026-01-03T02:15:00.000Z', 'publish'],
      ['a', '2026-01-04T23:59:59.000Z', 'rollback'],
    ] as const;
    for (const [letter, at, by] of days) {
      keep(letter);
      await serve(outputs, 'wcb', { snapshot: idOf(letter), at, by });
    }
    const asOf = async (day: string): Promise<string> =>
      lettersOf([(await findAsOf(outputs, 'wcb', day)) ?? idOf('-')]);
    expect(await asOf('2025-12-31')).toBe('-');
    expect(await asOf('2026-01-01')).toBe('a');
    expect(await asOf('2026-01-02')).toBe('a');
    expect(await asOf('2026-01-03')).toBe('b');
    expect(await asOf('2026-01-04')).toBe('a');
    expect(await asOf('2030-01-01')).toBe('a');
  });
});
