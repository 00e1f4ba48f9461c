/** A model package that is replaced between the beginning of a run and the opening of its models. */
import { appendFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spread } from '../../../pipeline/3-classify/spread.js';
import { classify } from '../../../pipeline/3-classify/stage.js';
import type { World } from '../../../pipeline/stage.js';
import { RunError } from '../../../src/errors.js';
import { textHash } from '../../../src/files.js';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { packagePath } from '../../../src/package-root.js';
import { spansTable } from '../../../src/tables.js';
import { temporaryFolder, testDatabase, testWorld } from '../../support/rig.js';

const PARTITION = 'bank_of_mexico/2023';
const root = temporaryFolder();

interface Begun {
  readonly world: World;
  readonly folder: string;
  readonly replace: () => void;
}

/** A run of one text that has begun: its fingerprints are found. */
const begin = async (name: string): Promise<Begun> => {
  const folder = join(root, name);
  const models = join(folder, 'models');
  cpSync(packagePath('models', 'central-bank'), join(models, 'central-bank'), { recursive: true });
  const database = await testDatabase(root, 1);
  const plain = testWorld('wcb', database, join(folder, 'outputs'));
  const world: World = {
    ...plain,
    settings: { ...plain.settings, models, device: 'cpu', workers: 1 },
    fingerprints: await findFingerprints(plain.dataset.models, { modelsFolder: models, device: 'cpu' }),
    output: () => ({ folder, files: {}, amounts: {} }),
  };
  const text = 'The committee raised its rate.';
  await database.writeTable(spansTable(world.dataset), join(folder, 'spans.parquet'), [
    {
      document_id: 'document',
      sentence_index: 0,
      char_start: 0,
      char_end: text.length,
      text,
      language: 'en',
      text_hash: textHash(text),
    },
  ]);
  return { world, folder, replace: () => appendFileSync(join(models, 'central-bank', 'config.json'), '\n') };
};

const expectReplaced = async ({ world }: Begun, act: Promise<unknown>): Promise<void> => {
  const error: unknown = await act.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunError);
  expect(String(error)).toContain('central-bank) was replaced while the run was under way');
  expect(existsSync(world.outputs.predictions)).toBe(false);
};

describe('nothing is kept of a package that was replaced since the run began', () => {
  it('by a run here', async () => {
    const begun = await begin('here');
    begun.replace();
    await expectReplaced(begun, classify.open([PARTITION], begun.world));
  });

  it('by a task of a job', async () => {
    const begun = await begin('task');
    const shards = join(begun.folder, 'shards');
    mkdirSync(shards);
    const cut = await spread.cut([PARTITION], begun.world, { folder: shards, pieces: 1 });
    expect(cut).toHaveLength(1);
    begun.replace();
    const made: string[] = [];
    const onMade = async ({ file }: { readonly file: string }): Promise<void> => {
      made.push(file);
    };
    await expectReplaced(begun, spread.make(cut, begun.world, { folder: shards, onMade }));
    expect(made).toEqual([]);
  });
});
