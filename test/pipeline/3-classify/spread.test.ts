import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spread } from '../../../pipeline/3-classify/spread.js';
import { countMissing } from '../../../pipeline/3-classify/stage.js';
import { parquet, type Row } from '../../../src/database.js';
import { textHash } from '../../../src/files.js';
import { spansTable } from '../../../src/tables.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';

const root = temporaryFolder();
const PARTITION = 'bank_of_mexico/2023';

const span = (text: string, at: number, mark: 'foreign' | 'furniture' | null): Row => ({
  document_id: 'document',
  sentence_index: at,
  char_start: at * 100,
  char_end: at * 100 + text.length,
  text,
  language: mark === 'foreign' ? 'es' : 'en',
  mark,
  text_hash: textHash(text),
});

it('shards hold the texts that a run here would ask, and none that has a mark', async () => {
  const [spans, shards] = [join(root, 'spans'), join(root, 'shards')];
  for (const folder of [spans, shards]) mkdirSync(folder);
  const database = await testDatabase(root);
  const world = testWorld('wcb', database, join(root, 'outputs'), {
    fingerprints: [
      { model: 'cb_stance_label', fingerprint: 'a1'.repeat(32), packageFingerprint: 'b2'.repeat(32), own: false },
    ],
    output: () => ({ folder: spans, files: {}, amounts: {} }),
  });
  await database.writeTable(spansTable(world.dataset), join(spans, 'spans.parquet'), [
    span('The board raised its rate.', 0, null),
    span('Share this page', 1, 'furniture'),
    span('La junta de gobierno decidió.', 2, 'foreign'),
  ]);
  const cut = await spread.cut([PARTITION], world, { folder: shards, pieces: 2 });
  expect(cut.map(({ amount }) => amount)).toEqual([1]);
  expect(await database.rows(`SELECT text FROM ${parquet(join(shards, cut[0]?.file ?? ''))}`)).toEqual([
    { text: 'The board raised its rate.' },
  ]);
  expect(await countMissing([PARTITION], world)).toEqual({ predictions: 1, texts: 1 });
});
