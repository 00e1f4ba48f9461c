/**
 * THE CHECKS that a staged snapshot must pass, as data: names, severities and bounds. Each is a query over the staged tables
 * (`documents`, `counts`, `sentences`, `rejects`), over what documents are told to be alike by (`sketches`), over what of the
 * tables changed (`changed_documents`, `changed_counts`, `changed_sentences`) and the last snapshot's (`last_documents`,
 * `last_counts`, and `last_uncompared`: why there is none to compare with) that returns the offending rows; no row, no fault.
 * Their first rows land in the report.
 */
import type { CheckInput } from './checks/input.js';
import {
  documentsLost,
  labelSharesMoved,
  metricMeansMoved,
  newestLost,
  newLabelsUnlike,
  sentencesLost,
} from './checks/of-drift.js';
import {
  countsWrong,
  datedAhead,
  dimensionsUnknown,
  filedTwice,
  foreignKeysLost,
  metricsOutOfRange,
  metricsWrong,
  newestTooOld,
  noDocuments,
  oneLabelOnly,
  predictionsMissing,
  releasedTooEarly,
  repeated,
  sentencesIncomplete,
  sentencesMiscounted,
  spansOutOfOrder,
  tooManyRejects,
} from './checks/of-tables.js';
import { SKETCH } from './sketches.js';

export interface Check {
  readonly name: string;
  /** `block`: nothing is published, unless a person allows it and says why. `warn`: it is said. */
  readonly severity: 'block' | 'warn';
  /** What must hold; from the input where a setting switches the check off. */
  readonly about: string | ((input: CheckInput) => string);
  readonly sql: (input: CheckInput) => string;
  /**
   * A fault of it lies within one partition: asked of those alone that changed since they passed. Everything else is asked of
   * all documents, and reads no sentences.
   */
  readonly within?: 'partition';
  /** Compares with the last snapshot: asked only where there is one that can be compared with (`last.ts`). */
  readonly againstLast?: true;
}

/** Every bound that is not a setting. Shares are of 1; a share of few documents or sentences means little. */
export const BOUNDS = {
  rejects: { alwaysAllowed: 20 },
  filedTwice: { shared: 24, documents: 10 },
  sameCorpus: { share: 0.5 },
  oneLabel: { sentences: 300 },
  labelShares: { share: 0.1, documents: 5 },
  newLabels: { sentences: 30, share: 0.95, before: 0.5 },
  metricMeans: { share: 0.1, documents: 5 },
} as const;

