/** A partition that could not be read well, through no fault of its files: who tries again, and who leaves it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { openNights, textOf } from '../../support/nightly.js';

const manifest = [
  'path,bank_name,start_date,document_type',
  '1.txt,bank_of_mexico,2023-01-18,statement',
  '2.txt,bank_of_mexico,2024-01-18,statement',
].join('\n');

describe('a partition that may be read better now', () => {
  const nights = openNights();
  beforeAll(async () => {
    for (const n of [1, 2]) nights.write(`corpus/${n}.txt`, textOf(n));
    nights.write('corpus/manifest.csv', manifest);
    await nights.rebuild(['corpus']);
    const marker = join(nights.outputs.unit('wcb', 'ingest', 'bank_of_mexico/2023'), 'unit.json');
    const again = { ...JSON.parse(readFileSync(marker, 'utf8')), again: 'could not be read, and may be now: 1.txt' };
    writeFileSync(marker, JSON.stringify(again));
  });
  const redo = { what: 'selection', selection: { year: 2024 } } as const;
  const staleOf = async (more: object): Promise<readonly string[]> => {
    const [inspection] = await nights.inspect(['corpus'], more);
    return (inspection?.units ?? []).filter(({ state }) => state === 'stale').map(({ partition }) => partition);
  };

  it('is left as it is by whoever redoes another one', async () => {
    expect(await staleOf({ redo })).toEqual([]);
    expect((await nights.rebuild(['corpus'], { redo })).ingested).toBe(1);
  });

  it('is read again by the next run', async () => {
    expect(await staleOf({})).toContain('bank_of_mexico/2023');
    expect((await nights.rebuild(['corpus'])).ingested).toBe(1);
    expect(await staleOf({})).toEqual([]);
  });
});
