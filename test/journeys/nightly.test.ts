/** Nights as an operator lives them: a good one, one that is killed, one that is refused, and the mornings after. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunRecord, readLastRun } from '../../pipeline/run/records/record.js';
import { readTextIfThere } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { readHistory } from '../../src/snapshot/history.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { type Ended, openRig, type Rig } from '../support/fintext.js';

let rig: Rig;
let server: Server;
let hook: string;
const told: { readonly outcome: string; readonly error: string | null }[] = [];

beforeAll(async () => {
  rig = await openRig();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      told.push(JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const at = server.address();
  hook = `http://localhost:${typeof at === 'object' && at !== null ? at.port : 0}/`;
});
afterAll(async () => {
  server.close();
  await rig.close();
});

const night = (...more: readonly string[]): Promise<Ended> =>
  rig.run(['rebuild', '--dataset', 'wcb', '--input', rig.input, '--json', ...more], {
    env: { FINTEXT_WEBHOOK: hook, FINTEXT_PROMETHEUS: join(rig.outputs, 'fintext.prom') },
  });
const status = (...more: readonly string[]): Promise<Ended> => rig.run(['status', '--dataset', 'wcb', ...more]);
const lastRun = async (): Promise<RunRecord> => {
  const record = await readLastRun(outputsIn(rig.outputs), 'wcb');
  if (record === undefined) throw new Error('There is no record.');
  return record;
};
const gauge = async (name: string): Promise<number> => {
  const text = await readFile(join(rig.outputs, 'fintext.prom'), 'utf8');
  return Number(new RegExp(`^${name}\\{dataset="wcb"\\} (\\S+)$`, 'm').exec(text)?.[1]);
};

/** Kills the run under way once it has finished some stages. */
const killAfter = async (stages: number): Promise<void> => {
  const { lock, lastRun: record } = outputsIn(rig.outputs);
  for (let tries = 0; tries < 2000; tries += 1) {
    await setTimeout(10);
    const running = JSON.parse((await readTextIfThere(record('wcb'))) ?? '{}') as Partial<RunRecord>;
    if (running.outcome !== 'running' || (running.stages?.length ?? 0) < stages) continue;
    const holder = JSON.parse((await readTextIfThere(lock('wcb'))) ?? '{}') as { readonly pid?: number };
    if (holder.pid !== undefined) return void process.kill(holder.pid, 'SIGKILL');
  }
  throw new Error('The run never got that far.');
};

