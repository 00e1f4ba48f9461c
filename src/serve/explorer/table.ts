/** The documents on the charts as a table. */
import type { Document } from '../../client/types.js';
import { type Cell, type Column, type Order, sorted } from './columns.js';
import { button, element, quiet } from './dom.js';
import { decimal, whole } from './words.js';

export interface TableOptions {
  readonly documents: readonly Document[];
  readonly columns: readonly Column[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly onOpen: (document: Document) => void;
}

/** Rows that are drawn at a time. */
const ROWS = 50;

export const drawTable = ({ documents, columns, order, onOrder, onOpen }: TableOptions): HTMLElement => {
  const rows = sorted(documents, columns, order);
  const body = element('tbody');
  const more = button('', { class: 'more' }, () => grow());
  const grow = (): void => {
    const from = body.rows.length;
    body.append(...rows.slice(from, from + ROWS).map((row) => drawRow(row, columns, onOpen)));
    const left = rows.length - body.rows.length;
    more.hidden = left <= 0;
    more.textContent = `Show ${Math.min(ROWS, left)} more of ${whole(left)}`;
  };
  grow();
  const head = element(
    'tr',
    {},
    ...columns.map(({ id, title, kind }) => {
      const mine = order.column === id;
      const sorts = button(title, { title: id }, () =>
        onOrder({ column: id, direction: mine && order.direction === 'descending' ? 'ascending' : 'descending' }),
      );
      return element(
        'th',
        { scope: 'col', class: kind === 'text' ? undefined : 'n', 'aria-sort': mine ? order.direction : undefined },
        sorts,
      );
    }),
  );
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Documents' },
      element(
        'table',
        {},
        element('caption', { class: 'quiet' }, 'The documents shown, one a row; the first cell opens its sentences'),
        element('thead', {}, head),
        body,
      ),
    ),
    more,
  );
};

const drawRow = (row: Document, columns: readonly Column[], onOpen: (document: Document) => void): HTMLElement => {
  const made = element(
    'tr',
    {},
    ...columns.map((column, at) => {
      const value = column.of(row);
      const text = textOf(value, column);
      if (at > 0) {
        const kind = column.kind === 'text' ? 'text' : 'n';
        return value === null
          ? element('td', { class: `${kind} none` }, element('span', { 'aria-hidden': 'true' }, '—'), quiet('no value'))
          : element('td', { class: kind, title: column.kind === 'number' ? String(value) : undefined }, text);
      }
      // The row's own click does the rest.
      const opens = button(
        value === null ? 'no date' : text,
        { 'aria-label': `${text}, sentences of ${row.document_id}` },
        () => undefined,
      );
      return element('th', { scope: 'row' }, opens);
    }),
  );
  made.addEventListener('click', () => {
    // Who marks text to copy it does not want the document.
    if (document.getSelection()?.isCollapsed ?? true) onOpen(row);
  });
  return made;
};

const textOf = (value: Cell, { kind, shown }: Column): string => {
  if (value === null) return 'no date';
  if (shown !== undefined) return shown(value);
  if (typeof value === 'string' || kind === 'text') return String(value);
  return kind === 'number' ? decimal(value) : whole(value);
};
