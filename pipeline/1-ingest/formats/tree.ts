/** A parsed page. htmlparser2, by cheerio's slim door: one pass, no table of open elements to search, so hostile pages stay cheap. */
import { type CheerioAPI, load } from 'cheerio/slim';

export type AnyNode = Parameters<CheerioAPI['contains']>[0];
export type ChildNode = Extract<AnyNode, { readonly parent: unknown; readonly next: unknown }>;
export type Element = Extract<AnyNode, { readonly name: string; readonly attribs: unknown }>;

/** The whole page; text and attributes decoded. */
export const parseTree = (html: string): AnyNode => {
  const root = load(html, { xml: { xmlMode: false, decodeEntities: true } }).root()[0];
  if (root === undefined) throw new Error('the parser made no tree');
  return root;
};

export const isElement = (node: AnyNode): node is Element =>
  node.type === 'tag' || node.type === 'script' || node.type === 'style';

export const childrenOf = (node: AnyNode): readonly ChildNode[] => ('children' in node ? node.children : []);

/** An attribute's value in the page, or undefined. */
export const attributeOf = (element: Element, name: string): string | undefined => element.attribs[name];
