import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownDocument, readKnown, writeKnown } from '../../../pipeline/1-ingest/raw/known.js';
import { chooseRecalled, type RecallOptions } from '../../../pipeline/1-ingest/raw/recall.js';
import { findKept, keepCopy } from '../../../pipeline/1-ingest/raw/store.js';
import { hashText } from '../../../src/files.js';
import { outputsIn } from '../../../src/outputs.js';
import { temporaryFolder } from '../../support/rig.js';

const known = (id: string, more: Partial<KnownDocument> = {}): KnownDocument => ({
  input: 'in',
  document_id: id,
  partition: 'bank_of_japan/2005',
  dimensions: { bank_name: 'bank_of_japan', year: 2005, date: null },
  title: null,
  source_url: null,
  path: `${id}.txt`,
  sha256: hashText(id),
  bytes: 1,
  since: '2026-01-02T03:04:05.000Z',
  ...more,
});
const present = ({ input, document_id: documentId, dimensions, path, sha256 }: KnownDocument) => ({
  input,
  documentId,
  dimensions,
  path,
  sha256,
});
const recall = (options: Partial<RecallOptions>) => {
  const { recalled, renamed } = chooseRecalled({
    dataset: 'wcb',
    known: [known('a'), known('b')],
    inputs: ['in'],
    present: [],
    refused: [],
    forget: new Set(),
    ...options,
  });
  return {
    ids: recalled.map(({ document_id: id }) => id),
    renamed: renamed.map(({ from, to }) => [from.document_id, to]),
  };
};

describe('of the kept documents', () => {
  it('those come back that are gone', () => {
    expect(recall({ present: [present(known('a'))] })).toEqual({ ids: ['b'], renamed: [] });
    expect(recall({ refused: [{ input: 'in', subject: 'a.txt', missing: 'a' }] }).ids).toEqual(['a', 'b']);
    expect(recall({ refused: [{ input: 'in', subject: 'a.txt', unnamed: 'by the list' }] }).ids).toEqual(['a', 'b']);
  });

  it('those come back whose file is there and whose list is not, or cannot be read', () => {
    const refused = [{ input: 'in', subject: 'a.txt', unnamed: 'for want of a list' }] as const;
    const { recalled } = chooseRecalled({
      dataset: 'wcb',
      known: [known('a'), known('b')],
      inputs: ['in'],
      present: [],
      refused,
      forget: new Set(),
    });
    expect(recalled.map(({ document_id: id, why }) => [id, why])).toEqual([
      ['a', 'list'],
      ['b', 'gone'],
    ]);
  });

  it('none comes back whose file is there and cannot be used', () => {
    expect(recall({ refused: [{ input: 'in', subject: 'a.txt' }] }).ids).toEqual(['b']);
    expect(recall({ present: [{ ...present(known('a')), sha256: hashText('bad') }] }).ids).toEqual(['b']);
    expect(recall({ present: [{ ...present(known('a')), sha256: null }] }).ids).toEqual(['b']);
  });

  it('none comes back from a folder that is not read', () => {
    expect(recall({ inputs: ['other'] }).ids).toEqual([]);
    expect(recall({ known: [known('a'), known('c', { input: 'other' })] }).ids).toEqual(['a']);
  });

  it('one that two folders had comes back from the first that is named', () => {
    const [first, second] = [known('a', { input: 'one' }), known('a', { input: 'two', sha256: hashText('2') })];
    const from = (inputs: readonly string[]) =>
      chooseRecalled({ dataset: 'wcb', known: [first, second], inputs, present: [], refused: [], forget: new Set() })
        .recalled;
    expect(from(['one', 'two'])).toMatchObject([first]);
    expect(from(['two', 'one'])).toMatchObject([second]);
    expect(from(['two'])).toMatchObject([second]);
  });

  const meeting = { bank_name: 'bank_of_japan', year: 2005, start_date: '2005-01-31', document_type: 'statement' };

  it('none comes back that is there under another id, by its content or by its path and what it is about', () => {
    const moved = { ...present(known('a')), documentId: 'new', path: 'new.txt' };
    expect(recall({ present: [moved] })).toEqual({ ids: ['b'], renamed: [['a', 'new']] });
    const corrected = { ...present(known('a')), documentId: 'new', dimensions: meeting };
    expect(recall({ present: [corrected] })).toEqual({ ids: ['b'], renamed: [['a', 'new']] });
    const old = known('a', { dimensions: meeting });
    const rewritten = { ...present(old), documentId: 'new', sha256: hashText('rewritten') };
    expect(recall({ known: [old], present: [rewritten] })).toEqual({ ids: [], renamed: [['a', 'new']] });
  });

  it('one comes back that could not be read, though another document has its content by now', () => {
    const copy = { ...present(known('a')), documentId: 'new', path: 'new.txt' };
    const refused = [{ input: 'in', subject: 'a.txt', missing: 'a', unread: true }] as const;
    expect(recall({ present: [copy], refused })).toEqual({ ids: ['a', 'b'], renamed: [] });
  });

  it('one comes back whose address has another document now', () => {
    const path = 'https://bank.example/latest-statement.html';
    const january = known('bank_of_japan_2005-01-31_statement', { path, dimensions: meeting });
    const march = known('bank_of_japan_2005-03-20_statement', {
      path,
      dimensions: { ...meeting, start_date: '2005-03-20' },
    });
    const stays = { ids: [january.document_id], renamed: [] };
    expect(recall({ known: [january], present: [present(march)] })).toEqual(stays);
    expect(recall({ known: [january, march], present: [present(march)] })).toEqual(stays);
  });

  it('one comes back whose path has other content under another id, where neither row says which meeting it is', () => {
    const other = { ...present(known('a')), documentId: 'new', sha256: hashText('other') };
    expect(recall({ present: [other] })).toEqual({ ids: ['a', 'b'], renamed: [] });
  });

  it('one comes back whose twin was there all along', () => {
    const twin = known('twin', { sha256: hashText('a') });
    expect(recall({ known: [known('a'), twin], present: [present(twin)] })).toEqual({ ids: ['a'], renamed: [] });
  });

  it('none comes back that is to be forgotten', () => {
    expect(recall({ forget: new Set(['a']) }).ids).toEqual(['b']);
  });

  it('each is present, recalled, refused, renamed, forgotten or of another folder, and only one of them', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const input = fc.constantFrom('one', 'two');
    const one = fc.record({ id, input }).map((made) => known(made.id, { input: made.input }));
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: ({ document_id, input: from }) => `${document_id} ${from}` }),
        fc.uniqueArray(one, { selector: ({ document_id }) => document_id }),
        fc.uniqueArray(input, { minLength: 1 }),
        (all, there, inputs) => {
          const { recalled } = chooseRecalled({
            dataset: 'wcb',
            known: all,
            inputs,
            present: there.map(present),
            refused: [],
            forget: new Set(),
          });
          const ids = recalled.map(({ document_id }) => document_id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const back of recalled) {
            expect(inputs).toContain(back.input);
            expect(there.map(({ document_id }) => document_id)).not.toContain(back.document_id);
          }
        },
      ),
    );
  });
});

