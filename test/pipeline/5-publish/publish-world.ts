/** What the stages before publishing would have left, and publishing it: small worlds in a folder of the test. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DATASETS } from '../../../data/catalog.js';
import { getModel } from '../../../models/catalog.js';
import { aggregate } from '../../../pipeline/4-aggregate/stage.js';
import { publish } from '../../../pipeline/5-publish/stage.js';
import { WHOLE, type World } from '../../../pipeline/stage.js';
import type { Database, Row } from '../../../src/database.js';
import { hashText, textHash } from '../../../src/files.js';
import { rejectsTable, sentencesTable, spansTable, textsTable } from '../../../src/tables.js';
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
  /** That of the bank of Japan in 2024, where it is not said. */
  readonly partition?: string;
  /** Labels of the other models: the first of each, or all of them in turn. */
  readonly others?: 'first' | 'in turn';
}

export const DOCS: readonly Doc[] = [
  { id: 'b_minutes', date: '2024-03-01', sentences: ['Rates rise.', 'Prices “fell”.'], stance: 'Hawkish' },
  { id: 'a_minutes', date: '2024-03-01', sentences: ["It's a pause.", 'Growth slowed.'], stance: 'Dovish' },
  { id: 'undated', date: null, sentences: ['Nothing is said of when.'] },
  { id: 'old_minutes', date: '1969-12-31', sentences: ['Gold: $35 an ounce.'] },
];

const PARTITION = 'bank_of_japan/2024';

/** The units that the earlier stages would have left for these documents. */
export const worldWith = async (
  database: Database,
  folder: string,
  docs: readonly Doc[],
  parts: Partial<World> & { readonly rejects?: readonly Row[] } = {},
): Promise<World> => {
  const units = join(folder, 'units');
  rmSync(units, { recursive: true, force: true });
  const unit = (stage: string, partition: string): string => {
    mkdirSync(join(units, stage, partition), { recursive: true });
    return join(units, stage, partition);
  };
  const partitions = [...new Set(docs.map(({ partition = PARTITION }) => partition))].sort();
  const world = testWorld('wcb', database, folder, {
    partitions,
    inputs: ['/corpora/wcb'],
    fingerprints: dataset.models.map((model) => ({
      model,
      fingerprint: hashText(model),
      packageFingerprint: hashText('package'),
      own: false,
    })),
    output: (stage, partition) => ({
      folder: unit(stage, partition),
      files: hashesIn(unit(stage, partition)),
      amounts: {},
    }),
    ...parts,
  });
  const open = await aggregate.open(world.partitions, world);
  for (const partition of partitions) {
    const own = docs.filter((doc) => (doc.partition ?? PARTITION) === partition);
    await writeUnits(database, own, (stage) => unit(stage, partition), parts.rejects ?? []);
    await open.run(partition, unit('aggregate', partition));
  }
  return world;
};

const writeUnits = async (
  database: Database,
  docs: readonly Doc[],
  unit: (stage: string) => string,
  rejects: readonly Row[],
): Promise<void> => {
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
  const labels = docs.flatMap(({ sentences, stance, others, marked }) =>
    sentences.map(
      (_, at): Row => ({
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
  await database.writeTable(rejectsTable, join(unit('ingest'), 'rejects.parquet'), rejects);
  await database.writeTable(spansTable(dataset), join(unit('segment'), 'spans.parquet'), spans);
  await database.writeTable(rejectsTable, join(unit('segment'), 'rejects.parquet'), []);
  const sentences = spans
    .map((span, at): Row => ({ ...span, ...labels[at] }))
    .sort((a, b) => (String(a.document_id) < String(b.document_id) ? -1 : a.document_id === b.document_id ? 0 : 1));
  await database.writeTable(sentencesTable(dataset), join(unit('classify'), 'sentences.parquet'), sentences);
};

const hashesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** Publishes, and leaves the unit as a run would: what the next publishing makes use of. */
export const publishOnce = async (world: World): Promise<string> => {
  const unit = world.outputs.unit('wcb', 'publish', WHOLE);
  const beside = `${unit}.made`;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true });
  const open = await publish.open([WHOLE], world);
  const { files } = await open.run(WHOLE, beside);
  expect([...files].sort()).toEqual(readdirSync(beside).sort());
  expect(files).toContain('snapshot.json');
  rmSync(unit, { recursive: true, force: true });
  renameSync(beside, unit);
  const { facts } = await open.close();
  return facts?.snapshot ?? '';
};
