import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '../../../data/catalog.js';
import { fingerprintDocument } from '../../../pipeline/1-ingest/ingredients.js';
import { writeKnown } from '../../../pipeline/1-ingest/raw/known.js';
import { keepCopy } from '../../../pipeline/1-ingest/raw/store.js';
import { readListing } from '../../../pipeline/run/listing.js';
import {
  type DatasetPlan,
  isSelected,
  partitionsWith,
  planDataset,
  type Selection,
} from '../../../pipeline/run/plan.js';
import { lookUpRemote } from '../../../pipeline/run/remote.js';
import { hashFile, hashText } from '../../../src/files.js';
import { outputsIn } from '../../../src/outputs.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const never = new AbortController().signal;

const ROWS = [
  { path: 'c.txt', bank_name: 'bank_of_japan', year: 2006, start_date: '2006-03-08', release_date: '2006-03-09' },
  { path: 'a.txt', bank_name: 'bank_of_japan', year: 2005, start_date: '2005-09-07', release_date: '2005-09-08' },
  { path: 'b.txt', bank_name: 'bank_of_england', year: 2005, start_date: '2005-08-03', release_date: '2005-08-04' },
  { path: 'd.txt', bank_name: 'bank_of_japan', year: 2005, start_date: '2005-04-05', release_date: '2005-04-06' },
];

const outputs = outputsIn(join(root, 'outputs'));

const planOf = async (folder: string, { signal = never, dataset = 'wcb' as DatasetId } = {}): Promise<DatasetPlan> =>
  planDataset(dataset, await readListing([folder], signal), {
    outputs,
    readRemote: lookUpRemote(outputs),
    forget: [],
    signal,
  });

