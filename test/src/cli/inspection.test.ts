import { expect, it } from 'vitest';
import type { Inspection } from '../../../pipeline/run/inspect.js';
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
});

it.each([
  [0, 'documents    3\n'],
  [1, 'documents    3, and 1 file or row that cannot be one\n'],
  [2, 'documents    3, and 2 files or rows that cannot be one\n'],
])('a dry run of a list with %i rejects counts them in words that fit', (rejects, line) => {
  expect(inspectionText([inspection(rejects)], {})).toContain(line);
});
