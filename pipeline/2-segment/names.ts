/** What the name of a person looks like. */
import { starterStrength } from './starters.js';

export const LONGEST_NAME = 64;

const NAME_WORD =
  /^(?:\p{Ll}{0,3}['’]?\p{Lu}[\p{L}.'’‐-]*,?|["“(]\p{Lu}[\p{L}.'’-]*["”)]|de|da|di|del|van|von|der|den|la|le|bin|al|el|dos|du|y)$/u;
const NOT_NAMES =
  /\b(?:inc|corp|co|corporation|technology|technologies|networks|holdings|company|llc|ltd|plc|group|call|earnings|quarter|conference|results|statements?|section|participants|presentation|transcript|contents|remarks|questions?|answers?|pages?|total|client|id|copyright|vice|senior|relations|officer|president|director|analyst|report|overview|disclaimer|outlook|policy|inflation|markets?|rates?|guidance)\b/i;

/** One to six words, all capitalised: `R. Scott Herren`, `Dirk Van de Put`, `Operator`. */
export const isName = (text: string): boolean => {
  if (text.length < 2 || text.length > LONGEST_NAME) return false;
  const words = text.split(/\s+/);
  return words.length <= 6 && words.every((word) => NAME_WORD.test(word));
};

/** A name and nothing but: two to four words, not the beginning of a sentence or of a heading. */
export const isFullName = (text: string): boolean => {
  const words = text.split(/\s+/);
  return (
    words.length >= 2 &&
    words.length <= 4 &&
    isName(text) &&
    !/[.,:]$/.test(words.slice(-1)[0]?.replace(/^(?:Jr|Sr)\.$/, '') ?? '') &&
    !NOT_NAMES.test(text) &&
    text !== text.toUpperCase() &&
    starterStrength(words[0] ?? '') !== 'certain'
  );
};

/** Words of headings and headers. */
export const isNoName = (text: string): boolean => NOT_NAMES.test(text);

const COMPANY =
  /\s+(?:Morgan|Goldman|Barclays|Citigroup|Citi|Jefferies|Cowen|Evercore|Piper|UBS|Credit|Deutsche|Wells|Sanford|Bernstein|Raymond|Robert W\.|Stifel|Oppenheimer|Needham|KeyBanc|RBC|BMO|Wolfe|Mizuho|Macquarie|Nomura|HSBC|BofA|Bank|Merrill|Susquehanna|Guggenheim|Truist|SunTrust|MoffettNathanson|Cleveland|William Blair|JPMorgan|JP|J\.P\.|JMP|Canaccord|D\.A\.|Loop|Rosenblatt|Wedbush|BTIG|Argus|Pivotal|Monness|Summit|Arete|Baird|First)\b.*$/;
const COMPANY_WORD =
  /\b(?:Inc|Company|Corp|Corporation|LLC|Group|Incorporated|Networks|Technologies|Technology|Holdings|Securities|Capital|Research)\b/;

/** `Kenneth P. Sharp DXC Technology Company`: the name before a company that no mark sets apart. */
export const nameBeforeCompany = (text: string): string => {
  const cut = text.replace(COMPANY, '');
  const words = cut.split(/\s+/);
  if (words.length <= 3) return cut;
  if (/^\p{Lu}\.$/u.test(words[1] ?? '')) return words.slice(0, 3).join(' ');
  return COMPANY_WORD.test(cut) ? words.slice(0, 2).join(' ') : cut;
};
