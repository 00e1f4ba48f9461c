import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkUnit, clearUnit, readMarker, sealUnit } from '../../../pipeline/run/units.js';
import type { UnitOutput } from '../../../pipeline/stage.js';
import { hashText } from '../../../src/files.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
let folder: string;
let units = 0;

beforeEach(() => {
  units += 1;
  folder = join(root, `unit-${units}`, 'bank_of_japan', '2005');
});

const INGREDIENTS = {
  stage: 'segment version 1',
  texts: hashText('the texts'),
  'model cb_stance_label': hashText('m'),
};

const make = async (ingredients: Readonly<Record<string, string>> = INGREDIENTS): Promise<UnitOutput> => {
  await clearUnit(folder);
  writeFileSync(join(folder, 'spans.parquet'), 'spans');
  writeFileSync(join(folder, 'rejects.parquet'), '');
  return sealUnit(folder, ingredients, { files: ['spans.parquet', 'rejects.parquet'], amounts: { sentences: 3 } });
};

const whyStale = async (ingredients: Readonly<Record<string, string>> = INGREDIENTS): Promise<string> => {
  const freshness = await checkUnit(folder, ingredients);
  if (freshness.state === 'fresh') throw new Error('The unit is fresh.');
  return freshness.why;
};

const marker = (): string => join(folder, 'unit.json');

describe('a unit', () => {
  it('is stale before it is made', async () => {
    expect(await whyStale()).toBe('not made yet');
    mkdirSync(folder, { recursive: true });
    expect(await whyStale()).toBe('not made yet');
  });

  it('is fresh once it is sealed, and gives what it made', async () => {
    const output = await make();
    expect(output).toEqual({
      folder,
      files: { 'spans.parquet': hashText('spans'), 'rejects.parquet': hashText('') },
      amounts: { sentences: 3 },
    });
    expect(await checkUnit(folder, INGREDIENTS)).toEqual({ state: 'fresh', output });
  });

  it('is fresh whatever the order in which its ingredients are named', async () => {
    await make();
    const reversed = Object.fromEntries(Object.entries(INGREDIENTS).reverse());
    expect(await checkUnit(folder, reversed)).toMatchObject({ state: 'fresh' });
  });

  it('made of nothing and without files is fresh too', async () => {
    await clearUnit(folder);
    await sealUnit(folder, {}, { files: [], amounts: {} });
    expect(await checkUnit(folder, {})).toMatchObject({ state: 'fresh', output: { files: {} } });
  });

  it('does not mind a file that is not its own', async () => {
    await make();
    writeFileSync(join(folder, 'notes.txt'), 'hello');
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
    await make();
    expect(existsSync(join(folder, 'notes.txt'))).toBe(false);
  });
});

