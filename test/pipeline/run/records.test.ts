import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CheckReport, RunEvent, StageReport } from '../../../pipeline/events.js';
import { takeLock } from '../../../pipeline/run/lock.js';
import type { Measured } from '../../../pipeline/run/records/measure.js';
import { newRunId, type RunRecord, readLastRun, runRecordSchema } from '../../../pipeline/run/records/record.js';
import { openRecorder, type RecorderOptions } from '../../../pipeline/run/records/recorder.js';
import { GAUGES, textfile } from '../../../pipeline/run/records/textfile.js';
import { dropUnbegun, recordUnbegun } from '../../../pipeline/run/records/unbegun.js';
import { postRecord } from '../../../pipeline/run/records/webhook.js';
import { type Morning, readMorning } from '../../../src/cli/morning.js';
import { findTrouble, morningText } from '../../../src/cli/morning-text.js';
import { type Outputs, outputsIn } from '../../../src/outputs.js';
import { publish } from '../../support/published.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
let outputs: Outputs;
let notes: string[];
let clock: number;
let worlds = 0;

beforeEach(() => {
  worlds += 1;
  outputs = outputsIn(join(root, `outputs-${worlds}`));
  notes = [];
  clock = Date.UTC(2026, 0, 2, 2, 15);
});

const options = (parts: Partial<RecorderOptions> = {}): RecorderOptions => ({
  outputs,
  settings: { webhook: '', prometheus: '' },
  dataset: 'wcb',
  job: 'rebuild',
  inputs: ['/corpora/wcb'],
  repeated: { uncertainty: 'net' },
  now: () => {
    clock += 1000;
    return new Date(clock);
  },
  log: (event) => {
    if (event.type === 'note') notes.push(event.message);
  },
  ...parts,
});

const stageDone = (report: Partial<StageReport>): RunEvent => ({
  type: 'stage-done',
  dataset: 'wcb',
  stage: report.stage ?? 'ingest',
  report: { stage: 'ingest', units: 4, stale: 2, seconds: 2, amounts: {}, made: {}, facts: {}, ...report },
});
const CHECK: CheckReport = { name: 'documents_kept', severity: 'block', about: 'x', passed: false, offending: 1 };

let measured: Measured;
beforeAll(async () => {
  const manifest = await publish({
    outputs: outputsIn(join(root, 'published')),
    dataset: 'wcb',
    documents: 4,
    seed: 1,
  });
  measured = {
    manifest: {
      ...manifest,
      files: { ...manifest.files, 'documents.parquet': { sha256: 'a'.repeat(64), bytes: 77, rows: 4, in_id: true } },
    },
    uniqueSentences: 30,
    rejects: [{ stage: 'ingest', reason: 'The file is empty.', documents: 1 }],
    newest: {
      date: '2025-12-24',
      period: null,
      too_old: [{ subject: 'bank_of_japan', newest: '2024-01-01', days: 732 }],
    },
  };
});

const runOnce = async (parts: Partial<RecorderOptions> = {}, predictions = 100): Promise<RunRecord> => {
  const recorder = await openRecorder(options(parts));
  const kept = {
    gone: 3,
    unread: 0,
    unanswered: 1,
    too_many: true,
    lost: [{ subject: 'bank_of_japan', documents: 3 }],
  };
  recorder.tell({ type: 'listed', dataset: 'wcb', documents: 4, rejects: 1, kept });
  recorder.tell(stageDone({ amounts: { documents: 4 }, made: { documents: 3 } }));
  recorder.tell(
    stageDone({
      stage: 'classify',
      amounts: { predictions_made: predictions },
      made: { predictions_made: predictions },
    }),
  );
  recorder.tell({ type: 'checked', dataset: 'wcb', checks: [{ ...CHECK, overridden: 'known' }] });
  await recorder.succeed(measured);
  return last();
};
const failOnce = async (error: unknown, how: 'failed' | 'stopped' = 'failed'): Promise<RunRecord> => {
  await (await openRecorder(options())).fail(error, how);
  return last();
};
const morningNow = (): Promise<Morning> =>
  readMorning('wcb', { settings: { outputs: outputs.folder }, now: new Date(clock), look: 'contents' });

