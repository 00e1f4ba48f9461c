import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMITS, openExtractor } from '../../../pipeline/1-ingest/extract.js';
import { isEnglish } from '../../../pipeline/1-ingest/language.js';
import type { SourceDocument } from '../../../pipeline/1-ingest/source.js';
import { listInput, listInputs } from '../../../pipeline/1-ingest/sources/index.js';
import { packagePath } from '../../../src/package-root.js';
import { collect } from './rig.js';

const corpora = packagePath('..', 'shared', 'corpora');
const banks = `${corpora}/WorldCentralBanks`;
const calls = `${corpora}/fin-num-claim`;
const missing = !existsSync(banks) || !existsSync(calls);
if (missing)
  process.stderr.write('Skipped: tests of ingest over the corpora, which are not there (../shared/corpora).\n');

const extractAll = async (documents: readonly SourceDocument[]) => {
  const extractor = openExtractor({ limits: LIMITS, processes: 2, signal: new AbortController().signal });
  try {
    return await Promise.all(
      documents.map(({ file, path }) =>
        extractor.extract(file, path).then(
          ({ text }) => ({ path, text, reason: null }),
          (error: unknown) => ({ path, text: '', reason: String(error) }),
        ),
      ),
    );
  } finally {
    await extractor.close();
  }
};

describe.skipIf(missing)('the released corpora', () => {
  it('list every document once, and two entries that name the file of another', async () => {
    const { documents, rejects, ids } = await collect(listInputs([banks, calls]));
    expect(documents).toHaveLength(1788 + 638);
    expect(new Set(ids).size).toBe(ids.length);
    expect(rejects.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('names the same file, 2008/bank_of_japan_27-11-2008.pdf'),
      expect.stringContaining('names the same file, 2000/central_bank_of_brazil_18-01-2000.txt'),
    ]);
    expect(ids).toContain('TXN_2020_Q3');
  });

  it('are the same documents from the folder of all corpora', async () => {
    const all = await collect(listInput(corpora));
    const two = await collect(listInputs([banks, calls]));
    expect(all.ids).toEqual(two.ids);
    expect(all.documents[0]?.path).toBe(`WorldCentralBanks/${two.documents[0]?.path}`);
  });

  it('give English text for one in twenty-five of their files', async () => {
    const { documents } = await collect(listInputs([banks, calls]));
    const sample = documents.filter((_document, index) => index % 25 === 0);
    for (const { path, text, reason } of await extractAll(sample)) {
      expect([path, reason]).toEqual([path, null]);
      expect([path, isEnglish(text)]).toEqual([path, true]);
    }
  });

  it('have three empty files, which are rejects', async () => {
    const { documents } = await collect(listInput(banks));
    const empty = ['bank_of_japan_2008-03-06', 'bank_of_japan_2007-06-20', 'central_bank_of_egypt_2011-04-28'];
    const found = await extractAll(documents.filter(({ documentId }) => empty.includes(documentId)));
    expect(found.map(({ reason }) => reason)).toEqual(Array(3).fill('ExtractError: The file is empty (0 bytes).'));
  });
});
