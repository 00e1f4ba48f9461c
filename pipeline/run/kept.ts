/** Documents that a run did not find and that stay as they were last read: how many, and what is said of them. */
import { DATASETS } from '../../data/catalog.js';
import type { Settings } from '../../src/settings.js';
import type { Recalled } from '../1-ingest/raw/recall.js';
import type { Kept } from '../events.js';
import type { DatasetPlan } from './plan.js';

/** So many of a bank or ticker, or of all, before it is told: one that is withdrawn is no lost folder. */
const SEVERAL = 3;

export const countKept = (
  { dataset, documents, recall, unanswering }: Pick<DatasetPlan, 'dataset' | 'documents' | 'recall' | 'unanswering'>,
  { maxDropped }: Pick<Settings, 'maxDropped'>,
): Kept => {
  const recalled = new Map(recall.recalled.map(({ document_id: id, why }) => [id, why]));
  const [dimension] = DATASETS[dataset].partitionBy;
  const ofSubject = new Map<string, { documents: number; kept: number }>();
  let [gone, unread, unanswered, all] = [0, 0, 0, 0];
  for (const { documentId, dimensions } of [...documents.values()].flat()) {
    const why: Recalled['why'] | undefined =
      recalled.get(documentId) ?? (unanswering.has(documentId) ? 'unanswered' : undefined);
    const name = String(dimensions[dimension]);
    const subject = ofSubject.get(name) ?? { documents: 0, kept: 0 };
    ofSubject.set(name, subject);
    all += 1;
    subject.documents += 1;
    gone += why === 'gone' ? 1 : 0;
    unread += why === 'list' || why === 'unread' ? 1 : 0;
    unanswered += why === 'unanswered' ? 1 : 0;
    subject.kept += why === undefined ? 0 : 1;
  }
  const kept = gone + unread + unanswered;
  return {
    gone,
    unread,
    unanswered,
    too_many: kept >= SEVERAL && kept > maxDropped * all,
    lost: [...ofSubject]
      .filter(([, subject]) => subject.documents >= SEVERAL && subject.kept === subject.documents)
      .map(([subject, { documents: count }]) => ({ subject, documents: count }))
      .sort((a, b) => b.documents - a.documents || (a.subject < b.subject ? -1 : 1)),
  };
};

/**
 * `161 found, 182 gone from their folders and kept`; undefined where all were found.
 *
 * @param all what was found and what is kept, with what cannot be read
 */
export const keptText = ({ gone, unread, unanswered }: Kept, all: number): string | undefined => {
  const kept = gone + unread + unanswered;
  if (kept === 0) return undefined;
  return [
    `${count(all - kept)} found`,
    ...(gone === 0 ? [] : [`${count(gone)} gone from their folders and kept`]),
    ...(unread === 0 ? [] : [`${count(unread)} that could not be read and stay as they were last`]),
    ...(unanswered === 0 ? [] : [`${count(unanswered)} kept as they were last, for their addresses gave nothing`]),
  ].join(', ');
};

/** What somebody must look at; undefined where nothing. */
export const keptWarning = ({ gone, unread, unanswered, too_many: many, lost }: Kept): string | undefined => {
  const named = lost.slice(0, MOST_NAMED).map(({ subject, documents }) => `${subject} (${count(documents)})`);
  const more = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more` : '';
  const found = [
    ...(many ? [`${count(gone + unread + unanswered)} documents were not found`] : []),
    ...(lost.length === 0 ? [] : [`nothing was found of ${named.join(', ')}${more}`]),
  ];
  return found.length === 0 ? undefined : `${found.join(', and ')}: what was last read stays. Is a folder lost?`;
};

const MOST_NAMED = 5;
const count = (n: number): string => n.toLocaleString('en');
