/** Documents to sentences: layout first (which lines belong together), then full stops. */

import { skipWhite, trimWhite } from './characters.js';
import { type Block, toBlocks } from './layout.js';
import { readLines } from './lines.js';
import type { SegmentOptions, Sentence } from './sentence.js';
import { type Rule, readSentenceText } from './sentence-text.js';
import { addGluedSentences, splitGluedHeading, splitInlineList, splitLong } from './splits.js';
import { findBoundaries } from './stops.js';
import { readTurns } from './turns.js';

/**
 * Cuts a text into sentences and stand-alone units (headings, list items, rows, speaker lines), in order and without
 * overlap. Every character that is not white belongs to one of them, except lines of rule characters such as `-----` and what a page
 * prints within a sentence.
 * Depends on nothing but its arguments.
 */
export const segment = (text: string, options: SegmentOptions): Sentence[] => segmentBlocks(text, options).sentences;

export interface Segmented {
  readonly sentences: Sentence[];
  /** Paragraphs, and lines that stand alone, in order. A sentence lies in one of them. */
  readonly blocks: readonly Block[];
}

/** The same, with the blocks that the sentences stand in. */
export const segmentBlocks = (text: string, options: SegmentOptions): Segmented => {
  const read = readLines(text);
  const transcript = readTurns(text, read, options);
  const sentences: Sentence[] = [];
  const blocks = toBlocks(text, transcript.lines);
  for (const block of blocks) {
    let start = block.start;
    for (const found of block.kind !== 'text' ? NONE : boundariesOf(text, block.start, block.end)) {
      if (isOfEdge(text, found, block.end, block.rules)) continue;
      const boundary = outsideRules(text, found, block.end, block.rules);
      push(sentences, text, start, boundary, block.rules, transcript.speakerAt);
      start = boundary;
    }
    push(sentences, text, start, block.end, block.rules, transcript.speakerAt);
  }
  return { sentences, blocks };
};

const NONE: readonly number[] = [];

const boundariesOf = (text: string, start: number, end: number): readonly number[] => {
  const stops = addGluedSentences(text, start, end, findBoundaries(text, start, end));
  const glued = splitGluedHeading(text, start, stops[0] ?? end);
  if (glued > 0) stops.unshift(glued);
  return splitInlineList(text, start, end, stops);
};

/** Whether a full stop is one of what a page prints within a sentence. */
const isOfEdge = (text: string, boundary: number, end: number, rules: readonly Rule[]): boolean =>
  rules.some((rule) => rule.isEdge === true && rule.start < boundary && boundary <= skipWhite(text, rule.end, end));

/** A full stop that is part of a rule line (`. -- .`) cuts behind the line, not within it. */
const outsideRules = (text: string, boundary: number, end: number, rules: readonly Rule[]): number => {
  const around = rules.find((rule) => rule.start < boundary && boundary < rule.end);
  return around === undefined ? boundary : skipWhite(text, around.end, end);
};

type SpeakerAt = (position: number) => Pick<Sentence, 'speaker' | 'role' | 'section'> | undefined;

const push = (
  sentences: Sentence[],
  text: string,
  start: number,
  end: number,
  rules: readonly Rule[],
  speakerAt: SpeakerAt,
): void => {
  const [first, last] = rules.length === 0 ? [start, trimWhite(text, start, end)] : trimRules(text, start, end, rules);
  if (last <= first) return;
  for (const [from, to] of splitLong(text, first, last))
    sentences.push(toSentence(from, to, readSentenceText(text, from, to, rules), speakerAt(from)));
};

/** A rule line at either end of a unit belongs to none. */
const trimRules = (text: string, start: number, end: number, rules: readonly Rule[]): readonly [number, number] => {
  let first = start;
  let last = trimWhite(text, start, end);
  for (const rule of rules) if (rule.start === first) first = skipWhite(text, rule.end, last);
  for (const rule of [...rules].reverse()) if (rule.end === last) last = trimWhite(text, first, rule.start);
  return [first, last];
};

/** Spreading is slow, and nearly all sentences of a transcript have all three. */
const toSentence = (start: number, end: number, text: string, spoken: ReturnType<SpeakerAt>): Sentence => {
  if (spoken === undefined) return { start, end, text };
  const { speaker, role, section } = spoken;
  if (speaker !== undefined && role !== undefined && section !== undefined)
    return { start, end, text, speaker, role, section };
  return { start, end, text, ...spoken };
};
