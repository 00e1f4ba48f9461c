import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../pipeline/1-ingest/extract.js';
import { pdf } from '../../../pipeline/1-ingest/formats/pdf.js';
import { packagePath } from '../../../src/package-root.js';
import { findShared, toWords } from '../../support/words.js';

const corpus = packagePath('..', 'shared', 'corpora', 'WorldCentralBanks', 'raw_data');
const released = packagePath('..', 'shared', 'eval', 'extraction');
const missing = !existsSync(corpus) || !existsSync(released);
if (missing)
  process.stderr.write('Skipped: quality of extraction; the corpora and their released texts are not there.\n');

/**
 * Documents of each kind, and what must be reached, a little below what is: recall and precision of the words that the
 * released text has in the same order. Where precision is low the release leaves paragraphs out; see formats/README.md.
 */
const FLOORS: readonly (readonly [string, string, number, number, string])[] = [
  ['bank_of_england', '2007/bank_of_england_21-02-2007', 0.991, 0.981, 'numbered paragraphs, a title page'],
  ['bank_of_england', '2002/bank_of_england_17-07-2002', 0.996, 0.973, 'line ends at hyphens of compounds'],
  ['bank_of_japan', '2007/bank_of_japan_11-07-2007', 0.995, 0.836, 'a cover, a roster, notes, votes'],
  ['bank_of_japan', '2014/bank_of_japan_25-11-2014', 0.9995, 0.626, 'notes with quoted guidelines'],
  ['bank_of_mexico', '2018/bank_of_mexico_21-06-2018', 0.998, 0.605, 'columns beside charts'],
  [
    'central_bank_of_brazil',
    '2001/central_bank_of_brazil_16-01-2001',
    0.9995,
    0.279,
    'fonts of glyph numbers, ordinals',
  ],
  [
    'central_bank_of_brazil',
    '2000/central_bank_of_brazil_15-02-2000',
    0.998,
    0.792,
    'lines stretched to fill their column',
  ],
  [
    'central_bank_of_chile',
    '2019/central_bank_of_chile_29-01-2020',
    0.999,
    0.979,
    'those present, in one paragraph, a running head in two parts',
  ],
  ['central_bank_of_egypt', '2008/central_bank_of_egypt_25-12-2008', 0.994, 0.989, 'letterhead and addresses'],
  [
    'central_bank_of_the_philippines',
    '2004/central_bank_of_the_philippines_10-03-2004',
    0.978,
    0.767,
    'bullets, notes, a space too narrow to show',
  ],
  [
    'central_bank_of_the_philippines',
    '2003/central_bank_of_the_philippines_30-07-2003',
    0.976,
    0.74,
    'notes over pages',
  ],
  [
    'central_bank_of_the_philippines',
    '2004/central_bank_of_the_philippines_28-07-2004',
    0.999,
    0.757,
    'words set in two pieces',
  ],
  [
    'central_bank_of_the_philippines',
    '2005/central_bank_of_the_philippines_01-06-2005',
    0.998,
    0.66,
    'words and hyphens set in two pieces',
  ],
  ['reserve_bank_of_india', '2017/reserve_bank_of_india_07-02-2017', 0.997, 0.921, 'letterhead in two scripts, a vote'],
  ['reserve_bank_of_india', '2023/reserve_bank_of_india_06-06-2023', 0.996, 0.901, 'marks of notes behind years'],
  ['swiss_national_bank', '2009/swiss_national_bank_17-09-2009', 0.997, 0.986, 'a chart and its tables'],
];

describe.skipIf(missing)('the text of a real PDF', () => {
  it.each(FLOORS)('of %s (%s) has recall %d and precision %d at least: %s', async (bank, file, recall, precision) => {
    const theirs = toWords(readFileSync(`${released}/${bank}/${file.split('/')[1]}.txt`, 'utf8'));
    const { text } = await pdf.extract(readFileSync(`${corpus}/${bank}/${file}.pdf`), LIMITS);
    const ours = toWords(text);
    const { shared } = findShared(theirs, ours);
    expect(shared / theirs.length).toBeGreaterThanOrEqual(recall);
    expect(shared / ours.length).toBeGreaterThanOrEqual(precision);
  });
});
