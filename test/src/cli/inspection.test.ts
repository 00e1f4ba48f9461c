import { expect, it } from 'vitest';
import type { Inspection, UnitState } from '../../../pipeline/run/inspect.js';
import { inspectionText } from '../../../src/cli/inspection.js';

const inspection = (rejects: number): Inspection => ({
  dataset: 'wcb',
  documents: 3,
  bytes: 0,
  rejects,
  units: [],
  urls: { all: 0, changed: 0, unchanged: 0, kept: 0, nothing: 0, unasked: 0 },
  recalled: 0,
  asked: null,
  sentences: { known: 0, estimated: 0 },
  predictions: { known: 0, estimated: 0 },
  work: { documents: 0, bytes: 0, texts: 0 },
  paces: { reading: null, answering: null },
});

const STALE: UnitState = { dataset: 'wcb', stage: 'ingest', partition: 'a/2020', state: 'stale', why: 'not made yet' };
const timeOf = (changes: Partial<Inspection>): string =>
  /^ {2}time +(.*)$/m.exec(inspectionText([{ ...inspection(0), ...changes }], {}))?.[1] ?? '';

it.each([
  [0, 'documents    3 to read\n'],
  [1, 'documents    3 to read, and 1 file or row that cannot be one\n'],
  [2, 'documents    3 to read, and 2 files or rows that cannot be one\n'],
])('a dry run of a list with %i rejects counts them in words that fit', (rejects, line) => {
  expect(inspectionText([inspection(rejects)], {})).toContain(line);
});

const WORK = { documents: 100, bytes: 25_000_000, texts: 60_000 };
const reading = { per_second: 5, began_at: '2026-11-02T03:00:00.000Z' };
// Each text is asked of the seven models of wcb.
const answering = { per_second: 7 * 1000, began_at: '2026-11-02T03:00:00.000Z' };

it.each([
  [
    { reading: null, answering: null },
    'about 23 s, by the rates of two cores without a GPU: no earlier run here was long enough to tell its own',
  ],
  [{ reading, answering }, 'about 83 s, as fast as in the run of 2026-11-02 here'],
  [
    { reading: null, answering },
    'about 73 s, read by the rates of two cores without a GPU, classified as fast as in the run of 2026-11-02 here',
  ],
])('a dry run says how long it would take and by what that is known: %j', (paces, text) => {
  expect(timeOf({ units: [STALE], work: WORK, paces })).toBe(text);
});

it('a dry run with nothing to do takes a few seconds, and one that is asked to redo what is fresh takes its time', () => {
  expect(timeOf({ work: { documents: 0, bytes: 0, texts: 0 } })).toBe('a few seconds');
  expect(timeOf({ work: WORK, asked: { documents: 100, partitions: 3 } })).toMatch(/^about 23 s, /);
});

it('a dry run tells of what stays as it was last read, whatever keeps it from being found', () => {
  expect(inspectionText([{ ...inspection(0), recalled: 2 }], {})).toContain(
    '  kept         2 of them as they were last read, for they were not found or cannot be read\n',
  );
  expect(inspectionText([inspection(0)], {})).not.toContain('kept');
});
