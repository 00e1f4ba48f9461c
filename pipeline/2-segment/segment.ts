/** Documents to sentences: layout first (which lines belong together), then full stops. */

import { trimWhite } from './characters.js';
import { toBlocks } from './layout.js';
import { readLines } from './lines.js';
import type { SegmentOptions, Sentence } from './sentence.js';
import { readSentenceText } from './sentence-text.js';
import { splitGluedHeading, splitInlineList, splitLong } from './splits.js';
import { findBoundaries } from './stops.js';
import { readTurns } from './turns.js';

/**
 * Cuts a text into sentences and stand-alone units (headings, list items, rows, speaker lines), in order and without
 * overlap. Every character that is not white belongs to one of them, except lines of rule characters such as `-----`.
 * Depends on nothing but its arguments.
 */
export const segment = (text: string, options: SegmentOptions): Sentence[] => {
  const read = readLines(text);
  const transcript = readTurns(text, read, options);
  const sentences: Sentence[] = [];
  for (const block of toBlocks(text, transcript.lines)) {
    let start = block.start;
    for (const boundary of block.kind === 'single' ? NONE : boundariesOf(text, block.start, block.end)) {
      push(sentences, text, start, boundary, transcript.speakerAt);
      start = boundary;
    }
    push(sentences, text, start, block.end, transcript.speakerAt);
  }
  return sentences;
};

const NONE: readonly number[] = [];

const boundariesOf = (text: string, start: number, end: number): readonly number[] => {
  const stops = findBoundaries(text, start, end);
  const glued = splitGluedHeading(text, start, stops[0] ?? end);
  if (glued > 0) stops.unshift(glued);
  return splitInlineList(text, start, end, stops);
};

type SpeakerAt = (position: number) => Pick<Sentence, 'speaker' | 'role' | 'section'> | undefined;

const push = (sentences: Sentence[], text: string, start: number, end: number, speakerAt: SpeakerAt): void => {
  const last = trimWhite(text, start, end);
  if (last <= start) return;
  for (const [from, to] of splitLong(text, start, last)) {
    sentences.push(toSentence(from, to, readSentenceText(text, from, to), speakerAt(from)));
  }
};

/** Spreading is slow, and nearly all sentences of a transcript have all three. */
const toSentence = (start: number, end: number, text: string, spoken: ReturnType<SpeakerAt>): Sentence => {
  if (spoken === undefined) return { start, end, text };
  const { speaker, role, section } = spoken;
  if (speaker !== undefined && role !== undefined && section !== undefined)
    return { start, end, text, speaker, role, section };
  return { start, end, text, ...spoken };
};
