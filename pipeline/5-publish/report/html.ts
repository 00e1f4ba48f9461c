/** HTML from texts that nobody has vouched for. Every text and attribute goes through `escapeText`. */

/** Markup that is safe to put in a page, as opposed to a text. */
export interface Html {
  readonly html: string;
}

export type Part = Html | string | number | readonly Part[] | null;

// Control characters and the controls of writing direction would act on what stands around them.
const ACTING = /[^\P{Cc}\t\n\r]|[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeText = (text: string): string =>
  text.replace(ACTING, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A template whose every value is escaped, unless it is itself markup. */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: strings.map((string, at) => string + (at < values.length ? print(values[at] ?? null) : '')).join(''),
});

const print = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(print).join('');
};

/** A text of others in its own direction of writing, cut where it is too long; paths and ids may break after a mark. */
export const foreign = (text: string, most = 160): Html => {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  const words = shown.split(/(?<=\w[_/])/);
  return html`<bdi>${words.map((word, at) => (at === 0 ? word : html`<wbr>${word}`))}</bdi>`;
};

export interface Cell {
  readonly content: Part;
  /** `number` is set right; `level` 0 to 10 is the strength of a heat colour. */
  readonly kind?: 'number' | 'text' | 'head';
  readonly level?: number;
}

export interface TableContent {
  readonly caption: string;
  /** `quiet` is only read aloud: the heading says it already. */
  readonly captionShown?: 'shown' | 'quiet';
  readonly columns: readonly { readonly name: Part; readonly kind?: 'number' | 'text' }[];
  readonly rows: readonly (readonly Cell[])[];
  readonly className?: string;
}

/** A table that scrolls by itself where the page is narrow. */
export const table = ({ caption, captionShown = 'quiet', columns, rows, className = '' }: TableContent): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="${className}">
<caption${captionShown === 'quiet' ? html` class="quiet"` : null}>${caption}</caption>
<thead><tr>${columns.map(({ name, kind }) => html`<th scope="col"${kind === 'number' ? html` class="n"` : null}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>\n`)}</tbody></table></div>`;

const cell = ({ content, kind = 'text', level }: Cell): Html => {
  const classes = [...(kind === 'number' ? ['n'] : []), ...(level === undefined ? [] : [`h${level}`])].join(' ');
  const attribute = classes === '' ? null : html` class="${classes}"`;
  return kind === 'head' ? html`<th scope="row">${content}</th>` : html`<td${attribute}>${content}</td>`;
};

/** A link to where a source says that it was published; only the text where that is no web address. */
export const sourceLink = (url: string | null, content: Html): Html => {
  const parsed = url !== null && URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
    ? html`<a href="${parsed.href}" rel="noreferrer noopener">${content}</a>`
    : content;
};
