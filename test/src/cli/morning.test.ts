import { describe, expect, it } from 'vitest';
import { runRecordSchema } from '../../../pipeline/run/records/record.js';
import type { Morning } from '../../../src/cli/morning.js';
import { findTrouble, morningText } from '../../../src/cli/morning-text.js';

const NOW = new Date('2026-01-02T07:00:00Z');
const TOTALS = { documents: 9, sentences: 90, unique_sentences: 80, rejects: 0, predictions: 630 };

const lastRun = (more: Readonly<Record<string, unknown>>): Morning['last_run'] =>
  runRecordSchema.parse({
    format: 1,
    id: '019b8000-0000-7000-8000-000000000000',
    dataset: 'wcb',
    job: 'rebuild',
    outcome: 'succeeded',
    began_at: '2026-01-02T02:00:00Z',
    ended_at: '2026-01-02T02:01:00Z',
    seconds: 60,
    error: null,
    resumes: null,
    inputs: ['/data'],
    listed: { documents: 9, rejects: 0 },
    stages: [],
    totals: { ...TOTALS, predictions_made: 0, predictions_reused: 630 },
    rejects: [],
    checks: [{ name: 'newest_document_recent', severity: 'warn', passed: true, offending: 0 }],
    snapshot: '1'.repeat(16),
    snapshot_before: '1'.repeat(16),
    newest: { date: '2026-01-01', too_old: [] },
    last_success: null,
    ...more,
  });
const morning = (more: Partial<Morning> = {}): Morning => ({
  dataset: 'wcb',
  last_run: lastRun({}),
  running: null,
  job: null,
  snapshot: {
    id: '1'.repeat(16),
    published_at: '2026-01-01T02:01:00Z',
    served: null,
    documents: 9,
    rejects: 0,
  },
  fault: null,
  work: null,
  ...more,
});
const textOf = (more: Partial<Morning> = {}): string => morningText(morning(more), NOW);