describe('the list of kept documents', () => {
  const outputs = outputsIn(temporaryFolder());

  it('is read as it was written, sorted', async () => {
    expect(await readKnown(outputs, 'wcb')).toEqual([]);
    const all = [known('b', { file_name: 'document.pdf' }), known('a', { input: 'z' }), known('a')];
    await writeKnown(outputs, 'wcb', all);
    expect(await readKnown(outputs, 'wcb')).toEqual([all[2], all[1], all[0]]);
  });

  it('that is damaged is named, and not begun anew', async () => {
    appendFileSync(outputs.known('wcb'), '{"input":"in"}\n');
    await expect(readKnown(outputs, 'wcb')).rejects.toThrow(/wcb\.jsonl is damaged in line 4\. Restore it/);
  });
});

describe('a kept file', () => {
  const folder = temporaryFolder();
  const outputs = outputsIn(join(folder, 'outputs'));
  const file = join(folder, 'a.txt');
  mkdirSync(outputs.folder);

  it('stays what it was when the original is written into, or goes', async () => {
    writeFileSync(file, 'As it was.');
    expect(await keepCopy(outputs, file, hashText('As it was.'), outputs.folder)).toBe(true);
    appendFileSync(file, ' And more.');
    rmSync(file);
    expect(await findKept(outputs, hashText('As it was.'))).toBe(outputs.rawFile(hashText('As it was.')));
  });

  it('is not made of a file that has changed since it was read, or is gone', async () => {
    writeFileSync(file, 'Changed.');
    expect(await keepCopy(outputs, file, hashText('Before.'), outputs.folder)).toBe(false);
    expect(await keepCopy(outputs, join(folder, 'none.txt'), hashText('None.'), outputs.folder)).toBe(false);
    expect(existsSync(outputs.rawFile(hashText('Before.')))).toBe(false);
  });

  it('that is damaged is none, and is made again', async () => {
    const sha256 = hashText('Changed.');
    mkdirSync(dirname(outputs.rawFile(sha256)), { recursive: true });
    writeFileSync(outputs.rawFile(sha256), 'Torn.');
    expect(await findKept(outputs, sha256)).toBeUndefined();
    expect(await keepCopy(outputs, file, sha256, outputs.folder)).toBe(true);
    expect(await findKept(outputs, sha256)).toBeDefined();
  });
});
