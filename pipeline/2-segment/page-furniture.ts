/** Lines that a publisher or a site prints around its texts, known by their form alone. */
import type { Line } from './lines.js';

const LONGEST = 320;

/** Whole lines, or whole sentences, that are nothing else wherever they stand. */
const FORMS: readonly RegExp[] = [
  // Copyright, on every page or at the end.
  /(?:(?:Copyright|COPYRIGHT)\s)?(?:©|\(c\) ?(?:19|20)\d\d\b).*/u,
  /Copyright (?:(?:19|20)\d\d,? )?\p{Lu}.{1,60}?(?:All Rights Reserved\.?)?/u,
  /All [Rr]ights [Rr]eserved\.?/u,
  /Reproduction is permitted provided that the source is acknowledged\./u,
  /The reference to the Press Service is mandatory if you intend to use this material\./u,
  // Publishers of transcripts.
  /Corrected Transcript/u,
  /EDITED TRANSCRIPT/u,
  /Total Pages: \d+/u,
  /Client Id: \d+/u,
  /EVENT DATE\/TIME: .{1,60}/u,
  /1-877-FACTSET\b.{0,60}/u,
  /(?:THOMSON REUTERS|REFINITIV)(?: STREETEVENTS)?(?: \| .{0,60})?/u,
  /Republication or redistribution of .{1,40} content, including by framing or similar means, is prohibited .{1,80}/u,
  /['‘’].{1,40}['‘’] and the .{1,40} logo are registered trademarks of .{1,80}/u,
  /\p{Lu}{3,9} \d{1,2}, \d{4} \/ \d{1,2}:\d\d\s?[AP]M.{0,120}/u,
  /\p{Lu}[\p{Lu}\d .,&'-]+ F?Q[1-4] \d{4} EARNINGS CALL \| .{1,40}/u,
  /(?:www\.)?spglobal\.com\/marketintelligence(?: \d{1,3})?/u,
  /1-888-562-0262 1-604-929-1352 www\.viavid\.com/u,
  /ViaVid has made considerable efforts to provide an accurate transcription[.,].{0,200}/u,
  /There may be material errors, omissions, or inaccuracies in the reporting of the substance of the conference call.{0,40}/u,
  /This transcript is being made available for information purposes only\./u,
  /Duration: \d{1,3}(?::\d\d)? minutes/u,
  // An entry of a table of contents.
  /\p{Lu}[^.]{1,80}(?:\. ?){5,}\d{1,3}/u,
  // Sites.
  /Skip to (?:main )?content/u,
  /(?:Back to|Return to|Go to) (?:the )?top(?: of (?:the )?page)?|Top of (?:the )?page|Return to text/u,
  /[Ss]ite ?[Mm]ap/u,
  /Home ?[>»›] ?\p{Lu}.*/u,
  /We are always working to improve this website for our users\./u,
  /To do this, we use the anonymous data provided by cookies\./u,
  /Learn more about how we use cookies/u,
  /See what has changed in our privacy policy/u,
  /This website requires JavaScript for some content and functionality\./u,
  /Check your browser settings and network\./u,
  /The Reserve Bank of Australia supports the Foundation for Children\./u,
  /Our monetary policy strategy, the tools we use and the impact they have/u,
  /Insights into our work on financial stability and payments infrastructure/u,
  /Access to all ECB statistics and background information/u,
  /All you need to know about our common currency/u,
  /In-depth studies and expert analyses covering diverse topics and fields/u,
];

const CERTAIN = new RegExp(`^(?:${FORMS.map(({ source }) => source).join('|')})$`, 'u');

/** Forms that are furniture beside what certainly is, and may be something else elsewhere: dates, numbers, titles of calls. */
const BESIDE =
  /^(?:\d{1,3}|\d{1,2}-\p{Lu}\p{Ll}{2}-\d{4}|(?:F?Q[1-4]|[1-4]Q)\s?(?:FY)?\s?(?:20)?\d\d\s.{0,40}\bCall|\p{Lu}{1,5}(?:\.\p{Lu}{1,2})? - (?:F?Q[1-4]|[1-4]Q) .{1,80}\bCall|.{1,80}\b(?:Inc|Corp|Co|Ltd|LLC|Plc|PLC|N\.V|S\.A|Company|Corporation|Limited|Group|Holdings)\.? \(\p{Lu}[\p{Lu}.:]{0,9}\)|.{1,80} Earnings Conference Call, \p{Lu}\p{Ll}+ \d{1,2}, \d{4})$/u;

/** A whole line or sentence that a publisher or a site prints around its texts. */
export const isFurnitureText = (slice: string): boolean => slice.length <= LONGEST && CERTAIN.test(slice);

/** What is furniture where it stands beside furniture. */
export const isFurnitureBeside = (slice: string): boolean => slice.length <= 120 && BESIDE.test(slice);

const LONGEST_LINE = 120;
const CALL_TITLE = /^(?:F?Q[1-4]|[1-4]Q)\s?(?:FY)?\s?(?:20)?\d\d\s.{0,40}\bCall$/;

/** A header, footer or copyright line: it neither goes on nor is gone on with. */
export const isFurniture = (text: string, line: Line): boolean => {
  if (line.end - line.start > LONGEST_LINE) return false;
  const slice = text.slice(line.start, line.end);
  return CERTAIN.test(slice) || CALL_TITLE.test(slice) || isCompanyAboveCall(text, line);
};

const CALL = /^\s*\n\s*(?:F?Q[1-4]|[1-4]Q)\s?(?:FY)?\s?(?:20)?\d\d\s.{0,40}\bCall\b/;

/** `Northwind Bearings, Inc. (NWB)` above `Q3 2021 Earnings Call`. */
const isCompanyAboveCall = (text: string, line: Line): boolean =>
  text.charCodeAt(line.end - 1) === 0x29 && CALL.test(text.slice(line.end, line.end + 80));
