/** What the stages say to each other about documents; each stage knows these words and no other stage. */
import type { DatasetId } from '../data/catalog.js';

/** The value of a dimension: a date is an ISO day, null where the source does not say. */
export type DimensionValue = string | number | null;

export type StageName = 'ingest' | 'segment' | 'classify' | 'aggregate' | 'publish';

/** Something left out, and why. The reason is a sentence for a person: what is wrong and, where it helps, what to do. */
export interface Reject {
  readonly dataset: DatasetId;
  /** The path from the input folder, or the document's id where it has one. */
  readonly subject: string;
  readonly stage: 'ingest' | 'segment' | 'publish';
  readonly reason: string;
}

/** Why a sentence is in the text and in the tables, but asked of no model and counted in no metric. */
export type Mark = 'foreign' | 'furniture' | 'speaker' | 'table';

/** Who speaks in a stretch of a transcript. Offsets are UTF-16 code units of the document's text. */
export interface Turn {
  readonly start: number;
  readonly end: number;
  readonly speaker: string | null;
  readonly role: Role | null;
  readonly section: Section | null;
}

export type Role = 'operator' | 'executive' | 'analyst';
export type Section = 'prepared_remarks' | 'questions_and_answers';
