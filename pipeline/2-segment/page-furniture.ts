/** Lines that a publisher prints on every page, known by their form alone. */
import type { Line } from './lines.js';

const LONGEST = 120;

const FORMS: readonly RegExp[] = [
  /^(?:Copyright\s)?©|^copyright\s©/i,
  /^(?:F?Q[1-4]|[1-4]Q)\s?(?:FY)?\s?(?:20)?\d\d\s.{0,40}\bCall$/,
  /^Corrected Transcript$/,
  /^1-877-FACTSET\b/,
  /^\p{Lu}{3,9} \d{1,2}, \d{4} \/ \d{1,2}:\d\d\s?[AP]M/u,
];

/** A header, footer or copyright line: it neither goes on nor is gone on with. */
export const isFurniture = (text: string, line: Line): boolean => {
  if (line.end - line.start > LONGEST) return false;
  const slice = text.slice(line.start, line.end);
  return FORMS.some((form) => form.test(slice)) || isCompanyAboveCall(text, line);
};

const CALL = /^\s*\n\s*(?:F?Q[1-4]|[1-4]Q)\s?(?:FY)?\s?(?:20)?\d\d\s.{0,40}\bCall\b/;

/** `Northwind Bearings, Inc. (NWB)` above `Q3 2021 Earnings Call`. */
const isCompanyAboveCall = (text: string, line: Line): boolean =>
  text.charCodeAt(line.end - 1) === 0x29 && CALL.test(text.slice(line.end, line.end + 80));
