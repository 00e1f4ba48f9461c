import type { Role, Section, Turn } from '../document.js';

/** A stretch of a document. Offsets count UTF-16 code units of the document's text; publishing counts code points. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Sentence extends Span {
  /**
   * The slice with each run of white space as one space (none inside a word broken at a line end), without what a page prints
   * within it. Never empty.
   */
  readonly text: string;
  /** Transcripts only. */
  readonly speaker?: string;
  readonly role?: Role;
  readonly section?: Section;
}

export interface SegmentOptions {
  /** A transcript has speakers, roles and sections; `detect` looks at the text. */
  readonly kind: 'document' | 'transcript' | 'detect';
  /** Turns that the file format stated; otherwise they are read from the text. */
  readonly turns?: readonly Turn[];
}
