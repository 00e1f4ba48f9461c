/** A bank whose list is missing or damaged: what was published of its files stays, and what is wrong is said once. */
import { describe, expect, it } from 'vitest';
import { openNights, textOf } from '../../support/nightly.js';

const bank = 'bank_of_mexico';
const other = 'bank_of_japan';
const folderOf = (name: string): string => `corpus/raw_data/${name}`;
const listOf = (name: string): string => `${folderOf(name)}/${name}_metadata.json`;
const entry = (name: string, day: string) => ({
  start_date: day,
  end_date: day,
  release_date: day,
  original_document_name: `${name}_${day}.txt`,
});
const whole = JSON.stringify({ '2023': [entry(bank, '18-01-2023'), entry(bank, '18-02-2023')] });

const openCorpus = async () => {
  const nights = openNights();
  for (const [at, day] of ['18-01-2023', '18-02-2023'].entries())
    nights.write(`${folderOf(bank)}/2023/${bank}_${day}.txt`, textOf(at + 1));
  nights.write(listOf(bank), whole);
  nights.write(`${folderOf(other)}/2023/${other}_18-03-2023.txt`, textOf(3));
  nights.write(listOf(other), JSON.stringify({ '2023': [entry(other, '18-03-2023')] }));
  const first = await nights.rebuild(['corpus']);
  expect([first.documents.length, first.rejects]).toEqual([3, {}]);
  return { nights, first };
};

describe('a bank whose list names its files no more', () => {
  it.each([
    ['is missing', undefined, [`raw_data/${bank}/${bank}_metadata.json`]],
    ['is empty', '', [`raw_data/${bank}/${bank}_metadata.json`]],
    ['is cut short', whole.slice(0, -20), [`raw_data/${bank}/${bank}_metadata.json`]],
    ['is no object of years', '[]', [`raw_data/${bank}/${bank}_metadata.json`]],
    ['has a year that is no list', '{"2023": 5}', [`raw_data/${bank}/${bank}_metadata.json 2023`]],
  ])('keeps its documents where the list %s, and the list is the reject', async (_what, text, subjects) => {
    const { nights, first } = await openCorpus();
    if (text === undefined) nights.remove(listOf(bank));
    else nights.write(listOf(bank), text);
    const night = await nights.rebuild(['corpus']);
    expect(night.documents).toEqual(first.documents);
    expect(Object.keys(night.rejects)).toEqual(subjects);
    expect(night.events.filter(({ type }) => type === 'kept')).toEqual([
      {
        type: 'kept',
        dataset: 'wcb',
        subject: `2 documents whose files are there (${bank}_2023-01-18, ${bank}_2023-02-18)`,
        why: 'the list that named them is missing or cannot be read. Mend it: the rejects name it.',
      },
    ]);
    expect(night.notes).not.toContain('Gone from their folders');

    nights.write(listOf(bank), whole);
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(first.snapshot);
  });

  it('keeps its documents where an entry is none, and says what that is', async () => {
    const { nights, first } = await openCorpus();
    nights.write(listOf(bank), JSON.stringify({ '2023': [entry(bank, '18-01-2023'), 5] }));
    const night = await nights.rebuild(['corpus']);
    expect(night.documents).toEqual(first.documents);
    expect(night.rejects).toEqual({
      [`raw_data/${bank}/${bank}_metadata.json 2023[1]`]: 'Invalid input: expected object, received number',
    });
  });

  it('has a reject for each file that was never published', async () => {
    const { nights, first } = await openCorpus();
    nights.write(`${folderOf(bank)}/2023/new.txt`, textOf(4));
    nights.remove(listOf(bank));
    const night = await nights.rebuild(['corpus']);
    expect(night.documents).toEqual(first.documents);
    expect(Object.keys(night.rejects)).toEqual([
      `raw_data/${bank}/2023/new.txt`,
      `raw_data/${bank}/${bank}_metadata.json`,
    ]);
  });
});
