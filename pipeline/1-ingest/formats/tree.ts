/** A parsed page. htmlparser2, by cheerio's slim door: one pass, no table of open elements to search, so hostile pages stay cheap. */
import { type CheerioAPI, load } from 'cheerio/slim';
import { ExtractError } from '../source.js';

export type AnyNode = Parameters<CheerioAPI['contains']>[0];
export type ChildNode = Extract<AnyNode, { readonly parent: unknown; readonly next: unknown }>;
export type Element = Extract<AnyNode, { readonly name: string; readonly attribs: unknown }>;

/** Browsers stop at 512. Each element costs the parser time by its depth. */
const MAX_DEPTH = 10_000;

/** Elements that hold nothing, or that the next of their kind ends. */
const SHALLOW = new Set(
  'area base br col embed hr img input link meta param source track wbr p li td th tr dd dt option tbody thead tfoot'.split(
    ' ',
  ),
);

/** The whole page; text and attributes decoded. @throws ExtractError for a page that nests too deeply */
export const parseTree = (html: string): AnyNode => {
  checkDepth(html);
  const root = load(html, { xml: { xmlMode: false, decodeEntities: true } }).root()[0];
  if (root === undefined) throw new Error('the parser made no tree');
  return root;
};

const checkDepth = (html: string): void => {
  let depth = 0;
  for (const [, closes, name] of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20})/g)) {
    if (name === undefined || SHALLOW.has(name.toLowerCase())) continue;
    depth = closes === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH)
      throw new ExtractError(
        `The page nests more than ${MAX_DEPTH} elements in each other, as no page for readers does.`,
      );
  }
};

export const isElement = (node: AnyNode): node is Element =>
  node.type === 'tag' || node.type === 'script' || node.type === 'style';

export const childrenOf = (node: AnyNode): readonly ChildNode[] => ('children' in node ? node.children : []);

/** An attribute's value in the page, or undefined. */
export const attributeOf = (element: Element, name: string): string | undefined => element.attribs[name];
