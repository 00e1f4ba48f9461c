/** The parts of a call: what is printed above them, and signs that the prepared remarks are over. */
import type { Line } from './lines.js';

const HEADING =
  /^[*_#\s]*(?:questions?\s*(?:and|&|-and-)\s*answers?|q\s*&\s*a)(?:\s+(?:session|section))?[*_\s]*:?[*_\s]*$/i;

/** `Questions and Answers:` on a line of its own. */
export const isQuestionsHeading = (text: string, line: Line): boolean =>
  line.end - line.start <= 48 && HEADING.test(text.slice(line.start, line.end));

/** Headings without their spaces, some of which are set apart as `P R E S E N T A T I O N`. */
const PARTS =
  /^(?:presentation|managementdiscussionsection|preparedremarks|questions?(?:and|&)answers?(?:session|section)?|overview|contents|tableofcontents|callparticipants)$/;

/** Whether a unit is the heading of a part of a call, which whoever printed it put there. */
export const isPartHeading = (unit: string): boolean =>
  unit.length <= 48 && PARTS.test(unit.toLowerCase().replace(/[\s:*_#]+/g, ''));

const OPENING =
  /\bfirst\s+(?:\w+\s+)?question\b|\bquestion[- ]and[- ]answer\s+(?:session|portion|period)\b|\b(?:begin|start|conduct|open|take)\b[^.?!]{0,60}\bquestions?\b|\b(?:begin|start|conduct|open)\b[^.?!]{0,40}\bq\s?&\s?a\b|\bask a question\b/i;

/** Whether the operator opens the questions in this turn. */
export const opensQuestions = (turn: string): boolean => OPENING.test(turn);
