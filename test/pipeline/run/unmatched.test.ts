import { describe, expect, it } from 'vitest';
import type { DatasetPlan, Selection } from '../../../pipeline/run/plan.js';
import { unmatched } from '../../../pipeline/run/unmatched.js';
import type { PlannedDocument } from '../../../pipeline/stage.js';

const documentOf = (
  dataset: 'wcb' | 'earnings',
  id: string,
  dimensions: PlannedDocument['dimensions'],
): PlannedDocument => ({
  dataset,
  documentId: id,
  partition: 'all',
  dimensions,
  title: null,
  sourceUrl: null,
  file: `/corpora/${id}`,
  path: id,
  fileSha256: null,
  bytes: 1,
});
const planOf = (
  dataset: DatasetPlan['dataset'],
  documents: readonly PlannedDocument[],
): Parameters<typeof unmatched>[0] => ({
  dataset,
  inputs: ['/corpora'],
  documents: new Map([['all', documents]]),
});

const BANKS = planOf('wcb', [
  documentOf('wcb', 'bank_of_japan_2005-09-07', { bank_name: 'bank_of_japan', year: 2005, date: '2005-09-08' }),
  documentOf('wcb', 'bank_of_england_2006-08-03', { bank_name: 'bank_of_england', year: 2006, date: '2006-08-17' }),
]);
const CALLS = planOf('earnings', [
  documentOf('earnings', 'AAPL_2019_Q1', { ticker: 'AAPL', year: 2019, quarter: 1, date: null }),
  documentOf('earnings', 'MSFT_2020_Q2', { ticker: 'MSFT', year: 2020, quarter: 2, date: null }),
]);

describe('what nobody has, and was asked for', () => {
  it.each<[string, Parameters<typeof unmatched>[0], Selection, string]>([
    [
      'a document is told with those near it',
      BANKS,
      { documentId: 'bank_of_japan_2005-09-70' },
      'No document of wcb in /corpora is of --document bank_of_japan_2005-09-70. Near it: bank_of_japan_2005-09-07, bank_of_england_2006-08-03.',
    ],
    [
      'a document that is there is told to be left out by what else was said',
      BANKS,
      { documentId: 'bank_of_japan_2005-09-07', year: 2006 },
      'is of --year 2006 --document bank_of_japan_2005-09-07. There is a document bank_of_japan_2005-09-07, which the other options leave out.',
    ],
    [
      'a bank is told with those that there are',
      BANKS,
      { bank: 'bank_of_mexico' },
      'is of --bank bank_of_mexico. Of bank_of_mexico there is none; there are bank_of_england, bank_of_japan.',
    ],
    [
      'nothing is near where there is no document at all',
      planOf('wcb', []),
      { bank: 'bank_of_mexico', documentId: 'bank_of_mexico_2006-08-03' },
      'is of --bank bank_of_mexico --document bank_of_mexico_2006-08-03. There is no document of it yet: rebuild reads them, or says why it cannot.',
    ],
    ['a ticker is too', CALLS, { ticker: 'APPL' }, 'Of APPL there is none; there are AAPL, MSFT.'],
    [
      'a year is told with those of the bank',
      BANKS,
      { bank: 'bank_of_japan', year: 2006 },
      'is of --bank bank_of_japan --year 2006. The years of bank_of_japan are 2005.',
    ],
    [
      'days are told with those that there are',
      BANKS,
      { from: '2007-01-01' },
      'The dates go from 2005-09-08 to 2006-08-17.',
    ],
    [
      'days of calls, which have none, are told to find none',
      CALLS,
      { from: '2019-01-01', to: '2019-12-31' },
      'is of --from 2019-01-01 --to 2019-12-31. The source gives no date of 2 of 2 documents, and one without a date, unless its file states one, is in no span of days: --year finds it.',
    ],
  ])('%s', (_name, plan, selection, said) => {
    expect(unmatched(plan, selection).message).toContain(said);
  });

  it('is told in whole sentences where there is nothing to say of days', () => {
    expect(unmatched(BANKS, { bank: 'bank_of_mexico', from: '2007-01-01' }).message).toMatch(/bank_of_japan\.$/);
  });
});
