/** Addresses as people write them in a list. */

/** The address of a document, or what is wrong with it: scheme and form. Whether it may be asked is found out on asking. */
export const parseUrl = (text: string): { readonly url: URL } | { readonly wrong: string } => {
  if (!URL.canParse(text)) return { wrong: 'it is no address; write it whole, as in https://example.org/minutes.pdf' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    // `me:secret@example.org` has no scheme: what looks like one is a user.
    const scheme = text.includes('@') ? 'what it begins with' : url.protocol;
    return { wrong: `${scheme} is not asked; allowed: http: and https:` };
  }
  if (url.username !== '' || url.password !== '')
    return { wrong: 'it holds a user or a password, which would end up in what is published' };
  url.hash = '';
  return { url };
};

/** An IP address stands in brackets where it is IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
