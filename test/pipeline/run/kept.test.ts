import { describe, expect, it } from 'vitest';
import type { Recalled } from '../../../pipeline/1-ingest/raw/recall.js';
import { countKept, keptWarning } from '../../../pipeline/run/kept.js';
import type { DatasetPlan } from '../../../pipeline/run/plan.js';
import type { PlannedDocument } from '../../../pipeline/stage.js';

const documentsOf = (bank: string, count: number): readonly PlannedDocument[] =>
  Array.from({ length: count }, (_, at) => ({
    dataset: 'wcb',
    documentId: `${bank} ${at}`,
    partition: `${bank}/2023`,
    dimensions: { bank_name: bank, year: 2023, date: null },
    title: null,
    sourceUrl: null,
    file: `/corpora/${bank}-${at}`,
    path: `${bank}-${at}`,
    fileSha256: null,
    bytes: 1,
  }));

/** Counts a plan in which these are gone from their folder, and these addresses gave nothing. */
const countOf = (
  documents: readonly PlannedDocument[],
  gone: readonly string[],
  {
    unanswering = [],
    maxDropped = 0.2,
    why = 'gone',
  }: { readonly unanswering?: readonly string[]; readonly maxDropped?: number; readonly why?: Recalled['why'] } = {},
) =>
  countKept(
    {
      dataset: 'wcb',
      documents: new Map([['all', documents]]),
      recall: {
        recalled: gone.map((id) => ({ document_id: id, why })),
        renamed: [],
      } as unknown as DatasetPlan['recall'],
      unanswering: new Set(unanswering),
    },
    { maxDropped },
  );
const idsOf = (bank: string, count: number): readonly string[] =>
  documentsOf(bank, count).map(({ documentId }) => documentId);

describe('documents that were not found', () => {
  const documents = [...documentsOf('bank_of_japan', 4), ...documentsOf('bank_of_england', 16)];

  it('are counted, those gone from folders apart from those whose address gave nothing, each once', () => {
    const unanswering = ['bank_of_japan 0', 'bank_of_japan 1'];
    expect(countOf(documents, ['bank_of_japan 0', 'bank_of_england 1'], { unanswering })).toEqual({
      gone: 2,
      unread: 0,
      unanswered: 1,
      too_many: false,
      lost: [],
    });
  });

  it('are counted apart where they or the list that named them could not be read', () => {
    for (const why of ['list', 'unread'] as const)
      expect(countOf(documents, ['bank_of_japan 0'], { why })).toMatchObject({ gone: 0, unread: 1, unanswered: 0 });
    expect(countOf(documents, idsOf('bank_of_japan', 4), { why: 'unread' }).lost).toHaveLength(1);
  });

  it('are not those that nothing is kept of, for the plan leaves them out', () => {
    expect(countOf(documents, ['bank_of_japan 99']).gone).toBe(0);
  });

  it('are too many where they are a larger share than the setting allows, but not one or two of a few', () => {
    expect(countOf(documents, idsOf('bank_of_england', 4)).too_many).toBe(false);
    expect(countOf(documents, idsOf('bank_of_england', 5)).too_many).toBe(true);
    expect(countOf(documents, idsOf('bank_of_england', 5), { maxDropped: 0.25 }).too_many).toBe(false);
    expect(countOf(documentsOf('bank_of_japan', 2), idsOf('bank_of_japan', 2))).toMatchObject({
      too_many: false,
      lost: [],
    });
  });

  it('are a bank that is lost where it has several and none was found', () => {
    const kept = countOf(documents, idsOf('bank_of_japan', 3), { unanswering: ['bank_of_japan 3'] });
    expect(kept).toMatchObject({ too_many: false, lost: [{ subject: 'bank_of_japan', documents: 4 }] });
    expect(keptWarning(kept)).toBe(
      'nothing was found of bank_of_japan (4): what was last read stays. Is a folder lost?',
    );
    expect(countOf(documents, idsOf('bank_of_japan', 3)).lost).toEqual([]);
  });
});
