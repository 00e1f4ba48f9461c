/** The lists of who takes part that stand before a call: whoever is listed among the analysts asks, whatever the title says. */
import type { Role } from '../document.js';
import type { Line } from './lines.js';

/** Headings without their spaces: some are set `C O R P O R A T E  P A R T I C I P A N T S`. */
const HEADINGS: readonly (readonly [RegExp, Role])[] = [
  [/^(?:(?:corporate|company|management)participants|(?:company)?executives?)$/, 'executive'],
  [/^(?:(?:other|conferencecall|analyst)participants|analysts?|(?:conferencecall)?host)$/, 'analyst'],
];
const END =
  /^(?:presentation|managementdiscussionsection|questions?(?:and|&)answers?.*|overview|preparedremarks|operator.*)$/;

const LONGEST_HEADING = 64;
const LONGEST_ENTRY = 200;
const MOST_ENTRIES = 120;

/** Finds the role of a name by the list that it stands in; undefined where it stands in none. */
export const readRosters = (text: string, lines: readonly Line[]): ((name: string) => Role | undefined) => {
  const entries: { readonly entry: string; readonly role: Role }[] = [];
  let role: Role | undefined;
  let taken = 0;
  for (const line of lines) {
    if (line.end - line.start > LONGEST_ENTRY) role = undefined;
    else if (role !== undefined || line.end - line.start <= LONGEST_HEADING) {
      const entry = text.slice(line.start, line.end);
      const key = entry.toLowerCase().replace(/[\s:*_#]+/g, '');
      const heading = HEADINGS.find(([pattern]) => pattern.test(key));
      if (heading !== undefined) {
        role = heading[1];
        taken = 0;
      } else if (END.test(key) || taken >= MOST_ENTRIES) role = undefined;
      else if (role !== undefined) {
        entries.push({ entry, role });
        taken++;
      }
    }
  }
  return (name) => entries.find(({ entry }) => isEntryOf(entry, name))?.role;
};

const isEntryOf = (entry: string, name: string): boolean =>
  entry.startsWith(name) && !/[\p{L}\d]/u.test(entry.charAt(name.length));
