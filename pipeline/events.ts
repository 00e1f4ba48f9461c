/** What a run says while it works. Typed facts; only presenters (`src/cli/present.ts`, the report) make text of them. */
import type { DatasetId } from '../data/catalog.js';
import type { Row } from '../src/database.js';
import type { Reject, StageName } from './document.js';

export type RunEvent =
  | { readonly type: 'run-started'; readonly datasets: readonly DatasetId[]; readonly inputs: readonly string[] }
  | {
      readonly type: 'listed';
      readonly dataset: DatasetId;
      /** To be read, the kept ones too. */
      readonly documents: number;
      readonly rejects: number;
      readonly kept: Kept;
    }
  | {
      readonly type: 'stage-started';
      readonly dataset: DatasetId;
      readonly stage: StageName;
      readonly units: number;
      readonly stale: number;
    }
  | {
      readonly type: 'progress';
      readonly dataset: DatasetId;
      readonly stage: StageName;
      readonly what: 'partitions' | 'texts' | 'urls';
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'rejected'; readonly reject: Reject }
  /** A document that cannot be read in this run and stays as it was read before, and why. */
  | { readonly type: 'kept'; readonly dataset: DatasetId; readonly subject: string; readonly why: string }
  /** What a source says of a document that cannot be so, and what was made of it. */
  | { readonly type: 'doubted'; readonly dataset: DatasetId; readonly subject: string; readonly doubt: string }
  | { readonly type: 'note'; readonly dataset: DatasetId | null; readonly message: string }
  | { readonly type: 'checked'; readonly dataset: DatasetId; readonly checks: readonly CheckReport[] }
  | {
      readonly type: 'stage-done';
      readonly dataset: DatasetId;
      readonly stage: StageName;
      readonly report: StageReport;
    };

/** Documents that a run did not find, and that stay as they were last read. */
export interface Kept {
  /** No longer in their folders. */
  readonly gone: number;
  /** Whose file, or the list that named it, could not be read. */
  readonly unread: number;
  /** Whose address gave nothing this time. */
  readonly unanswered: number;
  /** Are all of them a larger share of the documents than the setting max-dropped? */
  readonly too_many: boolean;
  /** Banks or tickers that have several documents of which none was found, those with most first. */
  readonly lost: readonly { readonly subject: string; readonly documents: number }[];
}

/** What a stage did in one run. */
export interface StageReport {
  readonly stage: StageName;
  readonly units: number;
  readonly stale: number;
  readonly seconds: number;
  /** Named amounts: `documents`, `sentences`, `unique_sentences`, `predictions_made`, `predictions_reused`, `rejects`… */
  readonly amounts: Readonly<Record<string, number>>;
  /** The same of the units that were made in this run; the fresh ones are left out. */
  readonly made: Readonly<Record<string, number>>;
  /** Named words: `provider`, `snapshot`… */
  readonly facts: Readonly<Record<string, string>>;
}

/** What a check found in one run. */
export interface CheckReport {
  readonly name: string;
  readonly severity: 'block' | 'warn';
  readonly about: string;
  readonly passed: boolean;
  readonly offending: number;
  /** The first offending row, where there is one. */
  readonly first?: Row;
  /** Why it blocks nothing this time, in the words of who allowed it. */
  readonly overridden?: string;
}