describe('the morning', () => {
  it('says that everything was fresh of a run that succeeded, and of no other', () => {
    expect(textOf()).toContain('everything was fresh');
    for (const outcome of ['failed', 'stopped', 'died']) {
      const text = textOf({ last_run: lastRun({ outcome, error: 'No folder.' }) });
      expect(text).not.toContain('fresh');
      expect(text).toContain('nothing was made');
    }
  });

  it('says that what is too old is a warning, also where the checks passed on the day of publishing', () => {
    const tooOld = { date: '2026-01-01', too_old: [{ subject: 'bank_of_japan', newest: '2025-01-01', days: 366 }] };
    const fresh = textOf({ last_run: lastRun({ newest: tooOld }) });
    expect(fresh).toContain('warning: 1 too old, the oldest bank_of_japan: 2025-01-01 (366 days)');
    expect(fresh).toMatch(/checks +all 1 passed when it was published: nothing was too old then$/m);
    const failed = [{ name: 'newest_document_recent', severity: 'warn', passed: false, offending: 1 }];
    const published = textOf({ last_run: lastRun({ newest: tooOld, checks: failed }) });
    expect(published).toMatch(/checks +warning: newest_document_recent for 1$/m);
    expect(textOf()).toMatch(/checks +all 1 passed$/m);
  });

  it('gives the newest document no day where it has none, but the quarter or year that it goes by', () => {
    const of = (date: string, period: string): string =>
      textOf({ last_run: lastRun({ newest: { date, period, too_old: [] } }) });
    expect(of('2025-12-31', '2025 Q4')).toMatch(
      /newest +2025 Q4 by fiscal quarter, its day is not known; the calendar’s 2025 Q4 ended on 2025-12-31, 2 days ago$/m,
    );
    expect(of('2026-12-31', '2026')).toMatch(/newest +2026 by year, .*; the calendar’s 2026 ends on 2026-12-31$/m);
    expect(textOf()).toMatch(/newest +2026-01-01, 31 h ago$/m);
  });

  it('says of which snapshot the newest document is, where another one is served since it was looked up', () => {
    const last_success = {
      id: '019b8000-0000-7000-8000-000000000000',
      at: '2026-01-01T02:01:00Z',
      snapshot: '1'.repeat(16),
    };
    const failed = lastRun({ outcome: 'failed', error: 'No.', snapshot: null, last_success });
    const served = (id: string) => {
      const snapshot = { id: id.repeat(16), published_at: '2026-01-01T02:01:00Z', documents: 8, rejects: 0 };
      return { ...snapshot, served: { snapshot: snapshot.id, at: '2026-01-02T06:00:00Z', by: 'rollback' as const } };
    };
    for (const last_run of [lastRun({ last_success }), failed]) {
      expect(textOf({ last_run, snapshot: served('2') })).toMatch(
        /newest +2026-01-01, 31 h ago \(of 1{16}, which was served before\)$/m,
      );
      // Rolled back, and then to the newest again.
      expect(textOf({ last_run, snapshot: served('1') })).toMatch(/newest +2026-01-01, 31 h ago$/m);
    }
  });

  it('shows what is served and what is wrong with it, and says which of the two a person must look at', () => {
    expect(findTrouble(morning())).toBeUndefined();
    const damaged = morning({ fault: 'wcb.duckdb is missing. Publish again.' });
    expect(findTrouble(damaged)).toBe('wcb: what is served is damaged');
    expect(morningText(damaged, NOW)).toMatch(
      /snapshot +1{16}, published .*\n.* left out\n +DAMAGED: wcb\.duckdb is missing\. Publish again\.$/m,
    );
    const lost = textOf({ snapshot: null, fault: 'CURRENT is missing.' });
    expect(lost).toMatch(/snapshot +DAMAGED: CURRENT is missing\.$/m);
    expect(lost).not.toContain('nothing published yet');
    expect(textOf()).toMatch(/snapshot +1{16}, published .*\n +9 in all: 9 documents published, 0 left out$/m);
    const both = morning({ fault: 'x', last_run: lastRun({ outcome: 'died' }) });
    expect(findTrouble(both)).toBe('wcb: the last run did not end as it should, and what is served is damaged');
  });

  it('says once what keeps the last run from its end and the next one from its beginning', () => {
    const fault = 'Nothing of wcb is in /corpora any more.';
    const last_run = lastRun({ outcome: 'failed', error: fault });
    expect(textOf({ last_run, work: { fault } })).toMatch(/to do +cannot be told, for the same reason$/m);
    expect(textOf({ last_run, work: { fault: 'No disk.' } })).toMatch(/to do +cannot be told: No disk\.$/m);
  });

  it('says how many documents were not found and are kept, and warns where that is much', () => {
    const kept = {
      gone: 182,
      unread: 0,
      unanswered: 3,
      too_many: true,
      lost: [{ subject: 'bank_of_japan', documents: 60 }],
    };
    const listed = { documents: 341, rejects: 2, kept };
    const text = textOf({ last_run: lastRun({ listed }) });
    expect(text).toContain(
      ' 343: 158 found, 182 gone from their folders and kept, 3 kept as they were last, for their addresses gave nothing\n',
    );
    expect(text).toContain(
      ' warning: 185 documents were not found, and nothing was found of bank_of_japan (60): what was last read stays. Is a folder lost?\n',
    );
    const few = { ...kept, too_many: false, lost: [] };
    const calm = textOf({ last_run: lastRun({ listed: { ...listed, kept: few } }) });
    expect(calm).toContain('182 gone');
    expect(calm).not.toContain('warning');
    // Records of before this was kept name none.
    expect(textOf()).not.toMatch(/kept|gone/);
  });

  it('says of a run on another machine when it was last heard of', () => {
    const running = { pid: 12, host: 'elsewhere', began: '1', since: '2026-01-02T06:00:00Z', silent_s: 240 };
    expect(textOf({ running })).toMatch(/running +process 12 on elsewhere since .*, last heard of 4 min ago$/m);
    expect(textOf({ running: { ...running, silent_s: null } })).not.toContain('heard');
  });

  it('says that nobody goes on with what was handed to an engine, which a person must look at', () => {
    const jobIn = (state: NonNullable<Morning['job']>['state']): Morning =>
      morning({ job: { id: '20260102030000-abcdef', created_at: '2026-01-02T03:00:00Z', state } });
    expect(findTrouble(jobIn('stalled'))).toBe('wcb: nobody goes on with its job');
    expect(morningText(jobIn('stalled'), NOW)).toMatch(
      /job +20260102030000-abcdef, made 4 h ago, is STALLED.*resume$/m,
    );
    for (const state of ['under way', 'waiting'] as const) expect(findTrouble(jobIn(state))).toBeUndefined();
  });
});