const last = async (): Promise<RunRecord> => {
  const record = await readLastRun(outputs, 'wcb');
  if (record === undefined) throw new Error('There is no record.');
  return record;
};

describe('the record of a run', () => {
  it('says what was done, how fast, with what outcome', async () => {
    const record = await runOnce();
    expect(record).toMatchObject({
      outcome: 'succeeded',
      began_at: '2026-01-02T02:15:01.000Z',
      error: null,
      resumes: null,
      settings: { uncertainty: 'net' },
      listed: { documents: 4, rejects: 1 },
      checks: [{ name: 'documents_kept', passed: false, overridden: 'known' }],
      totals: {
        documents: 4,
        sentences: 36,
        unique_sentences: 30,
        predictions: 36 * 7,
        predictions_made: 100,
        predictions_reused: 36 * 7 - 100,
      },
      snapshot: measured.manifest.snapshot,
      newest: measured.newest,
      rejects: measured.rejects,
    });
    expect(record.stages[0]).toMatchObject({ throughput: { amount: 'documents', per_second: 1.5 } });
    expect(record.seconds).toBeGreaterThan(0);
    expect(record.last_success).toMatchObject({ id: record.id, snapshot: measured.manifest.snapshot });
    expect(notes).toEqual([]);
  });

  it('is there while the run works, with the stages that are done', async () => {
    const recorder = await openRecorder(options());
    expect(await last()).toMatchObject({ outcome: 'running', ended_at: null, stages: [] });
    recorder.tell(stageDone({}));
    await recorder.save();
    expect((await last()).stages).toHaveLength(1);
  });

  it('of a run that failed says why, and when one last succeeded', async () => {
    const good = await runOnce();
    const bad = await failOnce(new Error('Nothing was published: documents_kept'));
    expect(bad).toMatchObject({ outcome: 'failed', error: 'Nothing was published: documents_kept', resumes: null });
    expect(bad.last_success).toEqual(good.last_success);
    expect((await failOnce(new Error('Stopped by SIGTERM.'), 'stopped')).outcome).toBe('stopped');
  });

  it('names the run whose work it goes on with, and says of a run without an end that it died', async () => {
    await openRecorder(options());
    const dead = await last();
    const record = await runOnce();
    expect(record.resumes).toBe(dead.id);
    const kept = runRecordSchema.parse(JSON.parse(readFileSync(join(outputs.runs('wcb'), `${dead.id}.json`), 'utf8')));
    expect(kept.outcome).toBe('died');
    expect((await runOnce()).resumes).toBeNull();
  });

  it('has the same totals after an interruption, but for who made the predictions', async () => {
    const whole = (await runOnce({}, 252)).totals;
    await openRecorder(options());
    const resumed = (await runOnce({}, 10)).totals;
    expect(resumed).toEqual({ ...whole, predictions_made: 10, predictions_reused: 242 });
  });

  it('is kept thirty times, with its lineage; the oldest go', async () => {
    for (let n = 0; n < 33; n += 1) await failOnce(new Error(`run ${n}`));
    const names = readdirSync(outputs.runs('wcb'));
    expect(names.filter((name) => name.endsWith('.openlineage.json'))).toHaveLength(30);
    expect(names).toHaveLength(60);
    expect(names.map((name) => name.slice(0, 36))).toContain((await last()).id);
  }, 20_000);

  it('that is damaged is none, and the next one is written all the same', async () => {
    await runOnce();
    const kept = readdirSync(outputs.runs('wcb')).map((name) => join(outputs.runs('wcb'), name));
    for (const file of [outputs.lastRun('wcb'), ...kept]) writeFileSync(file, '{"format":1,');
    expect(await readLastRun(outputs, 'wcb')).toBeUndefined();
    expect((await runOnce()).outcome).toBe('succeeded');
  });

  it('that cannot be written is a note, and the run goes on', async () => {
    mkdirSync(outputs.work('wcb'), { recursive: true });
    writeFileSync(outputs.runs('wcb'), 'a file where the folder should be');
    const recorder = await openRecorder(options());
    await recorder.succeed(measured);
    expect(notes.join()).toContain('Could not write the record of the run');
  });

  it('has ids that are UUIDs in the order of time', () => {
    const ids = [1, 2, 3, 1e12, 1.8e12].map((time) => newRunId(new Date(time)));
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true);
  });
});