describe('nights and mornings', () => {
  let first: string;

  it('a killed night: the morning says that it died, and ends with 1', async () => {
    const [ended] = await Promise.all([night(), killAfter(2)]);
    expect(ended.signal).toBe('SIGKILL');
    const morning = await status('--quick');
    expect(morning.code).toBe(1);
    expect(morning.stdout).toContain('DIED before it was done');
    expect(morning.stderr).toContain('Look at wcb');
  });

  it('the night after it: goes on, and its totals are those of a run that was never interrupted', async () => {
    expect((await night()).code).toBe(0);
    const record = await lastRun();
    first = record.snapshot ?? '';
    expect(record.resumes).not.toBeNull();
    const { counts } = await readManifest(outputsIn(rig.outputs).snapshot('wcb', first));
    expect(record.totals).toMatchObject({ ...counts, predictions: (counts.sentences - (counts.marked ?? 0)) * 7 });
    // The stages that the killed run had finished count in the totals, and are not done again.
    expect(record.stages[0]).toMatchObject({ stage: 'ingest', stale: 0, amounts: { documents: counts.documents } });
    expect(await gauge('fintext_documents')).toBe(counts.documents);
    expect(told.at(-1)).toMatchObject({ outcome: 'succeeded' });
  });

  it('the morning says what is served, how new it is and that nothing is to do, as text and as JSON', async () => {
    const text = await status();
    expect(text.code, text.stderr).toBe(0);
    expect(text.stdout).toMatch(/last run +succeeded/);
    expect(text.stdout).toMatch(new RegExp(`snapshot +${first}, published`));
    expect(text.stdout).toMatch(/newest +\d{4}-\d\d-\d\d, /);
    expect(text.stdout).toMatch(/checks +all \d+ passed/);
    expect(text.stdout).toMatch(/to do +nothing: all \d+ units are fresh/);
    const [line = ''] = (await status('--json')).stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      dataset: 'wcb',
      last_run: { outcome: 'succeeded' },
      snapshot: { id: first, served: { by: 'publish' } },
      work: { stale: [] },
    });
  });

  it('a snapshot that was damaged, lost a file or is pointed to no more is named in the morning; a night mends it', async () => {
    const { pointer, snapshot } = outputsIn(rig.outputs);
    const table = join(snapshot('wcb', first), 'documents.parquet');
    const bytes = await readFile(table);
    await writeFile(
      table,
      bytes.map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
    );
    const damaged = await status();
    expect(damaged.code).toBe(1);
    expect(damaged.stderr).toBe('fintext: Look at wcb: what is served is damaged.\n');
    expect(damaged.stdout).toContain(
      'DAMAGED: documents.parquet is not what was published. To mend it: fintext rebuild --dataset wcb --outputs ',
    );
    expect((await status('--quick')).code).toBe(0);

    await rm(join(snapshot('wcb', first), 'wcb.duckdb'));
    const lacking = await status('--quick', '--json');
    expect(lacking.code).toBe(1);
    expect(JSON.parse(lacking.stdout)).toMatchObject({
      snapshot: { id: first },
      fault: expect.stringContaining('wcb.duckdb is missing'),
    });

    await rename(pointer('wcb'), `${pointer('wcb')}.away`);
    const lost = await status('--quick');
    expect(lost.code).toBe(1);
    expect(lost.stdout).toMatch(/DAMAGED: \S+CURRENT is missing, so none of the 1 kept snapshots is served\./);
    await rename(`${pointer('wcb')}.away`, pointer('wcb'));

    const { published } = outputsIn(rig.outputs);
    await rename(published('wcb'), `${published('wcb')}.away`);
    const gone = await status('--quick');
    expect(gone.code).toBe(1);
    expect(gone.stdout).toMatch(new RegExp(`DAMAGED: ${first} was published on .* holds no snapshot any more`));
    await rename(`${published('wcb')}.away`, published('wcb'));
    expect((await night()).code).toBe(0);
    expect(await rig.current('wcb')).toBe(first);
    expect((await status()).code).toBe(0);
  });

  it('a night on which too much is gone: is refused, told and seen in the morning, and the old snapshot serves', async () => {
    const files = join(rig.input, 'wcb-manifest', 'files');
    for (const name of await readdir(files)) await writeFile(join(files, name), '');
    const ended = await night();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('--allow documents_kept="<reason>"');
    expect(await readTextIfThere(outputsIn(rig.outputs).failedReport('wcb'))).toContain('Nothing was published');
    expect(await readTextIfThere(outputsIn(rig.outputs).failedReportData('wcb'))).toContain('documents_kept');
    expect(told.at(-1)).toMatchObject({ outcome: 'failed', error: expect.stringContaining('documents_kept') });
    expect(await gauge('fintext_last_run_success')).toBe(0);
    const morning = await status('--quick');
    expect(morning.code).toBe(1);
    expect(morning.stdout).toMatch(/last run +FAILED/);
    expect(morning.stdout).toMatch(/FAILED: documents_kept for 1/);
    expect(await rig.current('wcb')).toBe(first);
  });

  it('what a person allows, with a reason, is published with it; without one it is wrong use', async () => {
    expect((await night('--allow', 'dokuments_kept=why')).code).toBe(2);
    const ended = await night('--allow', 'documents_kept=the folder was retired', '--allow', 'rejects_bounded=same');
    expect(ended.code, ended.stderr).toBe(0);
    const second = await rig.current('wcb');
    const { failedReport, failedReportData, lineage, snapshot } = outputsIn(rig.outputs);
    for (const kept of [failedReport, failedReportData]) expect(await readTextIfThere(kept('wcb'))).toBeUndefined();
    const report = JSON.parse((await readTextIfThere(join(snapshot('wcb', second), 'report.json'))) ?? '');
    expect(join(rig.outputs, report.lineage.file)).toBe(lineage('wcb', (await lastRun()).id));
    const { checks } = await readManifest(outputsIn(rig.outputs).snapshot('wcb', second));
    expect(checks.find(({ name }) => name === 'documents_kept')).toMatchObject({
      passed: false,
      overridden: 'the folder was retired',
    });
    const morning = await status('--quick');
    expect(morning.code).toBe(0);
    expect(morning.stdout).toContain('allowed: documents_kept for 1 (the folder was retired)');
  });

  it('going back: the history says why, the difference says what, and a night of the same leaves it there', async () => {
    const snapshots = (...args: readonly string[]): Promise<Ended> =>
      rig.run(['snapshots', ...args, '--dataset', 'wcb']);
    const second = await rig.current('wcb');
    expect((await snapshots('rollback', '--reason', 'the folder is back')).code).toBe(0);
    expect(await rig.current('wcb')).toBe(first);
    expect(await readHistory(outputsIn(rig.outputs), 'wcb')).toMatchObject([
      { snapshot: first, by: 'publish' },
      { snapshot: second, by: 'publish' },
      { snapshot: first, by: 'rollback', reason: 'the folder is back' },
    ]);
    const difference = JSON.parse((await snapshots('diff', '--json')).stdout);
    expect(difference).toMatchObject({ before: second, after: first });
    expect(difference.documents.added.count).toBeGreaterThan(5);
    expect(difference.documents.removed.count).toBe(0);
    expect((await night()).code).toBe(0);
    expect(await rig.current('wcb')).toBe(first);
    expect((await status('--quick')).stdout).toMatch(/rolled back to .*: the folder is back/);
  });

  it('an older snapshot that is damaged: what verify says to do about it helps', async () => {
    const snapshots = (...args: readonly string[]): Promise<Ended> =>
      rig.run(['snapshots', ...args, '--dataset', 'wcb']);
    const names = await readdir(outputsIn(rig.outputs).snapshots('wcb'));
    const older = names.find((name) => /^[0-9a-f]{16}$/.test(name) && name !== first) ?? '';
    const folder = outputsIn(rig.outputs).snapshot('wcb', older);
    await writeFile(join(folder, 'report.html'), 'x');
    const found = await snapshots('verify');
    expect(found.code).toBe(1);
    expect(found.stderr).toContain(`${older} is not served, and no rebuild makes an older one again`);
    expect(found.stderr).toContain(`or delete ${folder}.`);
    expect(found.stderr).not.toContain('..');
    await rm(folder, { recursive: true });
    expect((await snapshots('verify')).code).toBe(0);
    expect((await snapshots('verify', '--snapshot', older)).code).toBe(2);
  });
});
