/** Which part of a page is its article, and what in it is furniture. */
import { walk } from './blocks.js';
import { type AnyNode, attributeOf, childrenOf, type Element, isElement } from './tree.js';

const NEVER_TEXT = new Set(
  'head script style noscript template svg math canvas object embed iframe audio video map select option button input textarea'.split(
    ' ',
  ),
);
const FURNITURE = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu']);
const FURNITURE_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
]);

/** Whole words of ids and classes, `-` and `_` part words. */
const FURNITURE_WORDS =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|share|sharing|social|nav|navbar|navigation|menu|sidebar|footer|skip|skiplinks?|pagination|pager|print|advert|advertisement|banner|popup|modal|newsletter|subscribe|related|hidden|sr-only|visually-hidden|screen-reader-text)(?:$|[\s_-])/i;
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Furniture that holds more of the page's text than this is no furniture: some pages are one form, or one `footer`. */
const MAX_FURNITURE_SHARE = 0.4;
/** An element marked as the article is believed when it holds at least this share of the text. */
const MIN_MARKED_SHARE = 0.3;
/** From the whole page inwards as long as one child holds this share of the text. */
const DENSE_SHARE = 0.85;

export interface Article {
  readonly root: AnyNode;
  readonly skip: (element: Element) => boolean;
}

export const chooseArticle = (tree: AnyNode): Article => {
  const letters = countLetters(tree);
  const all = letters.get(tree) ?? 0;
  const skip = (element: Element): boolean =>
    NEVER_TEXT.has(element.name) ||
    isHidden(element) ||
    (isFurniture(element) && (letters.get(element) ?? 0) <= all * MAX_FURNITURE_SHARE);

  const kept = countLetters(tree, skip);
  const total = kept.get(tree) ?? 0;
  const root = findMarked(tree, skip, kept, total) ?? findDensest(tree, kept);
  // A header inside the article holds its title; the page's own holds the site's.
  const inside = root !== tree;
  return {
    root,
    skip: (element) =>
      element !== root &&
      (skip(element) ||
        (!inside && element.name === 'header' && (kept.get(element) ?? 0) < total * MAX_FURNITURE_SHARE)),
  };
};

const isHidden = (element: Element): boolean =>
  attributeOf(element, 'hidden') !== undefined ||
  attributeOf(element, 'aria-hidden') === 'true' ||
  HIDDEN_STYLE.test(attributeOf(element, 'style') ?? '');

const isFurniture = (element: Element): boolean =>
  FURNITURE.has(element.name) ||
  FURNITURE_ROLES.has(attributeOf(element, 'role') ?? '') ||
  FURNITURE_WORDS.test(attributeOf(element, 'id') ?? '') ||
  FURNITURE_WORDS.test(attributeOf(element, 'class') ?? '');

/** Marks of an article, the surest first. Of several elements with one mark the one with most text counts. */
const MARKS: readonly ((element: Element) => boolean)[] = [
  (element) => element.name === 'main' || attributeOf(element, 'role') === 'main',
  (element) =>
    element.name === 'article' ||
    attributeOf(element, 'role') === 'article' ||
    attributeOf(element, 'itemprop') === 'articleBody',
  (element) =>
    /^(?:main|content|main-?content|article|article-?(?:body|content|text)|page-?content|post-?content|entry-?content|speech|left[_-]?text)$/i.test(
      attributeOf(element, 'id') ?? '',
    ),
];

type Letters = ReadonlyMap<AnyNode, number>;

const findMarked = (
  tree: AnyNode,
  skip: (element: Element) => boolean,
  kept: Letters,
  total: number,
): Element | undefined => {
  const best: (Element | undefined)[] = MARKS.map(() => undefined);
  walk(tree, {
    enter: (element) => {
      if (skip(element)) return 'skip';
      for (const [index, isMarked] of MARKS.entries()) {
        const before = best[index];
        const more = before === undefined || (kept.get(element) ?? 0) > (kept.get(before) ?? 0);
        if (more && isMarked(element)) best[index] = element;
      }
      return 'into';
    },
    leave: () => {},
    text: () => {},
  });
  return best.find((element) => element !== undefined && (kept.get(element) ?? 0) >= total * MIN_MARKED_SHARE);
};

/** The innermost element that still holds nearly all of the text. */
const findDensest = (tree: AnyNode, kept: Letters): AnyNode => {
  let at = tree;
  for (;;) {
    const enough = (kept.get(at) ?? 0) * DENSE_SHARE;
    const next = childrenOf(at).find(
      (child) => isElement(child) && child.name !== 'p' && (kept.get(child) ?? 0) >= Math.max(1, enough),
    );
    if (next === undefined) return at;
    at = next;
  }
};

/** Letters below each element that are no link's, what is skipped not counted. */
const countLetters = (tree: AnyNode, skip?: (element: Element) => boolean): Letters => {
  const letters = new Map<AnyNode, number>();
  const sums: number[] = [0];
  let links = 0;
  walk(tree, {
    enter: (element) => {
      if (NEVER_TEXT.has(element.name) || skip?.(element) === true) return 'skip';
      sums.push(0);
      if (element.name === 'a') links += 1;
      return 'into';
    },
    leave: (element) => {
      const sum = sums.pop() ?? 0;
      letters.set(element, sum);
      sums[sums.length - 1] = (sums.at(-1) ?? 0) + sum;
      if (element.name === 'a') links -= 1;
    },
    text: (data) => {
      if (links === 0) sums[sums.length - 1] = (sums.at(-1) ?? 0) + (data.match(/\p{L}/gu)?.length ?? 0);
    },
  });
  letters.set(tree, sums[0] ?? 0);
  return letters;
};
