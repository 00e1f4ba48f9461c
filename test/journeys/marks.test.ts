import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, parquet, type Row } from '../../src/database.js';
import { fintext } from '../support/fintext.js';
import { idOf, manifestOf, type Night, openNights, textOf } from '../support/nightly.js';

const SPANISH =
  'La Junta de Gobierno decidió mantener la tasa de interés en su nivel actual. La inflación general siguió disminuyendo.';
const MODELS = 7;

describe('a foreign paragraph within an English document', () => {
  const nights = openNights();
  let night: Night;

  const read = async (name: string): Promise<readonly Row[]> => {
    const database: Database = await openDatabase({ memoryMb: 256, temporaryFolder: nights.folder, threads: 1 });
    try {
      const file = parquet(join(nights.outputs.snapshot('wcb', night.snapshot), `${name}.parquet`));
      return await database.rows(`SELECT * FROM ${file} ORDER BY ALL`);
    } finally {
      database.close();
    }
  };
  const amounts = (stage: string): Readonly<Record<string, number>> | undefined =>
    night.events.flatMap((event) =>
      event.type === 'stage-done' && event.stage === stage ? [event.report.amounts] : [],
    )[0];

  beforeAll(async () => {
    nights.write('corpus/1.txt', `${textOf(1)}\n${SPANISH}\n\n${textOf(2)}`);
    nights.write('corpus/2.txt', textOf(3));
    nights.write('corpus/manifest.csv', manifestOf(['1.txt', '2.txt']));
    night = await nights.rebuild(['corpus']);
  });

  it('is in the sentences, marked and with no label', async () => {
    const sentences = (await read('sentences')).filter((row) => row.document_id === idOf(1));
    expect(sentences.map((row) => [row.language, row.mark, row.cb_stance_label === null])).toEqual([
      ['en', null, false],
      ['en', null, false],
      ['es', 'foreign', true],
      ['es', 'foreign', true],
      ['en', null, false],
      ['en', null, false],
    ]);
  });

  it('is in no count', async () => {
    const documents = await read('documents');
    expect(documents.map((row) => [row.document_id, row.sentence_count, row.marked_count])).toEqual([
      [idOf(1), 6, 2],
      [idOf(2), 2, 0],
    ]);
    const totals = (await read('counts')).map((row) => [row.cb_stance_label__total, row.cb_certain_label__total]);
    expect(totals).toEqual([
      [4, 4],
      [2, 2],
    ]);
  });

  it('is asked of no model', () => {
    expect(amounts('segment')).toMatchObject({ sentences: 8, marked: 2 });
    expect(amounts('classify')).toMatchObject({ unique_texts: 6, predictions_made: 6 * MODELS });
  });

  it('is named where a person looks', async () => {
    const ask = (args: readonly string[]) => fintext([...args, '--outputs', nights.outputs.folder]);
    const { stdout } = await ask(['explain', idOf(1), '--metric', 'stance']);
    expect(stdout).toContain('6 sentences, 2 of them marked, asked of no model and not counted');
    expect(stdout).toMatch(/2 {2}\(foreign\) +La Junta de Gobierno/);
    const slip = await ask(['explain', idOf(1), '--metric', 'uncertanty']);
    expect([slip.code, slip.stderr]).toEqual([
      2,
      'fintext: There is no metric uncertanty. Did you mean uncertainty? Without --metric all 7 of wcb are shown.\n',
    ]);
    const cut = await fintext(['segment', nights.input('corpus/1.txt')]);
    expect(
      cut.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).mark),
    ).toEqual([undefined, undefined, 'foreign', 'foreign', undefined, undefined]);
  });

  it('makes no other document stale, and the snapshot the same from nothing', async () => {
    nights.write('corpus/2.txt', `${textOf(3)}\n${SPANISH}\n`);
    const changed = await nights.rebuild(['corpus']);
    nights.write('corpus/2.txt', textOf(3));
    expect((await nights.rebuild(['corpus'])).snapshot).toBe(night.snapshot);
    expect(changed.snapshot).not.toBe(night.snapshot);
    // The text is known to no model, although it was published twice.
    const made = changed.events.flatMap((event) =>
      event.type === 'stage-done' && event.stage === 'classify' ? [event.report.amounts.predictions_made] : [],
    );
    expect(made).toEqual([0]);
  });
});
