import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStruct, writeStruct } from '../../../src/parquet/thrift.js';
import { temporaryFolder, testDatabase } from '../../support/rig.js';

const folder = temporaryFolder();

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('structures of the compact protocol', () => {
  // By hand, from the protocol's own description.
  it.each<readonly [what: string, wire: string]>([
    ['an empty one', '00'],
    ['the number 1 of 32 bits in field 1, and -1 of 64 bits in field 3', '15 02 26 01 00'],
    ['a field further than 15 from the one before', '15 02 05 28 04 00'],
    ['true in field 1 and false in field 2', '11 12 00'],
    ['a text and the number 300', '18 02 68 69 15 d8 04 00'],
    ['a list of three numbers', '19 35 02 04 06 00'],
    ['a list of two truth values', '19 21 01 02 00'],
    ['a list of sixteen bytes', `19 f3 10 ${'07'.repeat(16)} 00`],
    ['a map of one text to a number, and an empty map', '1b 01 85 01 61 02 1b 00 00'],
    ['a number with a point', '17 000000000000f03f 00'],
    ['one within another', '1c 15 02 00 15 04 00'],
  ])('are read and written again: %s', (_what, wire) => {
    expect(writeStruct(readStruct(bytes(wire)))).toEqual(bytes(wire));
  });

  it('mean what they should', () => {
    const fields = readStruct(bytes('15 02 26 01 18 02 68 69 00'));
    expect([...fields]).toEqual([
      [1, { type: 'integer', wire: 5, value: 1n }],
      [3, { type: 'integer', wire: 6, value: -1n }],
      [4, { type: 'binary', value: bytes('6869') }],
    ]);
  });

  it('hold every number of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const written = writeStruct(new Map([[1, { type: 'integer', wire: 6, value }]]));
        expect(readStruct(written).get(1)).toEqual({ type: 'integer', wire: 6, value });
      }),
    );
  });

  it('are those of a footer that DuckDB wrote, byte for byte', async () => {
    const database = await testDatabase(folder);
    const file = join(folder, 'range.parquet');
    await database.writeQuery(
      "SELECT range AS n, 'text ' || (range % 9) AS t, range / 3 AS v FROM range(300000)",
      file,
    );
    const content = readFileSync(file);
    const length = content.readUInt32LE(content.length - 8);
    const footer = content.subarray(content.length - 8 - length, content.length - 8);
    expect(length).toBeGreaterThan(500);
    expect(writeStruct(readStruct(footer))).toEqual(Buffer.from(footer));
  });

  it('that end too early, or are of another kind, are refused', () => {
    for (const wire of ['', '15', '15 02', '18 05 68 69', '1d 00', '19 35 02 04', '16 ffffffffffffffffffff01 00']) {
      expect(() => readStruct(bytes(wire)), wire).toThrow(RangeError);
    }
  });
});
