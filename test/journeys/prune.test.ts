/** Pruning: raw contents go that no kept snapshot and no source needs, and none that is still in use. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../pipeline/run/lock.js';
import { hashText } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { verifySnapshot } from '../../src/snapshot/snapshots.js';
import { buildInjector } from '../support/faults/faults.js';
import { type Ended, fintext } from '../support/fintext.js';
import { idOf, manifestOf, type Night, openNights, textOf } from '../support/nightly.js';
import { openWebServer, page } from '../support/web-server.js';

const nights = openNights();
const { outputs } = nights;
const injector = buildInjector(nights.folder);
const MINUTES = 6 * 60_000;
/** The published versions of the second document, and those of what lies at an address. */
const OLD = [2, 22].map((n) => hashText(textOf(n)));
const OLD_AT_ADDRESS = hashText(textOf(3));
const NEEDED = [1, 222, 33].map((n) => hashText(textOf(n)));
let last: Night;

beforeAll(async () => {
  const web = await openWebServer({ '/3': page(textOf(3)) });
  nights.write('corpus/1.txt', textOf(1));
  nights.write('corpus/2.txt', textOf(2));
  const address = web.at('/3');
  nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt', address]));
  await nights.rebuild(['corpus']);
  nights.write('corpus/2.txt', textOf(22));
  web.pages['/3'] = page(textOf(33));
  await nights.rebuild(['corpus']);
  nights.write('corpus/2.txt', textOf(222));
  // Gone from its folder, and in use.
  nights.remove('corpus/1.txt');
  last = await nights.rebuild(['corpus']);
  await web.close();
  cpSync(outputs.folder, nights.input('before'), { recursive: true });
}, MINUTES);
beforeEach(() => {
  rmSync(outputs.folder, { recursive: true, force: true });
  cpSync(nights.input('before'), outputs.folder, { recursive: true });
});

const prune = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  fintext(['snapshots', 'prune', '--dataset', 'wcb', '--outputs', outputs.folder, ...args], { env });
const rawFiles = (): readonly string[] =>
  readdirSync(outputs.raw, { recursive: true })
    .map((path) => String(path).split('/').at(-1) ?? '')
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort();
const snapshots = (): readonly string[] => readdirSync(outputs.snapshots('wcb'));

describe('pruning', () => {
  it('keeps every content that a kept snapshot was made of', async () => {
    const ended = await prune(['--keep', '3']);
    expect(ended).toMatchObject({ code: 0, stdout: 'Nothing to delete.\n' });
    expect(rawFiles()).toEqual([...OLD, OLD_AT_ADDRESS, ...NEEDED].sort());
  });

  it('says with --dry-run what it would delete and free, and deletes nothing', async () => {
    const looked = await prune(['--keep', '1', '--dry-run']);
    expect(looked.code, looked.stderr).toBe(0);
    expect(looked.stdout).toMatch(/^would delete snapshot [0-9a-f]{16}, /);
    expect(looked.stdout).toContain('3 raw files that no kept snapshot and no source needs, 0.3 kB');
    expect(looked.stdout).toMatch(/would free [\d.]+ [kM]B\n$/);
    expect(rawFiles()).toHaveLength(6);
    expect(snapshots()).toHaveLength(3);
    const pruned = await prune(['--keep', '1']);
    expect(pruned.stdout).toBe(looked.stdout.replaceAll('would delete', 'deleted').replaceAll('would free', 'freed'));
  });

  it('drops replaced contents with the last snapshot of them, and keeps what is gone from its folder', async () => {
    expect((await prune(['--keep', '2'])).code).toBe(0);
    expect(rawFiles()).toEqual([hashText(textOf(22)), ...NEEDED].sort());
    expect((await prune(['--keep', '1'])).code).toBe(0);
    expect(rawFiles()).toEqual([...NEEDED].sort());
    rmSync(outputs.work('wcb'), { recursive: true });
    const night = await nights.rebuild(['corpus']);
    expect([night.snapshot, night.documents]).toEqual([last.snapshot, [1, 2, 3].map(idOf)]);
  });

  it('deletes nothing at all where a snapshot that is kept cannot be read', async () => {
    writeFileSync(join(outputs.snapshot('wcb', last.snapshot), 'documents.parquet'), 'torn');
    const ended = await prune(['--keep', '1']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/cannot be read .* none was deleted\. fintext snapshots verify --dataset wcb/);
    expect(rawFiles()).toHaveLength(6);
    expect(snapshots()).toHaveLength(3);
  });

  it('leaves raw files alone while the other dataset is run, and those that it knows', async () => {
    const release = await takeLock(outputs.lock('earnings'), new Date());
    const ended = await prune(['--keep', '1']);
    expect(ended.stdout).toContain('Raw files were left alone: another dataset is being run.');
    expect(snapshots()).toHaveLength(1);
    expect(rawFiles()).toHaveLength(6);
    await release();
    const theirs = { ...knownOf(OLD[0] ?? ''), document_id: 'AAPL_2023_Q1', partition: 'AAPL' };
    mkdirSync(dirname(outputs.known('earnings')), { recursive: true });
    writeFileSync(outputs.known('earnings'), `${JSON.stringify(theirs)}\n`);
    expect((await prune(['--keep', '1'])).code).toBe(0);
    expect(rawFiles()).toEqual([OLD[0], ...NEEDED].sort());
  });

  it.skipIf(typeof injector === 'string')(
    'that is killed anywhere leaves what serves whole, and is finished by the next',
    async () => {
      if (typeof injector === 'string') return;
      const log = nights.input('changes.log');
      const deleting = { FAULTS_DELETIONS: '1' };
      await prune(['--keep', '1'], { ...injector.env(outputs.folder, log), ...deleting });
      const expected = [rawFiles(), snapshots()];
      const changes = await injector.changes(outputs.folder, log);
      const deletions = changes.flatMap((line, at) => (/ (unlink|rmdir) (raw|published)\//.test(line) ? [at + 1] : []));
      expect(deletions.length).toBeGreaterThan(10);
      for (const share of [0.1, 0.3, 0.6, 0.9]) {
        rmSync(outputs.folder, { recursive: true });
        cpSync(nights.input('before'), outputs.folder, { recursive: true });
        const at = deletions[Math.floor(share * deletions.length)] ?? 1;
        const fault = { at, effect: 'kill' } as const;
        const killed = await prune(['--keep', '1'], { ...injector.env(outputs.folder, log, fault), ...deleting });
        expect(killed.signal).toBe('SIGKILL');
        expect(await verifySnapshot(outputsIn(outputs.folder), 'wcb', last.snapshot)).toEqual([]);
        for (const sha256 of NEEDED) expect(existsSync(outputs.rawFile(sha256))).toBe(true);
        expect((await prune(['--keep', '1'])).code).toBe(0);
        expect([rawFiles(), snapshots()]).toEqual(expected);
      }
    },
    MINUTES,
  );
});

const knownOf = (sha256: string) => ({
  input: 'elsewhere',
  dimensions: {},
  title: null,
  source_url: null,
  path: 'a.txt',
  sha256,
  bytes: 1,
  since: '2026-01-02T03:04:05.000Z',
});