const writeCorpus = (name: string, rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const { path } of rows) writeFileSync(join(folder, String(path)), `The text of ${path}.`);
  writeFileSync(join(folder, 'manifest.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return folder;
};

describe('a plan', () => {
  let folder: string;
  beforeAll(() => {
    folder = writeCorpus('corpus', ROWS);
  });

  it('has the partitions sorted, the documents of each by name, and the hash of every file', async () => {
    const plan = await planOf(folder);
    expect(plan.partitions).toEqual(['bank_of_england/2005', 'bank_of_japan/2005', 'bank_of_japan/2006']);
    expect(
      plan.documents.get('bank_of_japan/2005')?.map(({ path, fileSha256, bytes }) => [path, fileSha256, bytes]),
    ).toEqual([
      ['d.txt', hashText('The text of d.txt.'), 18],
      ['a.txt', hashText('The text of a.txt.'), 18],
    ]);
    expect(plan.rejects).toEqual([]);
  });

  it('is the same whatever the order in which the source lists its documents', async () => {
    const other = writeCorpus('reversed', [...ROWS].reverse());
    const shape = async (from: string): Promise<unknown> =>
      [...(await planOf(from)).documents.entries()]
        .map(([partition, documents]) => [partition, documents.map(({ documentId }) => documentId)])
        .sort();
    expect(await shape(other)).toEqual(await shape(folder));
  });

  it('has nothing of a dataset that the folders do not hold', async () => {
    const plan = await planOf(folder, { dataset: 'earnings' });
    expect(plan).toMatchObject({ partitions: [], rejects: [] });
  });

  it('selects the partitions in which something is that was asked for', async () => {
    const plan = await planOf(folder);
    const documents = [...plan.documents.values()].flat();
    const partitions = (selection: Selection): readonly string[] =>
      partitionsWith(
        plan,
        new Set(documents.filter((one) => isSelected(one, selection, undefined)).map(({ documentId }) => documentId)),
      );
    expect(partitions({})).toEqual(plan.partitions);
    expect(partitions({ bank: 'bank_of_japan' })).toEqual(['bank_of_japan/2005', 'bank_of_japan/2006']);
    expect(partitions({ year: 2005 })).toEqual(['bank_of_england/2005', 'bank_of_japan/2005']);
    expect(partitions({ bank: 'bank_of_japan', year: 2006 })).toEqual(['bank_of_japan/2006']);
    expect(partitions({ bank: 'bank_of_england', year: 2006 })).toEqual([]);
    const [document] = plan.documents.get('bank_of_japan/2006') ?? [];
    expect(partitions({ documentId: document?.documentId ?? '' })).toEqual(['bank_of_japan/2006']);
    expect(partitions({ ticker: 'AAPL' })).toEqual([]);
  });

  it('selects by the date, which is the day of release, with both ends', async () => {
    const documents = [...(await planOf(folder)).documents.values()].flat();
    const paths = (selection: Selection): readonly string[] =>
      documents
        .filter((one) => isSelected(one, selection, undefined))
        .map(({ path }) => path)
        .sort();
    expect(paths({ from: '2005-08-04', to: '2005-09-08' })).toEqual(['a.txt', 'b.txt']);
    expect(paths({ from: '2005-08-05', to: '2005-09-07' })).toEqual([]);
    expect(paths({ from: '2005-09-08' })).toEqual(['a.txt', 'c.txt']);
    expect(paths({ to: '2005-04-06' })).toEqual(['d.txt']);
    expect(paths({ to: '2005-12-31', bank: 'bank_of_japan' })).toEqual(['a.txt', 'd.txt']);
  });

  it('has a document without a date in no span of days, unless its file states one', () => {
    const undated = { documentId: 'a', dimensions: { ticker: 'AAPL', date: null } };
    expect(isSelected(undated, { from: '1900-01-01' }, undefined)).toBe(false);
    expect(isSelected(undated, { to: '2100-01-01' }, undefined)).toBe(false);
    expect(isSelected(undated, { ticker: 'AAPL' }, undefined)).toBe(true);
    expect(isSelected(undated, { from: '2023-01-01', to: '2023-12-31' }, '2023-05-05')).toBe(true);
    expect(isSelected(undated, { from: '2023-01-01', to: '2023-05-04' }, '2023-05-05')).toBe(false);
  });

  it('has a kept document that is gone from its folder, and a reject where its copy is damaged', async () => {
    const gone = writeCorpus('gone', ROWS);
    const before = await planOf(gone);
    const [first, second] = before.present.filter(({ path }) => path === 'a.txt' || path === 'b.txt');
    if (first === undefined || second === undefined) throw new Error('The corpus has no a.txt and b.txt.');
    await keepCopy(outputs, first.file, first.fileSha256 ?? '', root);
    await writeKnown(
      outputs,
      'wcb',
      [first, second].map(({ input, documentId, partition, dimensions, path, fileSha256, bytes }) => ({
        ...{ input, document_id: documentId, partition, dimensions, path, sha256: fileSha256 ?? '', bytes },
        ...{ title: null, source_url: null, since: '2026-01-02T03:04:05Z' },
      })),
    );
    for (const { file } of [first, second]) rmSync(file);
    const plan = await planOf(gone);
    const planned = [...plan.documents.values()].flat();
    expect(planned).toHaveLength(3);
    expect(planned.find(({ path }) => path === first.path)).toMatchObject({
      documentId: first.documentId,
      fileSha256: first.fileSha256,
      file: outputs.rawFile(first.fileSha256 ?? ''),
      notes: [`it is gone from ${gone}; what was read on 2026-01-02 stays`],
    });
    expect(plan.rejects).toEqual([
      expect.objectContaining({
        subject: second.path,
        reason: 'it is gone from its input folder, and the copy that was kept of it is missing or damaged',
      }),
    ]);
  });

  it('is given up when it is told to stop', async () => {
    const reason = new Error('Stopped.');
    await expect(planOf(folder, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('a file that the machine fails to read as the run begins', () => {
  /** A plan during which the hash of `a.txt` fails so many times with this code. */
  const planWith = async (folder: string, code: string, most: number) => {
    let failed = 0;
    return planDataset('wcb', await readListing([folder], never), {
      outputs,
      readRemote: lookUpRemote(outputs),
      forget: [],
      signal: never,
      hash: async (path) => {
        if (path !== join(folder, 'a.txt') || failed >= most) return hashFile(path);
        failed += 1;
        throw Object.assign(new Error(`${code}: read`), { code });
      },
    });
  };
  const known = async (folder: string): Promise<void> => {
    const { present } = await planOf(folder);
    const scratch = temporaryFolder();
    for (const { file, fileSha256 } of present) await keepCopy(outputs, file, String(fileSha256), scratch);
    const since = '2026-01-02T03:04:05.000Z';
    await writeKnown(
      outputs,
      'wcb',
      present.map(({ input, documentId, partition, dimensions, title, sourceUrl, path, fileSha256, bytes }) => ({
        ...{ input, document_id: documentId, partition, dimensions, title, source_url: sourceUrl, path },
        ...{ sha256: String(fileSha256), bytes, since },
      })),
    );
  };
  const fingerprintsIn = (plan: DatasetPlan) =>
    Object.fromEntries([...plan.documents.values()].flat().map((one) => [one.documentId, fingerprintDocument(one)]));

  it('is read again at once', async () => {
    const folder = writeCorpus('passing', ROWS);
    const plan = await planWith(folder, 'EIO', 1);
    expect(fingerprintsIn(plan)).toEqual(fingerprintsIn(await planOf(folder)));
    expect(plan.recall.recalled).toEqual([]);
  });

  it('stays as it was last read, so that what was made of it is fresh', async () => {
    const folder = writeCorpus('unread', ROWS);
    await known(folder);
    const plan = await planWith(folder, 'EIO', 2);
    expect(fingerprintsIn(plan)).toEqual(fingerprintsIn(await planOf(folder)));
    expect(plan.recall.recalled.map(({ path, why }) => [path, why])).toEqual([['a.txt', 'unread']]);
    expect(plan.rejects).toEqual([]);
    expect(plan.present.map(({ path }) => path)).not.toContain('a.txt');
  });

  it('is left to ingest where it was never read, or where the fault is the file’s', async () => {
    const folder = writeCorpus('never', ROWS);
    const hashOf = (plan: DatasetPlan) => plan.present.find(({ path }) => path === 'a.txt')?.fileSha256;
    expect(hashOf(await planWith(folder, 'EIO', 2))).toBeNull();
    await known(folder);
    const plan = await planWith(folder, 'EACCES', 1);
    expect(hashOf(plan)).toBeNull();
    expect(plan.recall.recalled).toEqual([]);
  });
});
