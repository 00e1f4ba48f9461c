import { expect, it } from 'vitest';
import { measurePaces } from '../../../pipeline/run/pace.js';
import type { RunRecord } from '../../../pipeline/run/records/record.js';

const stage = (name: string, seconds: number, made: Readonly<Record<string, number>>, facts = {}) => ({
  stage: name,
  units: 1,
  stale: 1,
  seconds,
  amounts: made,
  made,
  facts,
  throughput: null,
});

const run = (
  day: string,
  { documents, reading, predictions, answering }: Readonly<Record<string, number>>,
  { job = 'rebuild', device = 'auto' }: { readonly job?: RunRecord['job']; readonly device?: string } = {},
): RunRecord => ({
  format: 1,
  id: '01941f29-7c00-7000-8000-000000000000',
  dataset: 'wcb',
  job,
  outcome: 'succeeded',
  began_at: `2026-11-${day}T03:00:00.000Z`,
  ended_at: null,
  seconds: null,
  error: null,
  resumes: null,
  inputs: [],
  listed: null,
  stages: [
    stage('ingest', (reading ?? 0) / 2, { documents: documents ?? 0 }),
    stage('segment', (reading ?? 0) / 2, { documents: documents ?? 0 }),
    stage('classify', answering ?? 0, { predictions_made: predictions ?? 0 }, { device_asked: device }),
  ],
  totals: null,
  rejects: [],
  checks: [],
  signals: [],
  snapshot: null,
  snapshot_before: null,
  newest: null,
  last_success: null,
});

const FIRST = run('01', { documents: 1000, reading: 40, predictions: 90_000, answering: 30 });
const FIRST_BEGAN = FIRST.began_at;

it('the pace is that of the run that did most, reading and cutting together', () => {
  const night = run('02', { documents: 100, reading: 20, predictions: 9000, answering: 10 });
  expect(measurePaces([night, FIRST, night], 'auto')).toEqual({
    reading: { per_second: 25, began_at: FIRST_BEGAN },
    answering: { per_second: 3000, began_at: FIRST_BEGAN },
  });
});

it('a short run tells no pace, and neither does one that made nothing', () => {
  const short = run('01', { documents: 20, reading: 2, predictions: 6000, answering: 1 });
  const idle = run('02', { documents: 0, reading: 60, predictions: 0, answering: 60 });
  expect(measurePaces([short, idle], 'auto')).toEqual({ reading: null, answering: null });
});

it('how fast models answer is told neither by a run on another device nor by one that asked some of them again', () => {
  const redone = run('02', { documents: 0, reading: 0, predictions: 99_000, answering: 300 }, { job: 'reprocess' });
  expect(measurePaces([FIRST, redone], 'auto').answering?.began_at).toBe(FIRST_BEGAN);
  expect(measurePaces([FIRST], 'cuda')).toMatchObject({ reading: { per_second: 25 }, answering: null });
});
