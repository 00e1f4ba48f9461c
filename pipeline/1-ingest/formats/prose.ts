import { keepText, type Paragraph } from '../matter.js';
import { renderBlocks, walk } from './blocks.js';
import type { AnyNode, Element } from './tree.js';

/** The text of a page without its tables, lists of names and addresses. What its markup calls a heading stays. */
export const renderProse = (root: AnyNode, skip: (element: Element) => boolean): string => {
  const headings = findHeadings(root, skip);
  const all = renderBlocks(root, skip)
    .split('\n\n')
    .map(
      (text): Paragraph => ({
        text,
        size: 1,
        isRows: text.includes(' | '),
        isNote: false,
        isHeading: headings.has(bare(text)),
      }),
    );
  return keepText(all, { bodySize: 1, front: 'keep' })
    .paragraphs.map(({ text }) => text)
    .join('\n\n');
};

const HEADING = /^h[1-6]$/;

const findHeadings = (root: AnyNode, skip: (element: Element) => boolean): ReadonlySet<string> => {
  const headings = new Set<string>();
  let open: string[] | undefined;
  walk(root, {
    enter: (element) => {
      if (skip(element)) return 'skip';
      if (HEADING.test(element.name)) open = [];
      return 'into';
    },
    leave: (element) => {
      if (!HEADING.test(element.name) || open === undefined) return;
      headings.add(bare(open.join('')));
      open = undefined;
    },
    text: (data) => open?.push(data),
  });
  return headings;
};

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