export const CHECKS: readonly Check[] = [
  {
    name: 'document_ids_unique',
    severity: 'block',
    about: 'a document_id occurs once',
    sql: repeated('documents', 'document_id'),
  },
  {
    name: 'counts_unique',
    severity: 'block',
    about: 'a document has one row of counts',
    sql: repeated('counts', 'document_id'),
  },
  {
    name: 'sentences_unique',
    severity: 'block',
    within: 'partition',
    about: 'a sentence occurs once in its document',
    sql: repeated('changed_sentences', 'document_id, sentence_index'),
  },
  {
    name: 'documents_present',
    severity: 'block',
    about: 'there is at least one document',
    sql: noDocuments,
  },
  {
    name: 'foreign_keys_found',
    severity: 'block',
    about: 'documents and counts name the same documents',
    sql: foreignKeysLost('documents', 'counts'),
  },
  {
    name: 'sentences_have_documents',
    severity: 'block',
    within: 'partition',
    about: 'documents and sentences name the same documents',
    sql: foreignKeysLost('changed_documents', 'changed_sentences'),
  },
  {
    name: 'sentences_counted',
    severity: 'block',
    about: 'there are as many sentences as the documents say together',
    sql: sentencesMiscounted,
  },
  {
    name: 'sentences_complete',
    severity: 'block',
    within: 'partition',
    about: 'sentence_index runs from 0 to sentence_count - 1, and marked_count of them have a mark',
    sql: sentencesIncomplete,
  },
  {
    name: 'spans_in_order',
    severity: 'block',
    within: 'partition',
    about: 'spans are not empty, do not overlap and follow one another',
    sql: spansOutOfOrder,
  },
  {
    name: 'predictions_present',
    severity: 'block',
    within: 'partition',
    about:
      'every sentence without a mark has a label of every model, and one that the model can give; with a mark, none',
    sql: predictionsMissing,
  },
  {
    name: 'labels_vary',
    severity: 'block',
    about: `no model gives all of ${BOUNDS.oneLabel.sentences} or more sentences one label, but for its last, that there is nothing to find`,
    sql: oneLabelOnly(BOUNDS.oneLabel.sentences),
  },
  {
    name: 'counts_agree',
    severity: 'block',
    within: 'partition',
    about: 'every count is the number of such sentences of the document',
    sql: countsWrong,
  },
  {
    name: 'metrics_agree',
    severity: 'block',
    about: 'every metric is what its formula makes of the counts',
    sql: metricsWrong,
  },
  {
    name: 'metrics_in_range',
    severity: 'block',
    about: 'every metric is null or a finite number in its range',
    sql: metricsOutOfRange,
  },
  {
    name: 'dimensions_known',
    severity: 'block',
    about: 'required dimensions are there, and closed lists (banks, quarters) hold',
    sql: dimensionsUnknown,
  },
  {
    name: 'rejects_bounded',
    severity: 'block',
    about: 'no larger share of the documents is rejected than the setting max-rejects allows, a handful aside',
    sql: tooManyRejects(BOUNDS.rejects.alwaysAllowed),
  },
  {
    name: 'dates_not_ahead',
    severity: 'warn',
    about:
      'no document is dated after the day of the run, or by a year or quarter that cannot have ended: such a date is a slip of its source, and does not count for the newest document',
    sql: datedAhead,
  },
  {
    name: 'released_after_start',
    severity: 'warn',
    about: 'no text of a central bank was released before the meeting that it is about began',
    sql: releasedTooEarly,
  },
  {
    name: 'texts_filed_once',
    severity: 'warn',
    about: `no two documents have nearly the same text, ${BOUNDS.filedTwice.shared} or more of ${SKETCH} of their longer sentences: one of them is likely to be filed under a name or day that is not its own`,
    sql: filedTwice(BOUNDS.filedTwice),
  },
  {
    name: 'newest_document_recent',
    severity: 'warn',
    about: ({ settings }) =>
      settings.maxAgeDays > 0
        ? `the newest document of each bank or ticker is no more than ${settings.maxAgeDays} days old, as the setting max-age-days allows`
        : 'off: the setting max-age-days is 0, and the newest document of a bank or ticker may be of any age',
    sql: newestTooOld,
  },
  {
    name: 'last_snapshot_compared',
    severity: 'warn',
    about: `of the snapshots before this one, if there are any, one is of the same corpus and is compared with: a whole one of the same input folders, or with at least ${BOUNDS.sameCorpus.share} of its documents here; a first snapshot has nothing to be compared with`,
    sql: () => 'SELECT why FROM last_uncompared',
  },
  {
    name: 'documents_kept',
    severity: 'block',
    about: 'no larger share of the last snapshot’s documents is missing than the setting max-dropped allows',
    againstLast: true,
    sql: documentsLost,
  },
  {
    name: 'sentences_kept',
    severity: 'block',
    about:
      'the documents that the last snapshot had too lost no larger share of their sentences than max-dropped allows',
    againstLast: true,
    sql: sentencesLost,
  },
  {
    name: 'newest_document_kept',
    severity: 'warn',
    about: 'the newest document of each bank or ticker is not older than in the last snapshot',
    againstLast: true,
    sql: newestLost,
  },
  {
    name: 'label_shares_steady',
    severity: 'block',
    about: `over the documents that both have, no label’s share moved by more than ${BOUNDS.labelShares.share} while its model is the same`,
    againstLast: true,
    sql: labelSharesMoved('the same way', BOUNDS.labelShares),
  },
  {
    name: 'label_shares_steady_across_models',
    severity: 'warn',
    about: `the same where the model is another: no label’s share moved by more than ${BOUNDS.labelShares.share}`,
    againstLast: true,
    sql: labelSharesMoved('another way', BOUNDS.labelShares),
  },
  {
    name: 'new_labels_alike',
    severity: 'block',
    about: `new documents are not given one label nearly throughout (${BOUNDS.newLabels.share}) that was not even half of all, while its model is the same`,
    againstLast: true,
    sql: newLabelsUnlike('the same way', BOUNDS.newLabels),
  },
  {
    name: 'new_labels_alike_across_models',
    severity: 'warn',
    about: 'the same where the model is another: new documents are not given one label nearly throughout that was rare',
    againstLast: true,
    sql: newLabelsUnlike('another way', BOUNDS.newLabels),
  },
  {
    name: 'metric_means_steady',
    severity: 'block',
    about: `over the documents that both have, no metric’s mean moved by more than ${BOUNDS.metricMeans.share} of its range while its models and formula are the same`,
    againstLast: true,
    sql: metricMeansMoved('the same way', BOUNDS.metricMeans),
  },
  {
    name: 'metric_means_steady_across_versions',
    severity: 'warn',
    about: `the same where a model or the formula is another: no metric’s mean moved by more than ${BOUNDS.metricMeans.share} of its range`,
    againstLast: true,
    sql: metricMeansMoved('another way', BOUNDS.metricMeans),
  },
];
