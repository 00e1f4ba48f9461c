/** The lists of who takes part that stand before a call: whoever is listed among the analysts asks, whatever the title says. */
import type { Role } from '../document.js';
import type { Line } from './lines.js';
import { isFullName } from './names.js';

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

export interface Rosters {
  /** The role of a name by the list that it stands in; undefined where it stands in none. */
  readonly roleOf: (name: string) => Role | undefined;
  /** Who is listed, without titles and companies. */
  readonly names: ReadonlySet<string>;
}

export const readRosters = (text: string, lines: readonly Line[]): Rosters => {
  const entries: { readonly entry: string; readonly role: Role }[] = [];
  let role: Role | undefined;
  let taken = 0;
  for (const line of lines) {
    if (line.end - line.start > LONGEST_ENTRY) role = undefined;
    else if (role !== undefined || line.end - line.start <= LONGEST_HEADING) {
      const entry = text.slice(line.start, line.end);
      const heading = headingRole(entry);
      if (heading !== undefined) {
        role = heading;
        taken = 0;
      } else if (END.test(toKey(entry)) || taken >= MOST_ENTRIES) role = undefined;
      else if (role !== undefined) {
        entries.push({ entry, role });
        taken++;
      }
    }
  }
  const names = entries.map(({ entry }) => entry.split(BEHIND_NAME)[0] ?? '').filter(isFullName);
  return { roleOf: (name) => entries.find(({ entry }) => isEntryOf(entry, name))?.role, names: new Set(names) };
};

const BEHIND_NAME = /,?\s+[-–—]{1,2}\s+|,\s+|\s+\(/;

/** Whether a line, or a unit, is the heading of a list of participants. */
export const isRosterHeading = (slice: string): boolean =>
  slice.length <= LONGEST_HEADING && headingRole(slice) !== undefined;

const headingRole = (entry: string): Role | undefined => HEADINGS.find(([pattern]) => pattern.test(toKey(entry)))?.[1];

const toKey = (entry: string): string => entry.toLowerCase().replace(/[\s:*_#]+/g, '');

const isEntryOf = (entry: string, name: string): boolean =>
  entry.startsWith(name) && !/[\p{L}\d]/u.test(entry.charAt(name.length));
