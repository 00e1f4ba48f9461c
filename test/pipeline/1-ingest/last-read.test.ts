/** What was last read of a document, and when that is still what reading would give. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLastRead } from '../../../pipeline/1-ingest/last-read.js';
import { ingest } from '../../../pipeline/1-ingest/stage.js';
import { findLastMade, makeUnit } from '../../../pipeline/run/units.js';
import { type PlannedDocument, stageIngredient, type World } from '../../../pipeline/stage.js';
import { hashText } from '../../../src/files.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';

const PARTITION = 'bank_of_mexico/2023';
const TEXT = 'The committee raised its key rate by 25 basis points.';

describe('what was last read of a document', () => {
  const folder = temporaryFolder();
  const unit = join(folder, 'unit');
  const planned = (documentId: string, text: string): PlannedDocument => {
    const file = join(folder, `${documentId}.txt`);
    writeFileSync(file, text);
    return {
      dataset: 'wcb',
      documentId,
      partition: PARTITION,
      dimensions: { bank_name: 'bank_of_mexico', year: 2023, date: '2023-01-02' },
      title: null,
      sourceUrl: null,
      file,
      path: `${documentId}.txt`,
      fileSha256: hashText(text),
      bytes: text.length,
    };
  };
  const good = planned('good', TEXT);
  const bad = planned('bad', '');
  let world: World;
  let marker = '';
  beforeAll(async () => {
    world = testWorld('wcb', await testDatabase(folder), folder, {
      documents: () => [bad, good],
      lastMade: () => findLastMade(unit),
    });
    const ingredients = { ...stageIngredient(ingest), ...(await ingest.ingredients(PARTITION, world)) };
    const open = await ingest.open([PARTITION], world);
    await makeUnit({
      folder: unit,
      beside: join(folder, 'beside'),
      ingredients,
      make: (own) => open.run(PARTITION, own),
    });
    await open.close();
    marker = readFileSync(join(unit, 'unit.json'), 'utf8');
  });
  const find = (document: PlannedDocument, more: Partial<World> = {}) =>
    openLastRead(ingest, PARTITION, { ...world, ...more })(document);

  it('is its row, whatever else is in its partition by now', async () => {
    const row = { document_id: 'good', text: TEXT, file_sha256: good.fileSha256, date: '2023-01-02', title: null };
    expect(await find(good)).toMatchObject(row);
    expect(await find(good, { documents: () => [good, planned('new', 'Another text.')] })).toMatchObject(row);
  });

  it('is nothing where it gave no text, where it was not there, and where its file cannot even be hashed', async () => {
    const added = planned('new', 'Another text.');
    const documents = () => [bad, good, added];
    expect(await find(bad, { documents })).toBeUndefined();
    expect(await find(added, { documents })).toBeUndefined();
    const unhashed = { ...good, fileSha256: null };
    expect(await find(unhashed, { documents: () => [unhashed] })).toBeUndefined();
  });

  it('is nothing where the file has other bytes, or its source says something else of it', async () => {
    for (const changed of [planned('good', 'Other bytes.'), { ...good, title: 'Another title' }])
      expect(await find(changed, { documents: () => [bad, changed] })).toBeUndefined();
  });

  it.each(['stage', 'libraries', 'limits', 'document good'])('is nothing where the %s was another', async (name) => {
    const made = JSON.parse(marker);
    writeFileSync(
      join(unit, 'unit.json'),
      JSON.stringify({ ...made, ingredients: { ...made.ingredients, [name]: 'x' } }),
    );
    expect(await find(good)).toBeUndefined();
    writeFileSync(join(unit, 'unit.json'), marker);
    expect(await find(good)).toBeDefined();
  });

  it('is nothing where what was written is damaged, or was never finished', async () => {
    const texts = readFileSync(join(unit, 'texts.parquet'));
    writeFileSync(join(unit, 'texts.parquet'), texts.subarray(1));
    expect(await find(good)).toBeUndefined();
    writeFileSync(join(unit, 'texts.parquet'), texts);
    expect(await find(good, { lastMade: () => Promise.resolve(undefined) })).toBeUndefined();
  });
});
