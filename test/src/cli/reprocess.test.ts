import { describe, expect, it } from 'vitest';
import { reprocess } from '../../../src/cli/commands/reprocess.js';
import type { Context } from '../../../src/cli/context.js';
import { UsageError } from '../../../src/errors.js';

const context: Context = {
  print: async () => undefined,
  present: () => () => undefined,
  signal: new AbortController().signal,
  now: () => new Date(0),
  columns: undefined,
};

const reprocessing = async (flags: Readonly<Record<string, unknown>>): Promise<unknown> =>
  reprocess(context).handler({ _: [], $0: 'fintext', dataset: 'wcb', input: ['no such folder'], ...flags });

describe('what reprocess is asked for', () => {
  it.each([
    [{ from: '2024-02-30' }, '--from is a day that exists, written YYYY-MM-DD; not "2024-02-30".'],
    [{ to: '31.12.2024' }, '--to is a day that exists, written YYYY-MM-DD; not "31.12.2024".'],
    [{ from: '2024-01-01T00:00:00Z' }, '--from is a day that exists'],
    [{ from: '2024' }, '--from is a day that exists'],
    [{ to: '' }, '--to is a day that exists'],
    [{ from: '2024-03-02', to: '2024-03-01' }, '--from 2024-03-02 is after --to 2024-03-01'],
    [{ from: ['2024-01-01', '2024-01-02'] }, '--from is given 2 times; give it once.'],
    [{ year: '24' }, '--year is four digits; not "24".'],
    [{}, 'Say what to redo: --bank, --ticker, --year, --from, --to, --document or --model'],
  ])('%j is wrong use, and it is said what is allowed', async (flags, said) => {
    await expect(reprocessing(flags)).rejects.toThrow(UsageError);
    await expect(reprocessing(flags)).rejects.toThrow(said);
  });

  it.each([
    { from: '2024-02-29' },
    { to: '2024-03-01' },
    { from: '2024-03-01', to: '2024-03-01' },
    { from: '2024-01-01', bank: 'bank_of_japan' },
  ])('%j is understood', async (flags) => {
    await expect(reprocessing(flags)).rejects.toThrow('no such folder');
  });
});
