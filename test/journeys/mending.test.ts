/** What `snapshots verify` and `status` say to do where what is served is damaged or lost: that very command mends it. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rememberInputs } from '../../src/cli/options.js';
import { entryPoint } from '../../src/package-root.js';
import { findTakenBack, readHistory } from '../../src/snapshot/history.js';
import { rollback } from '../../src/snapshot/rollback.js';
import { findCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { type Ended, fintext } from '../support/fintext.js';
import { manifestOf, openNights, textOf } from '../support/nightly.js';

const nights = openNights();
const { outputs } = nights;
/** A shell has to be told where such a name ends. */
const BANKS = "the world's banks";
let first: string;
let second: string;

beforeAll(async () => {
  nights.write(`${BANKS}/1.txt`, textOf(1));
  nights.write(`${BANKS}/manifest.csv`, manifestOf(['1.txt']));
  nights.write('more/2.txt', textOf(2));
  nights.write('more/manifest.csv', manifestOf(['', '2.txt']));
  first = (await nights.rebuild([BANKS, 'more'])).snapshot;
  nights.write(`${BANKS}/1.txt`, textOf(11));
  second = (await nights.rebuild([BANKS, 'more'])).snapshot;
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

/** The commands that both name, in their order and as they are printed. */
const findCommands = async (): Promise<readonly [string, ...string[]]> => {
  const [verified, morning] = [await verify(), await run('status', '--quick', '--dataset', 'wcb')];
  expect([verified.code, morning.code]).toEqual([1, 1]);
  const [one, two] = [verified.stderr, morning.stdout].map((text) => {
    const [, advice = ''] = /To mend it: (.*)/.exec(text) ?? [];
    return [...advice.matchAll(/fintext .*?(?= (?:publishes|points|makes))/g)].map(([command]) => command);
  });
  expect(two).toEqual(one);
  const [command = 'none', ...others] = one ?? [];
  return [command, ...others];
};
const NO_VARIABLES = { FINTEXT_OUTPUTS: '', FINTEXT_INPUT: '' };
/** Types a command into a shell, exactly as it is printed. */
const follow = async (command: string): Promise<Pick<Ended, 'code' | 'stderr'>> => {
  const script = `fintext() { "$NODE" "$ENTRY" "$@"; }\n${command}\n`;
  const env = {
    ...process.env,
    ...NO_VARIABLES,
    FINTEXT_DEVICE: 'cpu',
    NODE: process.execPath,
    ENTRY: entryPoint('src/cli/fintext'),
  };
  return promisify(execFile)('sh', ['-c', script], { env, cwd: tmpdir() }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({ code, stderr }),
  );
};
const rebuildAnyway = (): Promise<Ended> =>
  run('rebuild', '--dataset', 'wcb', '--input', nights.input(BANKS), '--input', nights.input('more'));
const lastRunId = (): string => (JSON.parse(readFileSync(outputs.lastRun('wcb'), 'utf8')) as { id: string }).id;
const rebuildWith = (...inputs: readonly string[]): string =>
  `fintext rebuild --dataset wcb --outputs ${outputs.folder} ${inputs.map((input) => `--input ${input}`).join(' ')}`;
const goTo = (id: string): string => `fintext snapshots rollback --dataset wcb --outputs ${outputs.folder} --to ${id}`;
const served = async (): Promise<string | undefined> => {
  const id = await findCurrent(outputs, 'wcb');
  expect(await verifySnapshot(outputs, 'wcb', id ?? '')).toEqual([]);
  return id;
};

describe('the command that is named', () => {
  it.each([
    ['publishes again what was published and is damaged', 0, () => second],
    ['or goes back to what is whole', 1, () => first],
  ])('%s', async (_, at, wanted) => {
    damage(second);
    const commands = await findCommands();
    const banks = `'${nights.input("the world'\\''s banks")}'`;
    expect(commands).toEqual([rebuildWith(banks, nights.input('more')), goTo(first)]);
    expect((await follow(commands[at] ?? 'none')).code).toBe(0);
    expect(await served()).toBe(wanted());
  });

  it('is that of the folders that were read last, not of those of a run that failed since', async () => {
    const ended = await run('rebuild', '--dataset', 'wcb', '--input', nights.input('nowhere'));
    expect(ended.code).not.toBe(0);
    damage(second);
    const [command] = await findCommands();
    expect(command).toContain(`--input ${nights.input('more')}`);
    expect(command).not.toContain('nowhere');
  });

  it('repeats the setting without which it would publish other numbers', async () => {
    const settings = { ...nights.settings, uncertainty: 'net' } as const;
    const net = (await nights.rebuild([BANKS, 'more'], { settings })).snapshot;
    expect(net).not.toBe(second);
    damage(net);
    const [command] = await findCommands();
    expect(command).toMatch(/ --uncertainty net$/);
    await rememberInputs(settings, ['wcb'], [nights.input('more')]);
    const unnamed = await run('rebuild', '--dataset', 'wcb');
    expect([unnamed.code, unnamed.stderr]).toEqual([
      2,
      expect.stringContaining(', with --uncertainty net as the last run had; or '),
    ]);
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(net);
  });

  it('says in words which folders to name, where no record of them is kept or they are many', async () => {
    const advice = async (): Promise<string | undefined> => /To mend it: .*/.exec((await verify()).stderr)?.[0];
    damage(second);
    const record = `${outputs.runs('wcb')}/${lastRunId()}.json`;
    const changed = JSON.parse(readFileSync(record, 'utf8')) as Record<string, unknown>;
    writeFileSync(record, JSON.stringify({ ...changed, inputs: ['/1', '/2', '/3', '/4', '/5'] }));
    const start = `To mend it: fintext rebuild --dataset wcb --outputs ${outputs.folder}, with`;
    expect(await advice()).toContain(
      `${start} an --input for each of the 5 folders that ${record} names under "inputs", publishes ${second} again`,
    );
    rmSync(outputs.work('wcb'), { recursive: true });
    expect(await advice()).toContain(
      `${start} the --input folders and the settings of the last run, publishes ${second} again`,
    );
  });

  it('goes elsewhere from what was rolled back to and is damaged, which a rebuild refuses to mend', async () => {
    await goBack();
    damage(first);
    const commands = await findCommands();
    expect(commands).toEqual([goTo(second)]);
    expect((await rebuildAnyway()).code).toBe(1);
    expect((await follow(commands[0])).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it('makes one again where none is whole after a rollback, and then what it says points to it', async () => {
    await goBack();
    damage(first);
    damage(second);
    const [command, then] = await findCommands();
    expect(then).toBe(goTo('<snapshot>'));
    const rebuilt = await follow(command);
    expect(rebuilt.code).toBe(1);
    const [next] = await findCommands();
    expect(rebuilt.stderr).toContain(next);
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
      const commands = await findCommands();
      expect(commands).toEqual([goTo(first)]);
      const refused = await run('snapshots', 'prune', '--dataset', 'wcb', '--keep', '1');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(commands[0])]);
      expect((await follow(commands[0])).code).toBe(0);
      expect(await served()).toBe(first);
      expect(findTakenBack(await readHistory(outputs, 'wcb'))).toEqual([second]);
      expect((await verify()).code).toBe(0);
    },
  );

  it('publishes again what was published, pointed to again after the pointer was lost, and then damaged', async () => {
    losePointer();
    expect((await follow((await findCommands())[0])).code).toBe(0);
    expect((await run('status', '--quick', '--dataset', 'wcb')).stdout).not.toContain('rolled back');
    damage(second);
    const [command] = await findCommands();
    expect(command).toContain('fintext rebuild');
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it.each([
    ['publishes again where the pointer is lost and what it named is damaged', 0, () => second],
    ['or goes back to what is whole there, too', 1, () => first],
  ])('%s', async (_, at, wanted) => {
    losePointer();
    damage(second);
    const commands = await findCommands();
    expect(commands).toHaveLength(2);
    expect((await follow(commands[at] ?? 'none')).code).toBe(0);
    expect(await served()).toBe(wanted());
  });

  it('goes by the history where the manifest of what is served is gone', async () => {
    rmSync(join(outputs.snapshot('wcb', second), 'manifest.json'));
    expect((await follow((await findCommands())[0])).code).toBe(0);
    expect(await served()).toBe(second);
  });

  it('publishes again where nothing is kept any more, and status alone can say so', async () => {
    rmSync(outputs.published('wcb'), { recursive: true });
    const { stdout } = await run('status', '--quick', '--dataset', 'wcb');
    const [command = 'none'] = /fintext rebuild .*(?= publishes again\.)/.exec(stdout) ?? [];
    expect((await follow(command)).code).toBe(0);
    expect(await served()).toBe(second);
  });
}, 60_000);
