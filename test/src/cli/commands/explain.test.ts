import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from 'duckdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '../../../../data/catalog.js';
import { explain } from '../../../../src/cli/commands/explain.js';
import type { Context } from '../../../../src/cli/context.js';
import { quote } from '../../../../src/database.js';
import { outputsIn } from '../../../../src/outputs.js';
import { publish } from '../../../support/published.js';

const ADDRESS = 'https://example.org/minutes.html';

describe('what explain says', () => {
  let folder = '';
  let document = '';
  let fetched = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fintext-explain-'));
    [fetched = ''] = await publishFiles(
      folder,
      'wcb',
      `SELECT * REPLACE (${quote(ADDRESS)} AS path, ${quote(ADDRESS)} AS source_url)`,
    );
    [document = ''] = await publishFiles(folder, 'earnings');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const explaining = async (documentId: string, metric?: string): Promise<string> => {
    const printed: string[] = [];
    const context: Context = {
      print: async (text) => void printed.push(text),
      present: () => () => undefined,
      signal: new AbortController().signal,
      now: () => new Date(0),
      columns: undefined,
    };
    await explain(context).handler({ _: [], $0: 'fintext', document_id: documentId, outputs: folder, metric });
    return printed.join('');
  };

  it('of a document that there is not, names the nearest of all datasets and no far ones', async () => {
    expect(document).toBe('T0000_2008_Q1');
    await expect(explaining('t0000_2008_q2')).rejects.toThrow(/ Near it: T0000_2008_Q\d, T000\d_2008_Q\d\.$/);
  });

  it('of a document, names the file that it was read from', async () => {
    expect(await explaining(document)).toMatch(/^T0000_2008_Q1 .*\n.*9 sentences\nfrom raw\/\d\.txt/);
  });

  it('of a document that was fetched, names its address once', async () => {
    expect(await explaining(fetched)).toContain(`\nfrom ${ADDRESS}\n`);
  });

  it('of a metric of two models, names them above their labels, in the same order and column', async () => {
    const text = await explaining(document, 'ec_growth_metric_given_cyber');
    const [heading = '', ...sentences] = text.trimEnd().split('\n').slice(-10);
    expect(heading).toMatch(/^ {6}ec_growth · ec_cyber_risk_relevancy$/);
    for (const sentence of sentences)
      expect(sentence).toMatch(
        /^ {3}\d {2}(Positive Growth|Negative Growth|Neutral) · (Relevant|Irrelevant) +Sentence/,
      );
    expect(new Set(sentences.map((sentence) => sentence.indexOf('Sentence')))).toHaveLength(1);
  });

  it('of a metric of one model, has the texts in one column, however long its labels are', async () => {
    const text = await explaining(document, 'ec_forward_looking_metric');
    const sentences = text.trimEnd().split('\n').slice(-9);
    expect(text).toContain('Not Forward Looking  Sentence');
    expect(new Set(sentences.map((sentence) => sentence.indexOf('Sentence')))).toHaveLength(1);
  });
});

/** A snapshot with Parquet files, which is what the command reads; its documents' ids, in order. */
const publishFiles = async (folder: string, dataset: DatasetId, documents = 'SELECT *'): Promise<readonly string[]> => {
  const outputs = outputsIn(folder);
  const { snapshot } = await publish({ outputs, dataset, documents: 9, seed: 1 });
  const at = outputs.snapshot(dataset, snapshot);
  const instance = await DuckDBInstance.create(join(at, `${dataset}.duckdb`), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  for (const table of ['documents', 'counts', 'sentences', 'rejects']) {
    const rows = `${table === 'documents' ? documents : 'SELECT *'} FROM ${table}`;
    await connection.run(`COPY (${rows}) TO ${quote(join(at, `${table}.parquet`))}`);
  }
  const reader = await connection.runAndReadAll('SELECT document_id FROM documents ORDER BY document_id');
  connection.closeSync();
  instance.closeSync();
  return reader.getRows().map(([id]) => String(id));
};
