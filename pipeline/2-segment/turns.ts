/**
 * Who speaks where in a transcript: speaker lines (`Name -- Title`, `Operator`), `Name: text`, or turns that the format
 * stated. Roles come from titles first, then from the order of the call.
 */
import type { Role, Section, Turn } from '../document.js';
import type { Line } from './lines.js';
import { roleOfTitle } from './roles.js';
import { isQuestionsHeading, opensQuestions } from './sections.js';
import type { SegmentOptions, Sentence } from './sentence.js';
import { isOperator } from './speaker-lines.js';
import { findSpeakers, type SpeakerLine } from './speakers.js';
import { readStatedTurns } from './stated-turns.js';

export type Spoken = Pick<Sentence, 'speaker' | 'role' | 'section'>;

export interface Transcript {
  /** The lines, those that only name a speaker marked as such. */
  readonly lines: readonly Line[];
  /** Who speaks at a position; positions must not decrease from call to call. */
  readonly speakerAt: (position: number) => Spoken | undefined;
}

/** Reads who speaks where; for a document that is no transcript nobody speaks. */
export const readTurns = (text: string, lines: readonly Line[], options: SegmentOptions): Transcript => {
  if (options.turns !== undefined) return readStated(text, lines, options.turns);
  if (options.kind === 'document') return { lines, speakerAt: nobody };
  const found = findSpeakers(text, lines, options.kind);
  if (found.length === 0) return { lines, speakerAt: nobody };
  return { lines: markLines(lines, found), speakerAt: follow(toStretches(text, lines, found)) };
};

const nobody = (): undefined => undefined;

const markLines = (lines: readonly Line[], found: readonly SpeakerLine[]): readonly Line[] => {
  if (found.length === 0) return lines;
  const marked = [...lines];
  for (const { line: index, shape } of found) {
    const line = lines[index];
    if (line !== undefined)
      marked[index] = {
        ...line,
        kind: shape === 'line' ? 'speaker' : 'turn',
        mark: shape === 'line' ? undefined : line.mark,
      };
  }
  return marked;
};

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly spoken: Spoken;
}

const follow = (stretches: readonly Stretch[]): Transcript['speakerAt'] => {
  let index = 0;
  return (position) => {
    while (index < stretches.length && position >= (stretches[index]?.end ?? 0)) index++;
    const stretch = stretches[index];
    return stretch !== undefined && position >= stretch.start ? stretch.spoken : undefined;
  };
};

const toSpoken = (speaker: string | null, role: Role | null, section: Section | null): Spoken => ({
  ...(speaker === null || speaker === '' ? {} : { speaker }),
  ...(role === null ? {} : { role }),
  ...(section === null ? {} : { section }),
});

/** What the format stated, and where it is silent what the order of the call tells. */
const readStated = (text: string, lines: readonly Line[], turns: readonly Turn[]): Transcript => {
  const stated = readStatedTurns(text, lines, turns);
  const switchAt = findQuestions(text, lines, stated);
  const roles = assignRoles(stated, switchAt);
  const marked = [...markLines(lines, stated)];
  for (const { named } of stated) {
    const line = lines[named];
    if (line !== undefined) marked[named] = { ...line, kind: 'speaker', mark: undefined };
  }
  const stretches = stated.map(({ turn, start, name }) => {
    const role = turn.role ?? (name === '' ? null : (roles.get(name) ?? null));
    return { start, end: turn.end, spoken: toSpoken(turn.speaker, role, turn.section ?? sectionAt(start, switchAt)) };
  });
  return { lines: marked, speakerAt: follow(stretches) };
};

const sectionAt = (start: number, switchAt: number): Section =>
  start >= switchAt ? 'questions_and_answers' : 'prepared_remarks';

const toStretches = (text: string, lines: readonly Line[], found: readonly SpeakerLine[]): Stretch[] => {
  const switchAt = findQuestions(text, lines, found);
  const roles = assignRoles(found, switchAt);
  return found.map((speaker, index) => {
    const start = speaker.start;
    const end = found[index + 1]?.start ?? text.length;
    return { start, end, spoken: toSpoken(speaker.name, roles.get(speaker.name) ?? null, sectionAt(start, switchAt)) };
  });
};

/** Characters that others than the operator say before questions can open. */
const REMARKS = 1000;

/** Where questions and answers begin: at their heading, the operator's opening of the questions, or the first analyst. */
const findQuestions = (text: string, lines: readonly Line[], found: readonly SpeakerLine[]): number => {
  const firstSpeaker = found[0]?.start ?? text.length;
  const heading = lines.find((line) => line.start > firstSpeaker && isQuestionsHeading(text, line));
  let position = heading?.start ?? Number.POSITIVE_INFINITY;
  let spoken = 0;
  for (const [index, speaker] of found.entries()) {
    if (speaker.start >= position) break;
    const end = found[index + 1]?.start ?? text.length;
    const isOpening =
      isOperator(speaker.name) &&
      spoken >= REMARKS &&
      opensQuestions(text.slice(speaker.start, Math.min(end, speaker.start + 1500)));
    const previous = found[index - 1];
    const isAsking =
      speaker.role === 'analyst' &&
      (spoken >= REMARKS || (previous === undefined ? speaker.proof === 'strong' : isOperator(previous.name)));
    if (isOpening || isAsking) {
      position = speaker.start;
      break;
    }
    if (!isOperator(speaker.name)) spoken += end - speaker.start;
  }
  return position;
};

/** Titles tell; who is named without one speaks for the company in the prepared remarks, and asks when first heard after the operator. */
const assignRoles = (found: readonly SpeakerLine[], switchAt: number): ReadonlyMap<string, Role> => {
  const roles = new Map<string, Role>();
  for (const { name, role } of found) {
    if (isOperator(name)) roles.set(name, 'operator');
    else if (role !== undefined && !roles.has(name)) roles.set(name, role);
  }
  let previous: string | undefined;
  for (const { name, start } of found) {
    if (!roles.has(name)) {
      const named = roleOfTitle(name);
      if (named !== undefined) roles.set(name, named);
      else if (start < switchAt) roles.set(name, 'executive');
      else roles.set(name, previous !== undefined && isOperator(previous) ? 'analyst' : 'executive');
    }
    previous = name;
  }
  return roles;
};
