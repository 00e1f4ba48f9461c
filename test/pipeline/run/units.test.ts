import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkUnit, makeUnit, readMarker, sealUnit } from '../../../pipeline/run/units.js';
import type { UnitOutput, UnitResult } from '../../../pipeline/stage.js';
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
  return makeUnit({ folder, beside: beside(), ingredients, make: async (own) => write(own) });
};

const beside = (): string => join(root, `unit-${units}`, 'segment');
const write = (own: string, spans = 'spans'): UnitResult => {
  writeFileSync(join(own, 'spans.parquet'), spans);
  writeFileSync(join(own, 'rejects.parquet'), '');
  return { files: ['spans.parquet', 'rejects.parquet'], amounts: { sentences: 3 } };
};
/** What lies beside the unit's partition: nothing but it, where nobody died. */
const left = (): readonly string[] => readdirSync(join(root, `unit-${units}`));

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
    mkdirSync(folder, { recursive: true });
    await sealUnit(folder, {}, { files: [], amounts: {} });
    expect(await checkUnit(folder, {})).toMatchObject({ state: 'fresh', output: { files: {} } });
  });

  it('does not mind a file that is not its own, until it is made of something else', async () => {
    await make();
    writeFileSync(join(folder, 'notes.txt'), 'hello');
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
    await make({ ...INGREDIENTS, texts: hashText('other texts') });
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
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
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
  it('is the old one until the new one is whole, and leaves nothing beside it', async () => {
    await make();
    const other = { ...INGREDIENTS, texts: hashText('other texts') };
    const seen: string[] = [];
    await makeUnit({
      folder,
      beside: beside(),
      ingredients: other,
      make: async (own) => {
        expect(readdirSync(own)).toEqual([]);
        const result = write(own, 'other spans');
        seen.push((await checkUnit(folder, INGREDIENTS)).state, (await checkUnit(folder, other)).state);
        return result;
      },
    });
    expect(seen).toEqual(['fresh', 'stale']);
    expect(await checkUnit(folder, other)).toMatchObject({ state: 'fresh' });
    expect(readFileSync(join(folder, 'spans.parquet'), 'utf8')).toBe('other spans');
    expect(left()).toEqual(['bank_of_japan']);
  });

  it('stays what it was where the making fails, or a promised file is not there', async () => {
    await make();
    const failing = (made: () => Promise<UnitResult>): Promise<UnitOutput> =>
      makeUnit({ folder, beside: beside(), ingredients: { stage: 'other' }, make: made });
    await expect(failing(() => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
    await expect(failing(async () => ({ files: ['spans.parquet'], amounts: {} }))).rejects.toThrow('ENOENT');
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
    expect(left()).toEqual(['bank_of_japan']);
  });

  it('is made good where it was damaged or something else has its name', async () => {
    await make();
    writeFileSync(join(folder, 'spans.parquet'), 'changed by hand');
    await make();
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
    await make();
    expect(await checkUnit(folder, INGREDIENTS)).toMatchObject({ state: 'fresh' });
  });

  it('by many at a time is never a mixed one, and is whole at the end', async () => {
    await make({ stage: 'an older version' });
    let ended = false;
    const looking = (async (): Promise<readonly string[]> => {
      const seen = new Set<string>();
      while (!ended) {
        const found = await checkUnit(folder, INGREDIENTS);
        seen.add(found.state === 'fresh' ? 'fresh' : found.why);
      }
      return [...seen];
    })();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        makeUnit({
          folder,
          beside: beside(),
          ingredients: INGREDIENTS,
          make: async (own) => {
            await new Promise((done) => setTimeout(done, at));
            return write(own);
          },
        }),
      ),
    );
    ended = true;
    // Old, between the two for a moment, or new; a file that is not what its marker says would be a mixed one.
    const allowed = /^(fresh|stage changed .*|not made yet|its file \S+ is missing)$/;
    expect((await looking).filter((state) => !allowed.test(state))).toEqual([]);
    expect(await checkUnit(folder, INGREDIENTS)).toEqual({ state: 'fresh', output: made[0] });
    expect(left()).toEqual(['bank_of_japan']);
  });

  it('by the same hands twice is left alone: a late attempt changes nothing', async () => {
    await make();
    const before = statSync(marker()).ino;
    await make();
    expect(statSync(marker()).ino).toBe(before);
  });

  it('has the same marker for the same ingredients and files, byte for byte', async () => {
    await make();
    const before = readFileSync(marker(), 'utf8');
    await make(Object.fromEntries(Object.entries(INGREDIENTS).reverse()));
    expect(readFileSync(marker(), 'utf8')).toBe(before);
  });
});
