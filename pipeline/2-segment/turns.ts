/**
 * Who speaks where in a transcript: speaker lines (`Name -- Title`, `Operator`), `Name: text`, or turns that the format
 * stated. Roles come from titles first, then from the order of the call.
 */
import type { Role, Section, Turn } from '../document.js';
import type { Line } from './lines.js';
import { roleOfTitle } from './roles.js';
import { type Rosters, readRosters } from './rosters.js';
import { isQuestionsHeading, opensQuestions } from './sections.js';
import type { SegmentOptions, Sentence } from './sentence.js';
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
  const rosters = readRosters(text, lines);
  const found = findSpeakers(text, lines, options.kind, rosters.names);
  if (found.length === 0) return { lines, speakerAt: nobody };
  return { lines: markLines(lines, found), speakerAt: follow(toStretches(text, lines, found, rosters.roleOf)) };
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
  const listed = readRosters(text, lines).roleOf;
  const switchAt = findQuestions(text, lines, stated, listed);
  const roles = assignRoles(stated, switchAt, listed);
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

const toStretches = (
  text: string,
  lines: readonly Line[],
  found: readonly SpeakerLine[],
  listed: Rosters['roleOf'],
): Stretch[] => {
  const switchAt = findQuestions(text, lines, found, listed);
  const roles = assignRoles(found, switchAt, listed);
  return found.flatMap((speaker, index) => {
    const { name, start } = speaker;
    const end = found[index + 1]?.start ?? text.length;
    const role = roles.get(name) ?? null;
    const before = { start, end, spoken: toSpoken(name, role, sectionAt(start, switchAt)) };
    if (switchAt <= start || switchAt >= end) return [before];
    // The heading of the questions stands within a turn.
    return [
      { ...before, end: switchAt },
      { start: switchAt, end, spoken: toSpoken(name, role, 'questions_and_answers') },
    ];
  });
};

/** Characters that others than the operator say before questions can open. */
const REMARKS = 1000;

/** Where questions and answers begin: at their heading, the operator's opening of the questions, or the first analyst. */
const findQuestions = (
  text: string,
  lines: readonly Line[],
  found: readonly SpeakerLine[],
  listed: Rosters['roleOf'],
): number => {
  const firstSpeaker = found[0]?.start ?? text.length;
  const heading = lines.find((line) => line.start > firstSpeaker && isQuestionsHeading(text, line));
  let position = heading?.start ?? Number.POSITIVE_INFINITY;
  let spoken = 0;
  for (const [index, speaker] of found.entries()) {
    if (speaker.start >= position) break;
    const end = found[index + 1]?.start ?? text.length;
    const isOpening =
      speaker.role === 'operator' &&
      spoken >= REMARKS &&
      opensQuestions(text.slice(speaker.start, Math.min(end, speaker.start + 1500)));
    const previous = found[index - 1];
    const isAsking =
      (listed(speaker.name) ?? speaker.role) === 'analyst' &&
      (spoken >= REMARKS || (previous === undefined ? speaker.proof === 'strong' : previous.role === 'operator'));
    if (isOpening || isAsking) {
      position = speaker.start;
      break;
    }
    if (speaker.role !== 'operator') spoken += end - speaker.start;
  }
  return position;
};

/**
 * Titles tell, and lists of participants; who is named in neither speaks for the company in the prepared remarks, and asks when first
 * heard after the operator.
 */
const assignRoles = (
  found: readonly SpeakerLine[],
  switchAt: number,
  listed: Rosters['roleOf'],
): ReadonlyMap<string, Role> => {
  const roles = new Map<string, Role>();
  for (const { name, role } of found) {
    if (roles.has(name)) continue;
    const known = role === 'operator' ? role : (listed(name) ?? role);
    if (known !== undefined) roles.set(name, known);
  }
  let previous: Role | undefined;
  for (const { name, start } of found) {
    if (!roles.has(name)) {
      const named = roleOfTitle(name);
      if (named !== undefined) roles.set(name, named);
      else if (start < switchAt) roles.set(name, 'executive');
      else roles.set(name, previous === 'operator' ? 'analyst' : 'executive');
    }
    previous = roles.get(name);
  }
  return roles;
};
