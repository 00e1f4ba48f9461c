import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLastRun } from '../../pipeline/run/records/record.js';
import { openDatabase, parquet } from '../../src/database.js';
import { hashFile } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { openRig, type Rig } from '../support/fintext.js';
import { EARNINGS_METRICS_SQL, WCB_METRICS_SQL } from '../support/independent-metrics.js';

const DATASETS = ['wcb', 'earnings'] as const;
const IN_ID = ['documents.parquet', 'counts.parquet', 'sentences.parquet', 'rejects.parquet'];

const idsOf = async (rig: Rig): Promise<readonly string[]> =>
  Promise.all(DATASETS.map((dataset) => rig.current(dataset)));

const hashesOf = async (rig: Rig): Promise<readonly string[]> => {
  const hashes: string[] = [];
  for (const dataset of DATASETS) {
    const id = await rig.current(dataset);
    for (const name of IN_ID) hashes.push(`${dataset}/${name} ${await hashFile(rig.published(dataset, id, name))}`);
  }
  return hashes;
};

describe('a rebuild of the bundled sample', () => {
  let rig: Rig;
  let first: Awaited<ReturnType<Rig['rebuild']>>;
  let firstIds: readonly string[];

  beforeAll(async () => {
    rig = await openRig();
    first = await rig.rebuild();
    firstIds = await idsOf(rig);
  });
  afterAll(() => rig.close());

  it('publishes both datasets with every file that the contract names', async () => {
    expect(first.map(({ dataset }) => dataset)).toEqual([...DATASETS]);
    for (const [at, dataset] of DATASETS.entries()) {
      const names = await readdir(rig.published(dataset, firstIds[at] ?? '', ''));
      expect(names).toEqual(expect.arrayContaining([...IN_ID, 'manifest.json', `${dataset}.duckdb`, 'report.html']));
    }
    expect(first.every(({ documents, sentences }) => documents >= 12 && sentences > documents * 10)).toBe(true);
  });

  it('counts what was left out by stage; with the published documents it is all that was found, as the record has it', async () => {
    for (const { dataset, documents, rejects, rejects_by_stage: byStage } of first) {
      const record = await readLastRun(outputsIn(rig.outputs), dataset);
      const listed = record?.listed ?? { documents: 0, rejects: 0 };
      expect(Object.values(byStage).reduce((sum, count) => sum + count, 0)).toBe(rejects);
      expect(documents + rejects).toBe(listed.documents + listed.rejects);
    }
  });

  it('makes each prediction once: distinct texts without a mark times models', async () => {
    const database = await openDatabase({ memoryMb: 256, threads: 2, temporaryFolder: rig.folder });
    for (const [at, { predictions_made: made, marked, dataset }] of first.entries()) {
      const sentences = parquet(rig.published(dataset, firstIds[at] ?? '', 'sentences.parquet'));
      const asked = `SELECT count(DISTINCT text) AS n FROM ${sentences} WHERE mark IS NULL`;
      const [{ n } = { n: 0 }] = await database.rows(asked);
      // Texts of a document that is left out as a duplicate are asked as well, but they are the texts of its twin.
      expect(made).toBe(Number(n) * (dataset === 'wcb' ? 7 : 12));
      expect(marked).toBeGreaterThan(0);
    }
    await database.close();
  });

  it('makes no prediction and publishes the same snapshot when it is run again', async () => {
    const again = await rig.rebuild();
    expect(again.map(({ predictions_made: made }) => made)).toEqual([0, 0]);
    expect(again.flatMap(({ stages }) => stages.map(({ done }) => done))).toEqual(Array(10).fill(0));
    expect(await idsOf(rig)).toEqual(firstIds);
  });

  it('gives the same bytes from nothing in another folder, with another number of workers', async () => {
    const other = await openRig();
    try {
      await other.rebuild('--workers', '1');
      expect(await idsOf(other)).toEqual(firstIds);
      expect(await hashesOf(other)).toEqual(await hashesOf(rig));
    } finally {
      await other.close();
    }
  });

  it('gives metrics that SQL written apart from the product computes from the sentences as well', async () => {
    const database = await openDatabase({ memoryMb: 256, temporaryFolder: rig.folder, threads: 1 });
    try {
      for (const [at, sql] of [WCB_METRICS_SQL, EARNINGS_METRICS_SQL].entries()) {
        const file = (name: string): string =>
          parquet(rig.published(DATASETS[at] ?? 'wcb', firstIds[at] ?? '', `${name}.parquet`));
        const expected = await database.rows(sql(file('sentences')));
        const names = Object.keys(expected[0] ?? {}).filter((name) => name !== 'document_id');
        expect(names).toHaveLength(at === 0 ? 7 : 55);
        const found = new Map(
          (await database.rows(`SELECT * FROM ${file('documents')}`)).map((row) => [row.document_id, row]),
        );
        expect(found.size).toBe(expected.length);
        for (const row of expected) {
          for (const name of names) {
            const value = found.get(row.document_id ?? '')?.[name];
            if (row[name] === null) expect(value, `${row.document_id} ${name}`).toBeNull();
            else
              expect(Math.abs(Number(value) - Number(row[name])), `${row.document_id} ${name}`).toBeLessThanOrEqual(
                1e-12,
              );
          }
        }
      }
    } finally {
      database.close();
    }
  });

  it('reads tightening cycles as more hawkish than easing ones', async () => {
    const database = await openDatabase({ memoryMb: 256, temporaryFolder: rig.folder, threads: 1 });
    try {
      const rows = await database.rows(
        `SELECT bank_name, year, avg(stance) AS stance FROM ${parquet(rig.published('wcb', firstIds[0] ?? '', 'documents.parquet'))}
         WHERE bank_name IN ('federal_reserve_system', 'european_central_bank') AND year IN (2020, 2022) GROUP BY ALL`,
      );
      for (const bank of ['federal_reserve_system', 'european_central_bank']) {
        const of = (year: number): number =>
          Number(rows.find((row) => row.bank_name === bank && row.year === year)?.stance);
        expect(of(2022), bank).toBeGreaterThan(of(2020) + 0.2);
      }
    } finally {
      database.close();
    }
  });

  it('leaves out the broken file and says why', async () => {
    const database = await openDatabase({ memoryMb: 256, temporaryFolder: rig.folder, threads: 1 });
    try {
      const rows = await database.rows(
        `SELECT subject, reason FROM ${parquet(rig.published('wcb', firstIds[0] ?? '', 'rejects.parquet'))}`,
      );
      expect(rows.map(({ subject }) => subject)).toContain('wcb-manifest/files/chile-minutes-2021-truncated.pdf');
    } finally {
      database.close();
    }
  });

  it('says what it would do, and changes nothing, with --dry-run', async () => {
    const before = await hashesOf(rig);
    const ended = await rig.run(['rebuild', '--dry-run', '--input', rig.input]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('predictions  0 to make');
    expect(await hashesOf(rig)).toEqual(before);
  });

  it('makes a damaged snapshot again, with the same id', async () => {
    const [id = ''] = firstIds;
    await appendFile(rig.published('wcb', id, 'sentences.parquet'), 'x');
    expect((await rig.run(['snapshots', 'verify', '--dataset', 'wcb'])).code).toBe(1);
    await rig.rebuild();
    expect(await idsOf(rig)).toEqual(firstIds);
    expect((await rig.run(['snapshots', 'verify', '--dataset', 'wcb'])).code).toBe(0);
  });

  it('redoes exactly what reprocess names, with the same result', async () => {
    const ended = await rig.run([
      'reprocess',
      '--dataset',
      'wcb',
      '--bank',
      'federal_reserve_system',
      '--year',
      '2020',
      '--json',
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const [summary] = JSON.parse(ended.stdout);
    expect(summary.predictions_made).toBe(0);
    expect(summary.stages.find(({ stage }: { stage: string }) => stage === 'ingest').done).toBe(1);
    expect(await idsOf(rig)).toEqual(firstIds);
  });

  it('asks one model again, and only that one, with reprocess --model', async () => {
    const ended = await rig.run([
      'reprocess',
      '--dataset',
      'wcb',
      '--model',
      'cb_stance_label',
      '--year',
      '2020',
      '--json',
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const [summary] = JSON.parse(ended.stdout);
    expect(summary.predictions_made).toBeGreaterThan(0);
    expect(summary.predictions_made).toBeLessThan((first[0]?.unique_sentences ?? 0) / 2);
    expect(await idsOf(rig)).toEqual(firstIds);
  });
});

describe('a corpus that changes', () => {
  let rig: Rig;
  const file = (year: string, name: string): string => join('wcb', 'raw_data', 'federal_reserve_system', year, name);

  beforeAll(async () => {
    rig = await openRig();
    await rig.rebuild('--dataset', 'wcb');
  });
  afterAll(() => rig.close());

  it('classifies only the new texts of a new document, and changes no other row', async () => {
    const before = await rig.current('wcb');
    const manifest = join(rig.input, 'wcb-manifest', 'manifest.csv');
    const [header = ''] = (await readFile(manifest, 'utf8')).split(/\r?\n/);
    const row: Record<string, string> = {
      path: 'files/new.txt',
      dataset: 'wcb',
      bank_name: 'bank_of_mexico',
      year: '2023',
      start_date: '2023-05-18',
      end_date: '2023-05-18',
      document_type: 'statement',
    };
    await appendFile(
      manifest,
      `${header
        .split(',')
        .map((name) => row[name] ?? '')
        .join(',')}\n`,
    );
    await writeFile(
      join(rig.input, 'wcb-manifest', 'files', 'new.txt'),
      'The board of this fictional bank raised its key rate by one half of a point. Two sentences are all that this new document holds.\n',
    );
    const [summary] = await rig.rebuild('--dataset', 'wcb');
    expect(summary?.predictions_made).toBe(2 * 7);
    const after = await rig.current('wcb');
    expect(after).not.toBe(before);
    const database = await openDatabase({ memoryMb: 256, temporaryFolder: rig.folder, threads: 1 });
    try {
      const of = (id: string): string => parquet(rig.published('wcb', id, 'documents.parquet'));
      expect(await database.rows(`(SELECT * FROM ${of(before)} EXCEPT SELECT * FROM ${of(after)})`)).toEqual([]);
      expect(
        await database.rows(`(SELECT document_id FROM ${of(after)} EXCEPT SELECT document_id FROM ${of(before)})`),
      ).toEqual([{ document_id: 'bank_of_mexico_2023-05-18_statement' }]);
    } finally {
      database.close();
    }
  });

  it('names the ingredient that changed', async () => {
    const [year = ''] = (await readdir(join(rig.input, 'wcb', 'raw_data', 'federal_reserve_system'))).filter((name) =>
      /^\d+$/.test(name),
    );
    const [name = ''] = await readdir(join(rig.input, 'wcb', 'raw_data', 'federal_reserve_system', year));
    await appendFile(join(rig.input, file(year, name)), '\nOne more sentence stands here now.\n');
    const ended = await rig.run([
      'status',
      '--dataset',
      'wcb',
      '--why',
      `ingest/federal_reserve_system/${year}`,
      '--input',
      rig.input,
    ]);
    expect(ended.stdout).toMatch(/is stale: document federal_reserve_system_\S+ changed from/);
  });

  it('goes on for all others when a document turns bad', async () => {
    const before = await rig.rebuild('--dataset', 'wcb');
    await writeFile(join(rig.input, 'wcb-manifest', 'files', 'new.txt'), Buffer.alloc(2000, 0));
    const after = await rig.rebuild('--dataset', 'wcb');
    expect(after[0]?.documents).toBe((before[0]?.documents ?? 0) - 1);
    expect(after[0]?.rejects).toBe((before[0]?.rejects ?? 0) + 1);
  });

  it('publishes nothing when too many documents are gone, and the old snapshot goes on serving', async () => {
    const before = await rig.current('wcb');
    const files = join(rig.input, 'wcb-manifest', 'files');
    for (const name of await readdir(files)) await writeFile(join(files, name), '');
    const ended = await rig.run(['rebuild', '--dataset', 'wcb', '--input', rig.input]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/Nothing was published for wcb: .*documents_kept.*goes on serving/);
    expect(await rig.current('wcb')).toBe(before);
    expect((await rig.run(['snapshots', 'verify', '--dataset', 'wcb'])).code).toBe(0);
  });

  it('rolls back to the snapshot before, and a rebuild of the same leaves it there', async () => {
    const kept = (await rig.run(['snapshots', 'list', '--dataset', 'wcb', '--json'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const at = kept.findIndex(({ current }) => current);
    expect((await rig.run(['snapshots', 'rollback', '--dataset', 'wcb'])).code).toBe(0);
    expect(await rig.current('wcb')).toBe(kept[at + 1].snapshot);
  });
});

describe('a killed run', () => {
  it('ends in the same snapshots when it is run again, and never points to a broken one', async () => {
    const reference = await openRig();
    const victim = await openRig();
    try {
      const began = Date.now();
      await reference.rebuild();
      const whole = Date.now() - began;
      const expected = await hashesOf(reference);
      // Places spread over the run, not quite evenly: the golden ratio's multiples.
      for (let kill = 1; kill <= 10; kill += 1) {
        const afterMs = ((kill * 0.618034) % 1) * whole;
        const ended = await victim.run(['rebuild', '--input', victim.input], { kill: { signal: 'SIGKILL', afterMs } });
        for (const dataset of DATASETS) {
          const id = await victim.current(dataset).catch(() => undefined);
          if (id === undefined) continue;
          const verified = await victim.run(['snapshots', 'verify', '--dataset', dataset, '--snapshot', id]);
          expect(verified.stdout).toContain('whole');
        }
        if (ended.signal === null) await rm(victim.outputs, { recursive: true, force: true });
      }
      await victim.rebuild();
      expect(await hashesOf(victim)).toEqual(expected);
    } finally {
      await reference.close();
      await victim.close();
    }
  }, 240_000);
});