describe('a run that had nothing to publish', () => {
  it('says which source has had nothing new for too long, for no check did', async () => {
    await (await openRecorder(options())).succeed(measured);
    expect(notes).toEqual(['Nothing newer of bank_of_japan than 2024-01-01, 732 days ago.']);
    expect((await last()).newest?.too_old).toHaveLength(1);
  });
});

describe('the last run', () => {
  it('is known by what is kept of all of them where its own file is gone or damaged', async () => {
    await runOnce();
    await recordUnbegun(options(), new Error('there is no such folder'));
    const before = await last();
    writeFileSync(outputs.lastRun('wcb'), '{"format": 1,');
    expect(await last()).toEqual(before);
    rmSync(outputs.lastRun('wcb'));
    expect(await last()).toEqual(before);
  });
});

describe('a run that could not begin', () => {
  it('is recorded as failed, be it the first one or one after others', async () => {
    await recordUnbegun(options(), new Error('there is no such folder'));
    expect(await last()).toMatchObject({ outcome: 'failed', error: 'there is no such folder', last_success: null });
    // `status` ends with 1.
    expect(findTrouble(await morningNow())).toBe('wcb: the last run did not end as it should');
    const good = await runOnce();
    await recordUnbegun(options(), new Error('there is no such folder'));
    expect(await last()).toMatchObject({ outcome: 'failed', last_success: good.last_success });
    expect(existsSync(outputs.lock('wcb'))).toBe(false);
  });

  it('makes no file where the outputs folder cannot be one, and the textfile tells of it all the same', async () => {
    writeFileSync(outputs.folder, 'a file where the folder should be');
    const prometheus = join(root, `unusable-${worlds}.prom`);
    await recordUnbegun(options({ settings: { webhook: '', prometheus } }), new Error('there is no such folder'));
    expect(readFileSync(outputs.folder, 'utf8')).toBe('a file where the folder should be');
    expect(readFileSync(prometheus, 'utf8')).toContain('fintext_last_run_success{dataset="wcb"} 0');
  });

  it('keeps no other run from beginning while it is told', async () => {
    const told = createServer((_request, response) => {
      void takeLock(outputs.lock('wcb'), new Date())
        .then((release) => release())
        .then(
          () => response.writeHead(204).end(),
          () => response.writeHead(500).end(),
        );
    });
    await new Promise<void>((done) => told.listen(0, 'localhost', done));
    const at = told.address();
    const webhook = `http://localhost:${typeof at === 'object' && at !== null ? at.port : 0}/`;
    await recordUnbegun(options({ settings: { webhook, prometheus: '' } }), new Error('there is no such folder'));
    told.close();
    expect(notes).toEqual([]);
  });

  it('is no news of a dataset that was never built, once the folders are read and hold nothing of it', async () => {
    await recordUnbegun(options(), new Error('there is no such folder'));
    await dropUnbegun(options());
    expect(await readLastRun(outputs, 'wcb')).toBeUndefined();
    await runOnce();
    await recordUnbegun(options(), new Error('there is no such folder'));
    await dropUnbegun(options());
    expect((await last()).outcome).toBe('failed');
  });

  it('does not write over the record of the run that is under way', async () => {
    await runOnce();
    const release = await takeLock(outputs.lock('wcb'), new Date());
    await openRecorder(options());
    await recordUnbegun(options(), new Error('Another run holds the lock'));
    expect((await last()).outcome).toBe('running');
    await release();
  });
});

