import { libraryOf } from '../../../src/libraries.js';
import { decodeText } from '../decode.js';
import type { DocumentFormat } from '../source.js';

/** Libraries that decide what characters bytes are. */
export const DECODING_LIBRARIES: readonly string[] = [libraryOf('chardet'), libraryOf('iconv-lite')];

/** A text file. Its characters stay exactly as they are, so that offsets mean the decoded file; it states no title. */
export const plainText: DocumentFormat = {
  name: 'txt',
  extensions: ['.txt', '.text'],
  holds: ['text'],
  libraries: DECODING_LIBRARIES,
  isolated: false,
  extract: async (bytes) => ({ text: decodeText(bytes), title: null }),
};
