/** What `snapshots verify` and `status` say to do where what is served is damaged or lost: that very command mends it. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTakenBack, readHistory } from '../../src/snapshot/history.js';
import { rollback } from '../../src/snapshot/rollback.js';
import { findCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { type Ended, fintext } from '../support/fintext.js';
import { manifestOf, openNights, textOf } from '../support/nightly.js';

const nights = openNights();
const { outputs } = nights;
let first: string;
let second: string;

beforeAll(async () => {
  nights.write('corpus/1.txt', textOf(1));
  nights.write('corpus/manifest.csv', manifestOf(['1.txt']));
  first = (await nights.rebuild(['corpus'])).snapshot;
  nights.write('corpus/1.txt', textOf(11));
  second = (await nights.rebuild(['corpus'])).snapshot;
  cpSync(outputs.folder, nights.input('before'), { recursive: true });
}, 60_000);
beforeEach(() => {
  rmSync(outputs.folder, { recursive: true, force: true });
  cpSync(nights.input('before'), outputs.folder, { recursive: true });
});

const run = (...args: readonly string[]): Promise<Ended> => fintext([...args, '--outputs', outputs.folder]);
const verify = (): Promise<Ended> => run('snapshots', 'verify', '--dataset', 'wcb');
const goBack = (): Promise<string> =>
  rollback(outputs, 'wcb', { to: first, reason: 'wrong', now: new Date('2026-01-05T00:00:00Z') });
const damage = (id: string): void => rmSync(join(outputs.snapshot('wcb', id), 'wcb.duckdb'));
const losePointer = (): void => rmSync(outputs.pointer('wcb'));

/** The first command that both name, as it would be typed; the folders are those that the last run read. */
const findCommand = async (): Promise<readonly string[]> => {
  const [verified, morning] = [await verify(), await run('status', '--quick', '--dataset', 'wcb')];
  expect([verified.code, morning.code]).toEqual([1, 1]);
  const [one, two] = [verified.stderr, morning.stdout].map(
    (text) => /To mend it: (?:no kept snapshot is whole: )?fintext (.*?) (?:publishes|points|makes)/.exec(text)?.[1],
  );
  expect(one).toBeDefined();
  expect(two).toBe(one);
  return (one ?? '').split(' ');
};
const follow = async (command: readonly string[]): Promise<Ended> =>
  run(...command, ...(command[0] === 'rebuild' ? ['--input', nights.input('corpus')] : []));
const served = async (): Promise<string | undefined> => {
  const id = await findCurrent(outputs, 'wcb');
  expect(await verifySnapshot(outputs, 'wcb', id ?? '')).toEqual([]);
  return id;
};

describe('the command that is named', () => {
  it('publishes again what was published and is damaged', async () => {
    damage(second);
    const command = await findCommand();
    expect(command[0]).toBe('rebuild');
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it('goes elsewhere from what was rolled back to and is damaged, which a rebuild refuses to mend', async () => {
    await goBack();
    damage(first);
    const command = await findCommand();
    expect(command).toEqual(['snapshots', 'rollback', '--dataset', 'wcb', '--to', second]);
    expect((await follow(['rebuild', '--dataset', 'wcb'])).code).toBe(1);
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it('makes one again where none is whole after a rollback, and then what it says points to it', async () => {
    await goBack();
    damage(first);
    damage(second);
    const rebuilt = await follow(await findCommand());
    expect(rebuilt.code).toBe(1);
    const next = await findCommand();
    expect(rebuilt.stderr).toContain(`fintext ${next.join(' ')}`);
    expect((await follow(next)).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it.each([
    ['missing', losePointer],
    ['damaged', () => writeFileSync(outputs.pointer('wcb'), 'nonsense')],
  ])(
    'points again to what was served, where the pointer is %s; what was rolled back from stays so',
    async (_, lose) => {
      await goBack();
      lose();
      expect((await verify()).stderr).toContain('CURRENT');
      const command = await findCommand();
      expect(command).toEqual(['snapshots', 'rollback', '--dataset', 'wcb', '--to', first]);
      expect((await follow(command)).code).toBe(0);
      expect(await served()).toBe(first);
      expect(findTakenBack(await readHistory(outputs, 'wcb'))).toEqual([second]);
      expect((await verify()).code).toBe(0);
    },
  );

  it('publishes again where the pointer is lost and what it named is damaged', async () => {
    losePointer();
    damage(second);
    const command = await findCommand();
    expect(command[0]).toBe('rebuild');
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it('goes by the history where the manifest of what is served is gone', async () => {
    rmSync(join(outputs.snapshot('wcb', second), 'manifest.json'));
    expect((await follow(await findCommand())).code).toBe(0);
    expect(await served()).toBe(second);
  });
}, 60_000);