describe('the lineage of a run', () => {
  const facet = z.looseObject({ _producer: z.url(), _schemaURL: z.url() });
  const dataset = z.strictObject({
    namespace: z.string(),
    name: z.string(),
    facets: z.record(z.string(), facet).optional(),
  });
  // The specification has assertions of an input and statistics of an output, and of nothing else.
  const input = dataset.extend({ inputFacets: z.strictObject({ dataQualityAssertions: facet }).optional() });
  const output = dataset.extend({ outputFacets: z.strictObject({ outputStatistics: facet }) });
  const event = z.strictObject({
    eventType: z.enum(['START', 'COMPLETE', 'FAIL', 'ABORT']),
    eventTime: z.iso.datetime(),
    run: z.strictObject({ runId: z.uuid(), facets: z.record(z.string(), facet) }),
    job: z.strictObject({ namespace: z.string(), name: z.string(), facets: z.record(z.string(), facet) }),
    inputs: z.array(input),
    outputs: z.array(output),
    producer: z.url(),
    schemaURL: z.literal('https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent'),
  });
  const lineageOf = ({ id }: RunRecord): readonly z.infer<typeof event>[] =>
    z.array(event).parse(JSON.parse(readFileSync(outputs.lineage('wcb', id), 'utf8')));

  it('is a START and a COMPLETE of one run, with folders and models in, and the tables out', async () => {
    const record = await runOnce();
    const [started, completed] = lineageOf(record);
    expect([started?.eventType, completed?.eventType]).toEqual(['START', 'COMPLETE']);
    expect([started?.run.runId, completed?.run.runId]).toEqual([record.id, record.id]);
    expect(completed?.job).toMatchObject({ namespace: 'fintext', name: 'rebuild.wcb' });
    expect(completed?.inputs.map(({ name }) => name)).toEqual([
      '/corpora/wcb',
      ...measured.manifest.models.map(({ id }) => `models.${id}`),
      'wcb.documents',
    ]);
    const checked = completed?.inputs.at(-1);
    expect(checked).toMatchObject({
      facets: { version: { datasetVersion: record.snapshot } },
      inputFacets: { dataQualityAssertions: { assertions: [{ assertion: 'documents_kept', success: false }] } },
    });
    expect(checked?.inputFacets?.dataQualityAssertions?._schemaURL).toBe(
      'https://openlineage.io/spec/1-0-1/DataQualityAssertionsDatasetFacet.json#/$defs/DataQualityAssertionsDatasetFacet',
    );
    const documents = completed?.outputs.find(({ name }) => name === 'wcb.documents');
    expect(documents).toMatchObject({
      facets: { version: { datasetVersion: record.snapshot } },
      outputFacets: { outputStatistics: { rowCount: 4, size: 77 } },
    });
    expect(documents?.facets?.schema?.fields).toContainEqual({
      name: 'document_id',
      type: 'VARCHAR',
      description: 'stable name of the document, the same on every machine',
    });
  });

  it('of a run that a check kept from publishing has what was checked, and nothing that came out', async () => {
    const recorder = await openRecorder(options());
    recorder.tell({ type: 'checked', dataset: 'wcb', checks: [CHECK] });
    await recorder.fail(new Error('Nothing was published'), 'failed');
    expect(lineageOf(await last()).at(-1)).toMatchObject({
      eventType: 'FAIL',
      inputs: [{ name: '/corpora/wcb' }, { name: 'wcb.documents', inputFacets: {} }],
      outputs: [],
    });
  });

  it('ends in FAIL with the message, or ABORT where somebody stopped it, and FAIL where it died', async () => {
    const [, failed] = lineageOf(await failOnce(new Error('The disk is full.')));
    expect(failed).toMatchObject({
      eventType: 'FAIL',
      run: { facets: { errorMessage: { message: 'The disk is full.', programmingLanguage: 'TypeScript' } } },
      outputs: [],
    });
    expect(lineageOf(await failOnce(new Error('x'), 'stopped')).at(-1)?.eventType).toBe('ABORT');
    await openRecorder(options());
    const dead = await last();
    await runOnce();
    expect(lineageOf(dead).map(({ eventType }) => eventType)).toEqual(['START', 'FAIL']);
  });
});

