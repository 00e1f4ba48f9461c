/** The sheet with a document's sentences: opens, closes, and goes to the documents before and after. */
import type { Document } from '../../client/types.js';
import type { Api } from './api.js';
import { element, get } from './dom.js';
import { drawProblem } from './problem-view.js';
import type { Selection } from './selection.js';
import { placeOf } from './series.js';
import { drawSheet } from './sheet.js';
import type { Loaded } from './store.js';
import { nameOf, whenOf } from './view.js';

export interface Reader {
  readonly open: (loaded: Loaded, selection: Selection, document: string, metric: string) => void;
  /** Opens or closes as the selection says. */
  readonly follow: (loaded: Loaded, selection: Selection) => void;
  readonly close: () => void;
}

/** @param onDocument the document that is open now; empty for none */
export const openReader = (api: Api, onKey: () => void, onDocument: (id: string) => void): Reader => {
  const [sheet, body] = [get('sheet', HTMLDialogElement), get('sheet-body', HTMLElement)];
  const [earlier, later] = [get('earlier', HTMLButtonElement), get('later', HTMLButtonElement)];
  let current = '';

  const open = async (loaded: Loaded, id: string, metric: string): Promise<void> => {
    current = id;
    let explained = metric;
    onDocument(id);
    const { dataset, coverage } = loaded;
    const line = lineOf(loaded, id);
    const at = line.findIndex(({ document_id: other }) => other === id);
    const go = (to: Document | undefined, by: HTMLButtonElement): void => {
      by.disabled = to === undefined;
      by.onclick = () => {
        if (to !== undefined) void open(loaded, to.document_id, explained);
      };
    };
    go(line[at - 1], earlier);
    go(at < 0 ? undefined : line[at + 1], later);
    if (!sheet.open) sheet.showModal();
    sheet.setAttribute('aria-busy', 'true');
    if (body.childElementCount === 0) body.replaceChildren(element('p', { class: 'note' }, 'Reading the sentences…'));
    try {
      const [page, sentences] = await Promise.all([
        api.document(dataset.id, id, coverage.snapshot),
        api.sentences(dataset.id, id, coverage.snapshot),
      ]);
      if (current !== id) return;
      drawSheet(body, {
        page,
        sentences,
        name: `${nameOf(coverage.by, String(page.document[coverage.by] ?? ''))}, ${whenOf(page.document)}`,
        metric: explained,
        onMetric: (chosen) => {
          explained = chosen;
        },
      });
      sheet.scrollTop = 0;
      get('sheet-title', HTMLElement).focus({ preventScroll: true });
    } catch (error) {
      if (current !== id) return;
      const host = element('section', { class: 'problem', role: 'alert' });
      body.replaceChildren(element('h2', { id: 'sheet-title', class: 'quiet', tabindex: -1 }, id), host);
      drawProblem(host, { error, onRetry: () => void open(loaded, id, explained), onKey });
    } finally {
      if (current === id) sheet.removeAttribute('aria-busy');
    }
  };

  const close = (): void => {
    if (sheet.open) sheet.close();
  };
  sheet.onclose = () => {
    current = '';
    body.replaceChildren();
    onDocument('');
  };
  get('close', HTMLButtonElement).onclick = close;
  // A click beside the sheet is one on the dialog itself.
  sheet.onclick = ({ target, clientX }) => {
    if (target === sheet && clientX < sheet.getBoundingClientRect().left) close();
  };

  return {
    open: (loaded, _selection, id, metric) => void open(loaded, id, metric),
    follow: (loaded, { document: id, metrics }) => {
      if (id === current) return;
      if (id === '') close();
      else void open(loaded, id, metrics[0] ?? '');
    },
    close,
  };
};

/** The documents of the same bank or ticker, in the order of time. */
const lineOf = ({ rows, coverage }: Loaded, id: string): readonly Document[] => {
  const own = [...rows.values()].find((documents) => documents.some(({ document_id: other }) => other === id)) ?? [];
  return own
    .filter((row) => row[coverage.by] !== undefined)
    .map((row) => ({ row, place: placeOf(row) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => a.place - b.place || (a.row.document_id < b.row.document_id ? -1 : 1))
    .map(({ row }) => row);
};
