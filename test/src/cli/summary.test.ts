import { describe, expect, it } from 'vitest';
import { describe as describeRun, moreText, type RunSummary } from '../../../src/cli/summary.js';

const summary: RunSummary = {
  dataset: 'wcb',
  snapshot: '1'.repeat(16),
  rolled_back: null,
  folder: 'outputs',
  documents: 1783,
  kept: { gone: 0, unread: 0, unanswered: 0, too_many: false, lost: [] },
  sentences: 1000,
  marked: 100,
  unique_sentences: 800,
  predictions_made: 300,
  predictions_reused: 6000,
  rejects: 7,
  rejects_by_stage: { ingest: 2, publish: 5 },
  provider: 'cpu',
  seconds: 3,
  stages: [{ stage: 'ingest', units: 2, done: 0, seconds: 1 }],
};

describe('what a run says at its end', () => {
  it('says of each number what it counts, and the numbers add up', () => {
    expect(describeRun(summary)).toBe(
      [
        'wcb: snapshot 1111111111111111',
        '  documents    1,790 found: 1,783 published, 7 left out (2 that could not be used, 5 with the text of another document)',
        '  sentences    1,000 in the published documents, of them 800 different texts; 100 are marked and asked of no model',
        '  predictions  6,300 for 900 sentences and 7 models: 300 made in this run on cpu, 6,000 known from earlier runs or from the same text elsewhere',
        '  time         3.0 s: ingest 1.0 s (fresh)',
        '',
      ].join('\n'),
    );
  });

  it('says whose figures these are where somebody rolled back', () => {
    const rolled_back = { at: '2026-01-02T03:04:05.000Z', reason: 'a bad feed' };
    expect(describeRun({ ...summary, rolled_back })).toContain(
      'wcb: snapshot 1111111111111111\n  rolled back  to this one on 2026-01-02 (a bad feed), and it goes on serving',
    );
  });

  it('says how many of them were not found, and of which the figures are', () => {
    const kept = { gone: 182, unread: 0, unanswered: 0, too_many: true, lost: [] };
    const said = describeRun({ ...summary, kept });
    expect(said).toContain(
      '  documents    1,790: 1,608 found, 182 gone from their folders and kept; 1,783 published, 7 left out (',
    );
    expect(said).toContain(
      '  warning      182 documents were not found: what was last read stays. Is a folder lost?\n',
    );
    const rolled_back = { at: '2026-01-02T03:04:05.000Z', reason: null };
    expect(describeRun({ ...summary, kept, rolled_back })).toContain('  documents    1,790 found: 1,783 published');
  });

  it('says what the table leaves out, of documents and of metrics', () => {
    expect(moreText(0, 7, 7)).toBe('');
    expect(moreText(0, 55, 7)).toBe('… and 48 more metrics.\n');
    expect(moreText(0, 7, 6)).toBe('… and 1 more metric.\n');
    expect(moreText(1, 55, 7)).toBe('… and 1 more document, 48 more metrics.\n');
    expect(moreText(1771, 7, 7)).toBe('… and 1,771 more documents.\n');
  });

  it('gives no kinds where nothing was left out', () => {
    expect(describeRun({ ...summary, rejects: 0, rejects_by_stage: {} })).toContain(
      '  documents    1,783 found: 1,783 published, 0 left out\n',
    );
  });
});
