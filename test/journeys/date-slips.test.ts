/** A typing mistake in a date is said, blocks nothing, and does not hide that a source has had nothing new for years. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLastRun } from '../../pipeline/run/records/record.js';
import { openNights, textOf } from '../support/nightly.js';

const MANIFEST = [
  'path,bank_name,start_date,release_date,document_type',
  '1.txt,bank_of_mexico,2023-01-18,2023-01-19,statement',
  '2.txt,bank_of_mexico,2023-02-18,2062-02-19,statement',
  '3.txt,bank_of_mexico,2023-03-18,2023-03-01,statement',
  '',
].join('\n');

const places = [openNights(), openNights()] as const;

const rebuildAt = async (nights: (typeof places)[number], day: string) => {
  nights.write('in/manifest.csv', MANIFEST);
  for (const n of [1, 2, 3]) nights.write(join('in', `${n}.txt`), textOf(n));
  const settings = { ...nights.settings, maxAgeDays: 500 };
  const { snapshot, events } = await nights.rebuild(['in'], { settings, now: () => new Date(`${day}T02:00:00Z`) });
  const found = events.flatMap((event) => (event.type === 'checked' ? event.checks : []));
  const record = await readLastRun(nights.outputs, 'wcb');
  return { snapshot, record, failed: found.filter(({ passed }) => !passed) };
};

it('a date of 2062, and a release before its meeting, are warnings that name a document; the record is of the others', async () => {
  const { failed, record } = await rebuildAt(places[0], '2026-01-02');
  expect(failed).toMatchObject([
    {
      name: 'dates_not_ahead',
      severity: 'warn',
      offending: 1,
      first: { document_id: 'bank_of_mexico_2023-02-18_statement', dated: '2062-02-19' },
    },
    { name: 'released_after_start', first: { start_date: '2023-03-18', release_date: '2023-03-01' } },
    { name: 'newest_document_recent', first: { newest: '2023-03-01' } },
  ]);
  expect(record).toMatchObject({
    outcome: 'succeeded',
    newest: { date: '2023-03-01', too_old: [{ subject: 'bank_of_mexico', newest: '2023-03-01', days: 1038 }] },
  });
  expect(record?.checks.some((check) => 'first' in check)).toBe(false);
});

it('the day of the run changes what is warned of, and not the snapshot', async () => {
  const [before, after] = [await rebuildAt(places[0], '2026-01-02'), await rebuildAt(places[1], '2062-03-01')];
  expect(after.failed.map(({ name }) => name)).toEqual(['released_after_start']);
  expect(after.record?.newest?.date).toBe('2062-02-19');
  expect(after.snapshot).toBe(before.snapshot);
});