describe('the Prometheus textfile', () => {
  const parse = (text: string): ReadonlyMap<string, number> => {
    const values = new Map<string, number>();
    for (const line of text.trimEnd().split('\n')) {
      const [, name, labels, value] = /^([a-z_]+)\{((?:[a-z]+="[^"\\\n]*",?)+)\} (\S+)$/.exec(line) ?? [];
      if (name === undefined) expect(line).toMatch(/^# (HELP|TYPE) fintext_[a-z_]+ \S/);
      else values.set(`${name} ${labels}`, Number(value));
    }
    return values;
  };

  it('has every gauge of both datasets, each introduced once', async () => {
    const record = await runOnce();
    const text = textfile([record, { ...record, dataset: 'earnings' }]);
    const values = parse(text);
    for (const { name } of GAUGES) {
      expect(text.split(`# TYPE ${name} gauge\n`)).toHaveLength(2);
      for (const dataset of ['wcb', 'earnings']) {
        expect(
          [...values.keys()].some((key) => key.startsWith(`${name} dataset="${dataset}"`)),
          name,
        ).toBe(true);
      }
    }
    expect(values.get('fintext_documents dataset="wcb"')).toBe(4);
    expect(values.get('fintext_checks_failed dataset="wcb",severity="allowed"')).toBe(1);
    expect(values.get('fintext_documents_gone dataset="wcb"')).toBe(3);
    expect(values.get('fintext_documents_unanswered dataset="wcb"')).toBe(1);
    expect(values.get('fintext_sources_lost dataset="wcb"')).toBe(1);
    expect(values.get('fintext_last_success_timestamp_seconds dataset="wcb"')).toBe(
      new Date(record.last_success?.at ?? '').getTime() / 1000,
    );
  });

  it('is written whole after each run, and keeps the last success and the totals when a run fails', async () => {
    const prometheus = join(outputs.folder, 'textfile', 'fintext.prom');
    const settings = { webhook: '', prometheus };
    mkdirSync(join(outputs.folder, 'textfile'), { recursive: true });
    await runOnce({ settings });
    const good = parse(readFileSync(prometheus, 'utf8'));
    await (await openRecorder(options({ settings }))).fail(new Error('x'), 'failed');
    const bad = parse(readFileSync(prometheus, 'utf8'));
    expect(bad.get('fintext_last_run_success dataset="wcb"')).toBe(0);
    const success = 'fintext_last_success_timestamp_seconds dataset="wcb"';
    expect(bad.get(success)).toBe(good.get(success));
    expect(readdirSync(join(outputs.folder, 'textfile'))).toEqual(['fintext.prom']);
  });
});

describe('who could not be told', () => {
  it('is a folder that is not there: none is made, and the fault names it and says what to do', async () => {
    const folder = join(root, 'no', 'such', 'folder');
    const record = await runOnce({ settings: { webhook: '', prometheus: join(folder, 'fintext.prom') } });
    expect(existsSync(join(root, 'no'))).toBe(false);
    const fault = `There is no folder ${folder} for fintext.prom: make it, or correct --prometheus.`;
    expect(record).toMatchObject({ outcome: 'succeeded', signals: [{ signal: 'prometheus', fault }] });
    expect(notes).toEqual([`Could not write the Prometheus textfile: ${fault}`]);
  });

  it('is kept in the record of the run, also of one that could not begin, and shown in the morning', async () => {
    const settings = { webhook: 'http://me:secret@localhost:1/hook', prometheus: '' };
    const signals = [{ signal: 'webhook', fault: 'localhost:1 cannot be reached.' }];
    expect((await runOnce({ settings })).signals).toEqual(signals);
    await recordUnbegun(options({ settings }), new Error('there is no such folder'));
    expect((await last()).signals).toEqual(signals);
    const morning = await morningNow();
    const text = morningText(morning, new Date(clock));
    expect(text).toMatch(/webhook +warning: localhost:1 cannot be reached\./);
    expect(JSON.stringify([morning, notes])).not.toContain('secret');
  });

  it('is nobody in the records of before', async () => {
    const { signals: _, ...before } = await runOnce();
    expect(runRecordSchema.parse(before).signals).toEqual([]);
  });
});

describe('the webhook', () => {
  let server: Server;
  let address: string;
  let answer: number | 'never' | 'elsewhere';
  let got: {
    readonly method: string | undefined;
    readonly type: string | undefined;
    readonly authorization: string | undefined;
    readonly body: string;
  }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => {
        body += piece.toString();
      });
      request.on('end', () => {
        const { 'content-type': type, authorization } = request.headers;
        got.push({ method: request.method, type, authorization, body });
        if (answer === 'never') return;
        if (answer === 'elsewhere') response.writeHead(302, { location: '/elsewhere' }).end();
        else response.writeHead(answer).end('thanks');
      });
    });
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
    const at = server.address();
    address = `http://localhost:${typeof at === 'object' && at !== null ? at.port : 0}/hook/secret`;
  });
  beforeEach(() => {
    got = [];
    answer = 204;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('gets the record of a run that succeeded and of one that failed', async () => {
    const settings = { webhook: address, prometheus: '' };
    const record = await runOnce({ settings });
    await (await openRecorder(options({ settings }))).fail(new Error('The disk is full.'), 'failed');
    expect(got.map(({ method, type }) => [method, type])).toEqual(Array(2).fill(['POST', 'application/json']));
    expect(JSON.parse(got[0]?.body ?? '')).toEqual(record);
    expect(JSON.parse(got[1]?.body ?? '')).toMatchObject({ outcome: 'failed', error: 'The disk is full.' });
  });

  it('is told of the very first run too, where that could not begin', async () => {
    await recordUnbegun(options({ settings: { webhook: address, prometheus: '' } }), new Error('no such folder'));
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ outcome: 'failed', error: 'no such folder' });
  });

  it('is asked with the user and the password of its address', async () => {
    await runOnce({ settings: { webhook: address.replace('//', '//me:se%20cret@'), prometheus: '' } });
    expect(got.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from('me:se cret').toString('base64')}`,
    ]);
    expect(notes).toEqual([]);
  });

  it('is told of a run that could not begin because another is under way', async () => {
    await runOnce();
    const release = await takeLock(outputs.lock('wcb'), new Date());
    await recordUnbegun(options({ settings: { webhook: address, prometheus: '' } }), new Error('Another run holds it'));
    await release();
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ outcome: 'failed', error: 'Another run holds it' });
  });

  it.each([500, 404, 'elsewhere'] as const)(
    'that answers %s is a note, names no secret, and the run has succeeded',
    async (how) => {
      answer = how;
      const record = await runOnce({ settings: { webhook: address, prometheus: '' } });
      expect(record.outcome).toBe('succeeded');
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/^Could not tell the webhook: localhost:\d+ answered (500|404|302)\.$/);
      expect(got).toHaveLength(1);
    },
  );

  it('that does not answer is given up after a time', async () => {
    answer = 'never';
    const record = await runOnce();
    await expect(postRecord(address, record, 100)).rejects.toThrow('did not answer in 0.1 s.');
  });

  it('that is not there is a note', async () => {
    await runOnce({ settings: { webhook: 'http://localhost:1/', prometheus: '' } });
    expect(notes).toEqual(['Could not tell the webhook: localhost:1 cannot be reached.']);
  });
});
