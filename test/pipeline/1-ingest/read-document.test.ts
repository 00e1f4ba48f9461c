import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChangedFileError, readDocument } from '../../../pipeline/1-ingest/read-document.js';
import { hashText } from '../../../src/files.js';
import { openRig } from './rig.js';

const rig = openRig();
const PLANNED = 'Inflation rose in March and the Board took note of it.';
const LATER = 'Inflation fell in April and the Board took note of it.';

/** A document that the plan found with one content, as it is read while its file has another. */
const readAs = (name: string, planned: string, found: string | undefined) => {
  const file = join(rig.write({ [name]: found ?? '' }), name);
  if (found === undefined) rmSync(file);
  const facts = { dataset: 'wcb', documentId: 'a', partition: 'a/2020', dimensions: {}, title: null } as const;
  const document = { ...facts, sourceUrl: null, file, path: name, fileSha256: hashText(planned), bytes: 1 };
  return readDocument(document, rig.open());
};

describe('a document', () => {
  it('has the text of the content that was planned, read here or in a process of its own', async () => {
    for (const [name, content] of [
      ['a.txt', PLANNED],
      ['a.html', `<p>${PLANNED}`],
    ] as const) {
      const row = { file_sha256: hashText(content), text_sha256: hashText(PLANNED), text: PLANNED };
      expect(await readAs(name, content, content)).toMatchObject({ kind: 'document', row });
    }
  });

  it.each([
    ['another text', 'a.txt', PLANNED, LATER],
    ['another page', 'a.html', `<p>${PLANNED}`, `<p>${LATER}`],
    ['nothing that can be read', 'a.txt', PLANNED, ''],
  ])('ends the run for now where its file holds %s by then', async (_what, name, planned, found) => {
    const read = readAs(name, planned, found);
    await expect(read).rejects.toBeInstanceOf(ChangedFileError);
    await expect(read).rejects.toThrow(`${name} changed after the run was planned. Start it again from the beginning`);
  });

  it('whose file is gone by then is a reject of this run alone, and a broken one of every run', async () => {
    expect(await readAs('a.txt', PLANNED, undefined)).toMatchObject({
      kind: 'reject',
      reject: { reason: 'There is no such file. The next run tries again.' },
      fault: 'machine',
    });
    expect(await readAs('a.txt', '', '')).toMatchObject({
      kind: 'reject',
      reject: { reason: 'The file is empty (0 bytes).' },
      fault: 'file',
    });
  });
});
