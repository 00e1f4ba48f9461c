import { decodeText } from '../decode.js';
import type { DocumentFormat } from '../source.js';
import { DECODING_LIBRARIES } from './plain-text.js';

/** Markdown, kept character by character with its marks, which segmentation knows. Its title is its first heading. */
export const markdown: DocumentFormat = {
  name: 'md',
  extensions: ['.md', '.markdown'],
  holds: ['text'],
  libraries: DECODING_LIBRARIES,
  isolated: false,
  extract: async (bytes) => {
    const text = decodeText(bytes);
    return { text, title: findHeading(text) };
  },
};

const MAX_LINES = 200;

const findHeading = (text: string): string | null => {
  const lines = text.slice(0, 100_000).split(/\r?\n/, MAX_LINES);
  const body =
    lines[0]?.trim() === '---'
      ? lines.slice(lines.findIndex((line, at) => at > 0 && line.trim() === '---') + 1)
      : lines;
  let fenced = false;
  let before = '';
  for (const line of body) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) continue;
    const underlined = /^ {0,3}(=+|-{3,})[ \t]*$/.test(line) ? before : '';
    const title = toPlain(/^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1] ?? underlined);
    if (title !== '') return title;
    before = line.trim();
  }
  return null;
};

const toPlain = (heading: string): string =>
  heading
    .trim()
    .replace(/(^|\s)#+$/, '')
    .replace(/[*_`]+/g, '')
    .trim();
