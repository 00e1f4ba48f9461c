import { libraryOf } from '../../../src/libraries.js';
import { decodeText } from '../decode.js';
import { type DocumentFormat, ExtractError, type Extracted } from '../source.js';
import { chooseArticle } from './article.js';
import { walk } from './blocks.js';
import { DECODING_LIBRARIES } from './plain-text.js';
import { renderProse } from './prose.js';
import { type AnyNode, attributeOf, parseTree } from './tree.js';

/** A web page: the text of its article, without the navigation, forms and notices around it. */
export const html: DocumentFormat = {
  name: 'html',
  extensions: ['.html', '.htm', '.xhtml'],
  holds: ['html', 'text'],
  libraries: [...DECODING_LIBRARIES, libraryOf('cheerio')],
  isolated: true,
  extract: async (bytes) => extractHtml(decodeText(bytes, declaredEncoding(bytes))),
};

const extractHtml = (page: string): Extracted => {
  if (!page.includes('<')) throw new ExtractError('The file is named as an HTML page but holds no markup.');
  const tree = parseTree(page);
  const { root, skip } = chooseArticle(tree);
  const text = renderProse(root, skip);
  if (text.length <= MAX_NOTICE && has(tree, 'frameset'))
    throw new ExtractError('The page only places frames: its text lies in the pages that they show. Fetch those.');
  const heading = firstText(root, 'h1') ?? firstText(tree, 'h1');
  return { text, title: findMetaTitle(tree) ?? heading ?? firstText(tree, 'title') ?? firstText(root, 'h2') };
};

/** What a page of frames says to those who see none; some say all of their text there. */
const MAX_NOTICE = 500;

const has = (tree: AnyNode, name: string): boolean => {
  let found = false;
  walk(tree, {
    enter: (element) => {
      found ||= element.name === name;
      return found ? 'skip' : 'into';
    },
    leave: () => {},
    text: () => {},
  });
  return found;
};

/** `<meta charset>`, its older form, or an XML declaration, in the first kilobytes as browsers look. */
const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  return (
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1]
  );
};

const findMetaTitle = (tree: AnyNode): string | null => {
  let title: string | null = null;
  walk(tree, {
    enter: (element) => {
      if (title === null && element.name === 'meta' && attributeOf(element, 'property') === 'og:title')
        title = toLine(attributeOf(element, 'content') ?? '');
      return title === null ? 'into' : 'skip';
    },
    leave: () => {},
    text: () => {},
  });
  return title;
};

/** The text of the first element of a name that has any. */
const firstText = (tree: AnyNode, name: string): string | null => {
  let found: string | null = null;
  walk(tree, {
    enter: (element) => {
      if (found !== null) return 'skip';
      if (element.name === name) found = toLine(textOf(element));
      return 'into';
    },
    leave: () => {},
    text: () => {},
  });
  return found;
};

const textOf = (node: AnyNode): string => {
  const pieces: string[] = [];
  walk(node, {
    enter: (element) => {
      if (element.name === 'br') pieces.push(' ');
      return 'into';
    },
    leave: () => {},
    text: (data) => pieces.push(data),
  });
  return pieces.join('');
};

const MAX_TITLE = 300;

const toLine = (text: string): string | null => {
  const line = text.replace(/[\s\u00a0]+/g, ' ').trim();
  return line === '' || line.length > MAX_TITLE ? null : line;
};
