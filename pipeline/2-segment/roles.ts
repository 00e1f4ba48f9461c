/** From a title or a company to a role in an earnings call. */
import type { Role } from '../document.js';

/** Titles as lists of participants have them, for patterns; the others are words of other things too. */
export const OFFICES = 'Analysts?|Officer|Director|MD|VP|SVP|EVP|IR|President|Chairman|CEO|CFO|COO';
export const OFFICES_OR_NOT = 'Head|Associate|Partner|Principal';

const ANALYST =
  /\banalysts?\b|\bequity research\b|\b(?:director|head) of research\b|\bresearch division\b|\bshareholder\b|\binvestor\b(?! relation)/i;
const EXECUTIVE =
  /\b(?:chief|ceo|cfo|coo|cto|cio|cmo|president|chair(?:man|woman|person)?|founder|officer|treasurer|controller|counsel|secretary|evp|svp|vp|vice president|investor relations|head|director|general manager|executives?|ir|management|company representative|partner|leader|principal)\b/i;

/** The role that a title tells, undefined where it tells none. */
export const roleOfTitle = (title: string): Role | undefined => {
  if (/^\s*(?:conference )?operator\b|\bcoordinator\b/i.test(title)) return 'operator';
  if (/\b(?:investor(?: and \w+)? relations?|IR|corporate finance)\b/i.test(title)) return 'executive';
  if (ANALYST.test(title)) return 'analyst';
  return EXECUTIVE.test(title) ? 'executive' : undefined;
};

const BROKER =
  /\b(?:securities|capital|research|bank|bancorp|morgan|goldman|sachs|barclays|citi(?:group)?|jefferies|cowen|evercore|piper|ubs|cr[eé]dit suisse|research division|deutsche|wells fargo|bernstein|raymond james|baird|stifel|oppenheimer|needham|keybanc|rbc|bmo|wolfe|mizuho|macquarie|nomura|hsbc|bofa|merrill|susquehanna|guggenheim|truist|suntrust|moffettnathanson|cleveland research|william blair|jpmorgan|partners|advisors|berenberg)\b|&\s?co\b/i;

/** A title such as `Managing Director` is an analyst's beside the name of a bank or broker. */
export const roleOfCompanyTitle = (company: string, title: string): Role | undefined => {
  const role = roleOfTitle(title);
  if (role === 'analyst' || role === 'operator') return role;
  if (
    role === 'executive' &&
    !/\b(?:chief|ceo|cfo|coo|founder|chair\w*)\b/i.test(title) &&
    /\b(?:managing director|md|director|head|associate|partner|principal|vp|vice president)\b/i.test(title) &&
    BROKER.test(company)
  )
    return 'analyst';
  return role ?? (BROKER.test(company) ? 'analyst' : undefined);
};
