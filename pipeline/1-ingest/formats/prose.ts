import { keepText, type Paragraph } from '../matter.js';

/** The blocks of a rendered page without its tables, lists of names and addresses. What its markup calls a heading stays. */
export const keepProse = (rendered: string): string => {
  const all = rendered
    .split('\n\n')
    .map((text): Paragraph => ({ text, size: 1, isRows: text.includes(' | '), isNote: false }));
  return keepText(all, { bodySize: 1, front: 'keep' })
    .paragraphs.map(({ text }) => text)
    .join('\n\n');
};
