/** What a file holds, judged by its bytes: names lie. */
import type { Content } from './source.js';

/** How many bytes `contentOf` wants to see. */
export const HEAD_BYTES = 4096;

const SIGNATURES: readonly (readonly [Content, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['ole', [0xd0, 0xcf, 0x11, 0xe0]],
  ['rtf', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
  ['archive', [0x1f, 0x8b]],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['archive', [0x52, 0x61, 0x72, 0x21]],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [0x47, 0x49, 0x46, 0x38]],
];

/** A comment is over at its first `-->`: could it go on to a later one, many in a row would be tried in every way there is. */
const HTML =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/** How messages call it. */
export const CONTENT_NAMES: Readonly<Record<Content, string>> = {
  text: 'plain text',
  html: 'an HTML page',
  pdf: 'a PDF',
  zip: 'a zip archive (as docx is)',
  ole: 'an old Office document (doc, xls)',
  rtf: 'an RTF document',
  image: 'an image',
  archive: 'a compressed archive',
  binary: 'binary data',
};

export const contentOf = (head: Uint8Array): Content => {
  for (const [content, signature] of SIGNATURES)
    if (signature.every((byte, index) => head[index] === byte)) return content;

  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1024)).toString('latin1');
  // The PDF standard's readers allow for rubbish before the mark.
  if (start.includes('%PDF-')) return 'pdf';
  if (HTML.test(start)) return 'html';
  return isBinary(head) ? 'binary' : 'text';
};

const isBinary = (head: Uint8Array): boolean => {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (utf16) return false;
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    // Tab, line feed, vertical tab, form feed, carriage return and escape occur in texts.
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) controls += 1;
  }
  return controls > head.length / 20;
};