describe('a unit is stale and says why', () => {
  it('when an ingredient changed', async () => {
    await make();
    const texts = hashText('other texts');
    expect(await whyStale({ ...INGREDIENTS, texts })).toBe(
      `texts changed from ${hashText('the texts').slice(0, 12)}… to ${texts.slice(0, 12)}…`,
    );
  });

  it('when its stage has a new version, in words that differ', async () => {
    await make();
    expect(await whyStale({ ...INGREDIENTS, stage: 'segment version 2' })).toBe(
      'stage changed from segment version 1 to segment version 2',
    );
  });

  it('when a formula changed, in words that differ', async () => {
    const before = '(hawkish - dovish) / (total - irrelevant) of 0123456789ab';
    const after = '(hawkish - dovish) / total of ba9876543210';
    await make({ 'formula stance': before });
    expect(await whyStale({ 'formula stance': after })).toBe(`formula stance changed from ${before} to ${after}`);
  });

  it('when an ingredient is new or gone', async () => {
    await make();
    expect(await whyStale({ ...INGREDIENTS, language: 'en' })).toBe('language is new');
    const { texts: _, ...rest } = INGREDIENTS;
    expect(await whyStale(rest)).toBe('texts is gone');
  });

  it('when a file is missing, cut short, changed or no file at all', async () => {
    await make();
    rmSync(join(folder, 'spans.parquet'));
    expect(await whyStale()).toBe('its file spans.parquet is missing');
    await make();
    truncateSync(join(folder, 'spans.parquet'), 2);
    expect(await whyStale()).toBe('its file spans.parquet is not what was written');
    await make();
    writeFileSync(join(folder, 'spans.parquet'), 'spanz');
    expect(await whyStale()).toBe('its file spans.parquet is not what was written');
    await make();
    rmSync(join(folder, 'rejects.parquet'));
    mkdirSync(join(folder, 'rejects.parquet'));
    expect(await whyStale()).toBe('its file rejects.parquet is missing');
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"ingredients":{}}',
    '{"ingredients":null,"files":{},"amounts":{}}',
    '{"ingredients":{},"files":null,"amounts":{}}',
    '{"ingredients":{"texts":1},"files":{},"amounts":{}}',
    '\u0000\u0000\u0000',
  ])('when its marker holds %j', async (text) => {
    await make();
    writeFileSync(marker(), text);
    expect(await readMarker(folder)).toBeUndefined();
    expect(await whyStale()).toBe('not made yet');
  });

  it('when its marker was torn at any byte', async () => {
    await make();
    const whole = readFileSync(marker());
    for (let length = 0; length < whole.length - 2; length += 7) {
      writeFileSync(marker(), whole.subarray(0, length));
      expect(await whyStale()).toBe('not made yet');
    }
  });

  it('for any change of its ingredients, and for none when they are the same', async () => {
    const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('toString', 'constructor', 'texts'));
    const some = fc.dictionary(name, fc.string(), { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(some, some, async (before, after) => {
        await clearUnit(folder);
        await sealUnit(folder, before, { files: [], amounts: {} });
        expect((await checkUnit(folder, { ...before })).state).toBe('fresh');
        const same =
          Object.keys(before).length === Object.keys(after).length &&
          Object.entries(before).every(([name, value]) => Object.hasOwn(after, name) && after[name] === value);
        expect((await checkUnit(folder, after)).state).toBe(same ? 'fresh' : 'stale');
      }),
      { numRuns: 25 },
    );
  });
});

describe('a unit that is made again', () => {
  it('loses its marker before any of its files', async () => {
    await make();
    await clearUnit(folder);
    expect(readdirSync(folder)).toEqual([]);
    expect(await whyStale()).toBe('not made yet');
  });

  it('is stale wherever the making is killed: nothing but the marker makes it fresh', async () => {
    await make();
    const steps: readonly (() => Promise<void> | void)[] = [
      () => clearUnit(folder),
      () => writeFileSync(join(folder, 'spans.parquet'), 'spa'),
      () => writeFileSync(join(folder, 'spans.parquet'), 'spans'),
      () => writeFileSync(join(folder, 'rejects.parquet'), ''),
      // What a kill leaves of the marker itself: a temporary name.
      () => writeFileSync(join(folder, 'unit.json.4711.0badf00d.tmp'), '{"ingredients":'),
    ];
    for (const step of steps) {
      await step();
      expect(await whyStale()).toBe('not made yet');
    }
    await sealUnit(folder, INGREDIENTS, { files: ['spans.parquet', 'rejects.parquet'], amounts: {} });
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
  });

  it('is not sealed when a file that it promised is not there', async () => {
    await clearUnit(folder);
    await expect(sealUnit(folder, INGREDIENTS, { files: ['spans.parquet'], amounts: {} })).rejects.toThrow('ENOENT');
    expect(await whyStale()).toBe('not made yet');
  });

  it('has the same marker for the same ingredients and files, byte for byte', async () => {
    await make();
    const before = readFileSync(marker(), 'utf8');
    await make(Object.fromEntries(Object.entries(INGREDIENTS).reverse()));
    expect(readFileSync(marker(), 'utf8')).toBe(before);
  });
});
