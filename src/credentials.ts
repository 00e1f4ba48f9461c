/** Addresses as people write them may hold a user and a password. What is shown, logged or published must not. */

/**
 * A scheme with its slashes, or the slashes alone at the very beginning, then a user, a password or both. No scheme has
 * more letters; without a bound each letter of a long word would be read to the word's end.
 */
const BEFORE_HOST = /((?:https?:|[a-z][a-z\d+.-]{0,30}:[\\/])[\\/]*|^[\\/]{2,})[^\s\\/?#]*@/gi;
/** What is left then: an address, and in what follows it an `@`, at which the text ends. */
const ADDRESS = /(https?:[\\/]*)([^\\/?#]*).*@$/i;

/**
 * A text whose addresses name no user and no password: `https://me:secret@example.org/a?b` becomes
 * `https://example.org/a?b`. Paths and queries stay, with an `@` in them too.
 */
export const withoutCredentials = (text: string): string =>
  text.includes('@')
    ? text.replace(BEFORE_HOST, '$1').replace(/\S+/g, (word) => {
        // Cut at the last one, it is found from the first address of the word, or from none.
        const end = word.lastIndexOf('@') + 1;
        return withoutPassword(word.slice(0, end)) + word.slice(end);
      })
    : text;

const withoutPassword = (word: string): string =>
  // A slash in a password ends what looks like the host, which then has a port that is none.
  word.replace(ADDRESS, (whole: string, scheme: string, host: string) =>
    URL.canParse(`http://${host}`) ? whole : scheme,
  );

/** An address that was refused, for the message: what stands before its last `@` may be a password in any spelling. */
export const shownAddress = (text: string): string => {
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `…${text.slice(at)}`;
};
