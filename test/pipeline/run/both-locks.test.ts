/** A run of several datasets has the locks of all of them from its beginning, and gives each back. */
import { describe, expect, it } from 'vitest';
import { findHolder, takeLock } from '../../../pipeline/run/lock.js';
import { manifestOf, openNights, textOf } from '../../support/nightly.js';

const DATASETS = ['wcb', 'earnings'] as const;

describe('a run of two datasets', () => {
  const nights = openNights();
  nights.write('banks/1.txt', textOf(1));
  nights.write('banks/manifest.csv', manifestOf(['1.txt']));
  nights.write('calls/1.txt', 'Revenue rose by 9 percent. We expect growth to slow next year.\n');
  nights.write('calls/manifest.csv', 'path,ticker,company,year,quarter\n1.txt,ACME,Acme Corp,2023,1\n');
  const isHeld = async (dataset: (typeof DATASETS)[number]): Promise<boolean> =>
    (await findHolder(nights.outputs.lock(dataset), new Date())) !== undefined;

  it('holds the second lock while it makes the first, so that nobody who comes later takes one of them', async () => {
    const seen: Promise<boolean>[] = [];
    await nights.rebuild(['banks', 'calls'], {
      datasets: DATASETS,
      log: (event) => {
        if (event.type === 'stage-started' && event.dataset === 'wcb') seen.push(isHeld('earnings'));
      },
    });
    expect(await Promise.all(seen)).toEqual(Array(5).fill(true));
    expect(await Promise.all(DATASETS.map(isHeld))).toEqual([false, false]);
  });

  it('makes what nobody else holds, and gives back what it has not begun when it is stopped', async () => {
    const release = await takeLock(nights.outputs.lock('wcb'), new Date());
    const made: string[] = [];
    const run = nights.rebuild(['banks', 'calls'], {
      datasets: DATASETS,
      log: (event) => {
        if (event.type === 'stage-started') made.push(event.dataset);
      },
    });
    await expect(run).rejects.toThrow('Another run');
    expect(new Set(made)).toEqual(new Set(['earnings']));
    await release();

    const stop = new AbortController();
    const stopped = nights.rebuild(['banks', 'calls'], {
      datasets: DATASETS,
      signal: stop.signal,
      log: (event) => {
        if (event.type === 'stage-started') stop.abort(new Error('stopped'));
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await Promise.all(DATASETS.map(isHeld))).toEqual([false, false]);
  });
});
