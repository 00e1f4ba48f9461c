/** What is to be seen when documents are gone from their folders: all of a dataset, as where a mount is lost, or a part. */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLastRun } from '../../pipeline/run/records/record.js';
import { outputsIn } from '../../src/outputs.js';
import { type Ended, openRig, type Rig } from '../support/fintext.js';

let rig: Rig;
const away = (name: string): string => join(rig.folder, `away-${name}`);
const takeAway = (name: string): Promise<void> => rename(join(rig.input, name), away(name));
const bringBack = (name: string): Promise<void> => rename(away(name), join(rig.input, name));

beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const rebuild = (...more: readonly string[]): Promise<Ended> =>
  rig.run(['rebuild', '--input', rig.input, ...more], {
    env: { FINTEXT_PROMETHEUS: join(rig.folder, 'fintext.prom') },
  });
const gauges = (): Promise<string> => readFile(join(rig.folder, 'fintext.prom'), 'utf8');

describe('a dataset of which the folders hold nothing any more', () => {
  let served: string;

  it('is no fault where it was never built from them', async () => {
    for (const name of ['earnings', 'earnings-manifest']) await takeAway(name);
    const ended = await rebuild();
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('The input folders hold nothing of earnings.');
    for (const name of ['earnings', 'earnings-manifest']) await bringBack(name);
    expect((await rebuild()).code).toBe(0);
    served = await rig.current('earnings');
  });

  it('is a failed run of it where it was: the other one is published, and it goes on serving', async () => {
    for (const name of ['earnings', 'earnings-manifest']) await takeAway(name);
    const dry = await rebuild('--dry-run');
    expect(dry.stderr).toContain('Nothing of earnings is in');
    const ended = await rebuild();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /Nothing of earnings is in .*sample any more, of which \d+ documents were read before; .* Is a mount lost\?.*--input.*--dataset\./,
    );
    expect(ended.stdout).toContain('wcb: snapshot');
    expect(await rig.current('earnings')).toBe(served);
    const outputs = outputsIn(rig.outputs);
    expect(await readLastRun(outputs, 'earnings')).toMatchObject({ outcome: 'failed', snapshot: served });
    expect(await readLastRun(outputs, 'wcb')).toMatchObject({ outcome: 'succeeded' });
    expect(await gauges()).toContain('fintext_last_run_success{dataset="earnings"} 0\n');
    const morning = await rig.run(['status', '--quick']);
    expect(morning.code).toBe(1);
    expect(morning.stdout).toContain('Nothing of earnings is in');
  });

  it('is one too where it is asked for alone, and for jobs of an engine', async () => {
    const alone = await rebuild('--dataset', 'earnings');
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('Is a mount lost?') });
    const planned = await rig.run(['plan', '--input', rig.input]);
    expect(planned).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing of earnings is in') });
    expect(planned.stdout).toContain('--step finalize');
  });

  it('is none where it is left out, or where other folders are named, which never held it', async () => {
    expect((await rebuild('--dataset', 'wcb')).code).toBe(0);
    const other = await rig.run(['rebuild', '--input', join(rig.input, 'wcb')]);
    expect(other.stderr).toContain('The input folders hold nothing of earnings.');
    expect(other.stderr).not.toContain('Is a mount lost?');
  });

  it('is forgotten once they are back', async () => {
    for (const name of ['earnings', 'earnings-manifest']) await bringBack(name);
    expect((await rebuild('--dataset', 'earnings')).code).toBe(0);
    expect(await rig.current('earnings')).toBe(served);
  });
});

describe('documents that are gone from their folder and kept', () => {
  it('are told by the run, the morning and the gauges, and change nothing of what is published', async () => {
    const [before] = await rig.rebuild('--dataset', 'wcb');
    const manifest = await readFile(rig.published('wcb', before?.snapshot ?? '', 'manifest.json'), 'utf8');
    await takeAway('wcb');
    const ended = await rebuild('--dataset', 'wcb');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(
      /documents +23: 13 found, 10 gone from their folders and kept; 21 published, 2 left out/,
    );
    expect(ended.stdout).toMatch(/warning +10 documents were not found: what was last read stays/);
    expect(await rig.current('wcb')).toBe(before?.snapshot);
    expect(await readFile(rig.published('wcb', before?.snapshot ?? '', 'manifest.json'), 'utf8')).toBe(manifest);

    const last = await readLastRun(outputsIn(rig.outputs), 'wcb');
    expect(last?.listed?.kept).toMatchObject({ gone: 10, unread: 0, unanswered: 0, too_many: true });
    const morning = await rig.run(['status', '--quick', '--dataset', 'wcb']);
    expect(morning.stdout).toMatch(/ 23: 13 found, 10 gone from their folders and kept$/m);
    expect(morning.stdout).toMatch(/ warning: 10 documents were not found/);
    expect(await gauges()).toContain('fintext_documents_gone{dataset="wcb"} 10\n');

    await bringBack('wcb');
    const [again] = await rig.rebuild('--dataset', 'wcb');
    expect(again).toMatchObject({ snapshot: before?.snapshot, kept: { gone: 0, too_many: false, lost: [] } });
  });
});
