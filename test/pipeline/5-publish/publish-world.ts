/** What the stages before publishing would have left, and publishing it: small worlds in a folder of the test. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DATASETS } from '../../../data/catalog.js';
import { getModel } from '../../../models/catalog.js';
import { aggregate } from '../../../pipeline/4-aggregate/stage.js';
import { publish } from '../../../pipeline/5-publish/stage.js';
import { WHOLE, type World } from '../../../pipeline/stage.js';
import type { Database, Row } from '../../../src/database.js';
import { hashText, textHash } from '../../../src/files.js';
import { labelsTable, rejectsTable, spansTable, textsTable } from '../../../src/tables.js';
import { testWorld } from '../../support/rig.js';

const dataset = DATASETS.wcb;

export interface Doc {
  readonly id: string;
  readonly date: string | null;
  readonly sentences: readonly string[];
  readonly stance?: string;
  /** Places of the sentences with a mark, which then have no label. */
  readonly marked?: readonly number[];
  readonly bank?: string;
  /** Labels of the other models: the first of each, or all of them in turn. */
  readonly others?: 'first' | 'in turn';
}

export const DOCS: readonly Doc[] = [
  { id: 'b_minutes', date: '2024-03-01', sentences: ['Rates rise.', 'Prices “fell”.'], stance: 'Hawkish' },
  { id: 'a_minutes', date: '2024-03-01', sentences: ["It's a pause.", 'Growth slowed.'], stance: 'Dovish' },
  { id: 'undated', date: null, sentences: ['Nothing is said of when.'] },
  { id: 'old_minutes', date: '1969-12-31', sentences: ['Gold: $35 an ounce.'] },
];

/** The units that the earlier stages would have left for these documents, all in one partition. */
export const worldWith = async (
  database: Database,
  folder: string,
  docs: readonly Doc[],
  parts: Partial<World> & { readonly rejects?: readonly Row[] } = {},
): Promise<World> => {
  const units = join(folder, 'units');
  rmSync(units, { recursive: true, force: true });
  const unit = (stage: string): string => {
    mkdirSync(join(units, stage), { recursive: true });
    return join(units, stage);
  };
  const texts = docs.map(({ id, date, sentences, bank }): Row => {
    const text = sentences.join(' ');
    return {
      document_id: id,
      bank_name: bank ?? 'bank_of_japan',
      year: 2024,
      release_date: date,
      date,
      language: 'en',
      path: `${id}.txt`,
      file_sha256: hashText(`file ${id}`),
      text_sha256: hashText(text),
      text,
    };
  });
  const spans = docs.flatMap(({ id, sentences, marked }) =>
    sentences.map(
      (text, at): Row => ({
        document_id: id,
        sentence_index: at,
        char_start: at * 100,
        char_end: at * 100 + text.length,
        text,
        language: 'en',
        mark: marked?.includes(at) ? 'foreign' : null,
        text_hash: textHash(text),
      }),
    ),
  );
  const labels = docs.flatMap(({ id, sentences, stance, others, marked }) =>
    sentences.map(
      (_, at): Row => ({
        document_id: id,
        sentence_index: at,
        ...Object.fromEntries(
          dataset.models.map((model) => {
            const { labels } = getModel(model);
            return [
              model,
              marked?.includes(at) ? null : (labels[others === 'in turn' ? at % labels.length : 0] ?? null),
            ];
          }),
        ),
        ...(stance === undefined || marked?.includes(at) ? {} : { cb_stance_label: stance }),
      }),
    ),
  );
  await database.writeTable(textsTable(dataset), join(unit('ingest'), 'texts.parquet'), texts);
  await database.writeTable(rejectsTable, join(unit('ingest'), 'rejects.parquet'), parts.rejects ?? []);
  await database.writeTable(spansTable(dataset), join(unit('segment'), 'spans.parquet'), spans);
  await database.writeTable(rejectsTable, join(unit('segment'), 'rejects.parquet'), []);
  await database.writeTable(labelsTable(dataset), join(unit('classify'), 'labels.parquet'), labels);
  const world = testWorld('wcb', database, folder, {
    partitions: ['bank_of_japan/2024'],
    inputs: ['/corpora/wcb'],
    fingerprints: dataset.models.map((model) => ({
      model,
      fingerprint: hashText(model),
      packageFingerprint: hashText('package'),
    })),
    output: (stage) => ({ folder: unit(stage), files: { 'made.parquet': hashText(stage) }, amounts: {} }),
    ...parts,
  });
  const open = await aggregate.open(world.partitions, world);
  await open.run('bank_of_japan/2024', unit('aggregate'));
  return world;
};

export const publishOnce = async (world: World): Promise<string> => {
  const unit = world.outputs.unit('wcb', 'publish', WHOLE);
  mkdirSync(unit, { recursive: true });
  const open = await publish.open([WHOLE], world);
  const { files } = await open.run(WHOLE, unit);
  expect(files).toEqual(['snapshot.json']);
  const { facts } = await open.close();
  return facts?.snapshot ?? '';
};
