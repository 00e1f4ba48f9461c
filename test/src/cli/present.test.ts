import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../pipeline/events.js';
import { openPresenter } from '../../../src/cli/present.js';

/** @param screen what a terminal has beside a stream */
const said = (events: readonly RunEvent[], screen: object = {}, term = 'xterm'): string => {
  let text = '';
  const stderr = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      text += piece.toString();
      done();
    },
  });
  const presenter = openPresenter('text', Object.assign(stderr, screen) as NodeJS.WriteStream, term);
  for (const event of events) presenter.tell(event);
  presenter.stop();
  return text;
};

describe('what a run says on a terminal', () => {
  it('of what it found is how much of it is to be read, and how much cannot be', () => {
    const listed = {
      type: 'listed',
      dataset: 'wcb',
      documents: 1785,
      kept: { gone: 0, unread: 0, unanswered: 0, too_many: false, lost: [] },
    } as const;
    expect(said([{ ...listed, rejects: 0 }])).toBe('wcb: 1,785 documents to read\n');
    expect(said([{ ...listed, rejects: 2 }])).toBe(
      'wcb: 1,787 found: 1,785 documents to read, 2 files or rows that cannot be one\n',
    );
  });

  it('of a check that found something is how much it found, with the first row as an example', () => {
    const check = { name: 'dates_not_ahead', severity: 'warn', about: 'no document is dated ahead' } as const;
    const first = { document_id: 'bank_of_japan_2026', dated: '2062-03-01' };
    const checks = [{ ...check, passed: false, offending: 3, first }];
    expect(said([{ type: 'checked', dataset: 'wcb', checks }])).toBe(
      '  Check dates_not_ahead: not so for 3 rows, first document_id bank_of_japan_2026, dated 2062-03-01: no document is dated ahead.\n',
    );
  });

  it('of a check that can only say why is that, without the word', () => {
    const first = { why: 'that one is of other input folders' };
    const check = {
      name: 'compared',
      severity: 'warn',
      about: 'it is compared',
      passed: false,
      offending: 1,
      first,
    } as const;
    expect(said([{ type: 'checked', dataset: 'wcb', checks: [check] }])).toBe(
      '  Check compared: not so for 1 row, first that one is of other input folders: it is compared.\n',
    );
  });

  const nothing = (): boolean => true;
  const screen = { isTTY: true, columns: 120, cursorTo: nothing, clearLine: nothing, moveCursor: nothing };
  const progress = { type: 'progress', dataset: 'wcb', stage: 'ingest', what: 'partitions', total: 12 } as const;

  it('is lines alone where the terminal cannot move its cursor', () => {
    const events: readonly RunEvent[] = [
      { type: 'note', dataset: null, message: 'Two files.' },
      { ...progress, done: 1 },
    ];
    expect(said(events, screen)).toContain('\u001b');
    expect(said(events, screen, 'dumb')).toBe('  Two files.\n');
  });

  it('of work that has just begun is no time that is left, for none is known', () => {
    const text = said([{ ...progress, done: 1 }], screen);
    const drawn = text.split('partitions').slice(1);
    expect(drawn.length).toBeGreaterThan(0);
    for (const after of drawn) expect(after).not.toMatch(/^\w|left|INF|NULL/);
  });
});
