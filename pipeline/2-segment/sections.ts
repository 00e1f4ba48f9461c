/** Signs that the prepared remarks of a call are over. */
import type { Line } from './lines.js';

const HEADING =
  /^[*_#\s]*(?:questions?\s*(?:and|&|-and-)\s*answers?|q\s*&\s*a)(?:\s+(?:session|section))?[*_\s]*:?[*_\s]*$/i;

/** `Questions and Answers:` on a line of its own. */
export const isQuestionsHeading = (text: string, line: Line): boolean =>
  line.end - line.start <= 48 && HEADING.test(text.slice(line.start, line.end));

const OPENING =
  /\bfirst\s+(?:\w+\s+)?question\b|\bquestion[- ]and[- ]answer\s+(?:session|portion|period)\b|\b(?:begin|start|conduct|open|take)\b[^.?!]{0,60}\bquestions?\b|\b(?:begin|start|conduct|open)\b[^.?!]{0,40}\bq\s?&\s?a\b|\bask a question\b/i;

/** Whether the operator opens the questions in this turn. */
export const opensQuestions = (turn: string): boolean => OPENING.test(turn);
