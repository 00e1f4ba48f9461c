/** A tree of HTML as the text that a reader sees: blocks parted by blank lines. Walks without recursion, in one pass. */
import type { AnyNode, ChildNode, Element } from './tree.js';
import { attributeOf, childrenOf, isElement } from './tree.js';

const BLOCKS = new Set(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2
   h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
);
const CELLS = new Set(['td', 'th']);
const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);

/** A cell with more text than this, or with a table in it, is layout, and its text reads as blocks. */
const MAX_CELL_CHARACTERS = 300;

/** `skip` names what is no part of the text. */
export const renderBlocks = (root: AnyNode, skip: (element: Element) => boolean): string => {
  const out = new Writer();
  const lists: { ordered: boolean; next: number }[] = [];
  const layout = findLayoutTables(root);
  const tables: boolean[] = [];
  let preformatted = 0;

  const enter = (element: Element): void => {
    const { name } = element;
    if (name === 'br') {
      out.lineBreak();
      return;
    }
    const asCell = tables.at(-1) === true && (CELLS.has(name) || out.inCell);
    if (asCell) {
      if (CELLS.has(name)) out.cell();
      else if (BLOCKS.has(name)) out.space();
      return;
    }
    if (BLOCKS.has(name)) out.block();
    if (name === 'table') tables.push(!layout.has(element));
    if (name === 'pre') preformatted += 1;
    if (LISTS.has(name)) lists.push({ ordered: name === 'ol', next: startOf(element) });
    const list = lists.at(-1);
    if (name === 'li') out.mark(list?.ordered === true ? `${list.next++}. ` : '• ');
  };
  const leave = (element: Element): void => {
    const { name } = element;
    if (tables.at(-1) === true && name !== 'table') {
      if (CELLS.has(name)) out.endCell();
      else if (name === 'tr') out.block();
      else if (BLOCKS.has(name)) out.space();
      return;
    }
    if (BLOCKS.has(name)) out.block();
    if (name === 'table') tables.pop();
    if (name === 'pre') preformatted -= 1;
    if (LISTS.has(name)) lists.pop();
  };

  walk(root, {
    enter: (element) => {
      if (skip(element) || isNoteMark(element)) return 'skip';
      enter(element);
      return 'into';
    },
    leave,
    text: (data) => out.text(data, preformatted > 0),
  });
  return out.toString();
};

interface Visitor {
  readonly enter: (element: Element) => 'into' | 'skip';
  readonly leave: (element: Element) => void;
  readonly text: (data: string) => void;
}

/** Depth first, on a stack of its own: hostile pages nest deeper than calls may. */
export const walk = (root: AnyNode, visitor: Visitor): void => {
  const stack: { readonly nodes: readonly ChildNode[]; next: number; readonly of: Element | null }[] = [];
  stack.push({ nodes: isElement(root) ? [root] : childrenOf(root), next: 0, of: null });
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      stack.pop();
      if (top.of !== null) visitor.leave(top.of);
    } else if (node.type === 'text') visitor.text(node.data);
    else if (isElement(node) && visitor.enter(node) === 'into')
      stack.push({ nodes: childrenOf(node), next: 0, of: node });
  }
};

/** Tables that only place things on the page: with a table or a long cell inside. */
const findLayoutTables = (root: AnyNode): ReadonlySet<Element> => {
  const layout = new Set<Element>();
  const tables: Element[] = [];
  const cells: number[] = [];
  walk(root, {
    enter: (element) => {
      if (element.name === 'table') {
        for (const outer of tables.slice(-1)) layout.add(outer);
        tables.push(element);
      } else if (CELLS.has(element.name)) cells.push(0);
      return 'into';
    },
    leave: (element) => {
      if (element.name === 'table') {
        const inner = tables.pop();
        const outer = tables.at(-1);
        if (inner !== undefined && outer !== undefined) layout.add(outer);
      } else if (CELLS.has(element.name)) {
        const characters = cells.pop() ?? 0;
        const table = tables.at(-1);
        if (characters > MAX_CELL_CHARACTERS && table !== undefined) layout.add(table);
      }
    },
    text: (data) => {
      if (cells.length > 0) cells[cells.length - 1] = (cells.at(-1) ?? 0) + data.trim().length;
    },
  });
  return layout;
};

/** A raised link to a note on the same page, or the way back: marks for the eye, which would read as part of the text. */
const isNoteMark = (element: Element): boolean => {
  const children = childrenOf(element);
  if (element.name === 'sup') return children.some((child) => isElement(child) && isInPageLink(child));
  if (!isInPageLink(element)) return false;
  return children.some((child) =>
    isElement(child) ? child.name === 'sup' : child.type === 'text' && WAY_BACK.test(child.data),
  );
};

const WAY_BACK = /^\s*(?:(?:return|back) to (?:text|top|content)|[↩↑]\ufe0e?|\^)\s*$/i;

const isInPageLink = (element: Element): boolean =>
  element.name === 'a' && (attributeOf(element, 'href') ?? '').includes('#') && childrenOf(element).length > 0;

const startOf = (element: Element): number => {
  const start = Number(attributeOf(element, 'start') ?? 1);
  return Number.isSafeInteger(start) ? start : 1;
};

class Writer {
  readonly #pieces: string[] = [];
  #line = '';
  #gap: '' | ' ' | '\n' | '\n\n' = '';
  #cells = 0;
  inCell = false;

  text(data: string, asIs: boolean): void {
    const clean = data.replace(/[\u00ad\u200b\u2060\ufeff]/g, '');
    if (asIs) {
      for (const [index, line] of clean.split(/\r?\n/).entries()) {
        if (index > 0) this.lineBreak();
        this.#add(line.replace(/[\t\u00a0]/g, ' '));
      }
      return;
    }
    // Thin, narrow and no-break spaces are spaces to a reader.
    const collapsed = clean.replace(/[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g, ' ');
    if (collapsed.startsWith(' ')) this.space();
    this.#add(collapsed.trim());
    if (collapsed.length > 1 && collapsed.endsWith(' ')) this.space();
  }

  mark(mark: string): void {
    this.#add(mark);
  }

  space(): void {
    if (this.#gap === '') this.#gap = ' ';
  }

  lineBreak(): void {
    if (this.inCell) this.space();
    else this.#gap = this.#gap.startsWith('\n') ? '\n\n' : '\n';
  }

  block(): void {
    this.#gap = '\n\n';
    this.#cells = 0;
    this.inCell = false;
  }

  cell(): void {
    if (this.#cells > 0) {
      this.#gap = ' ';
      this.#add('|');
      this.#gap = ' ';
    }
    this.#cells += 1;
    this.inCell = true;
  }

  endCell(): void {
    this.inCell = false;
  }

  #add(text: string): void {
    if (text === '') return;
    if (this.#gap !== '' && this.#line !== '' && !(this.#gap === ' ' && this.#line.endsWith(' ')))
      this.#line += this.#gap;
    this.#gap = '';
    this.#line += text;
    // One long string built by small additions is a deep rope; pieces keep it shallow.
    if (this.#line.length > 1 << 16) {
      this.#pieces.push(this.#line.slice(0, -1));
      this.#line = this.#line.slice(-1);
    }
  }

  toString(): string {
    const text = [...this.#pieces, this.#line].join('');
    return text
      .split('\n')
      .map((line) => line.replace(/^(?:\| ?)+|(?: ?\|)+$/g, '').trim())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}
