/** Which format a fetched document has: by what its server says, what its address ends in, and what its bytes are. */
import { extname } from 'node:path';
import { CONTENT_NAMES, contentOf } from '../content.js';
import { DOCUMENT_FORMATS } from '../formats/index.js';
import { FetchError } from './fetch-error.js';

export interface Stated {
  readonly contentType: string | undefined;
  readonly contentDisposition: string | undefined;
  /** The address in the list, and the one that answered. */
  readonly asked: URL;
  readonly answered: URL;
  /** The first bytes. */
  readonly head: Uint8Array;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/plain': '.txt',
  'text/markdown': '.md',
  'application/pdf': '.pdf',
  'application/x-pdf': '.pdf',
  'application/json': '.json',
  'text/json': '.json',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
};

/** Types that say nothing. */
const GENERIC: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
  'application/x-download',
]);

/**
 * The ending, with its dot, of the format that reads the document.
 *
 * @throws FetchError where there is none, and for a page of HTML (or plain text) in place of a document of another
 *   kind: so servers say that something is not there, or is for members, while they answer 200
 */
export const toExtension = ({ contentType, contentDisposition, asked, answered, head }: Stated): string => {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const typed = Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : undefined;
  const named = knownEnding(asked.pathname) ?? fileNameEnding(contentDisposition) ?? knownEnding(answered.pathname);
  const content = contentOf(head);
  const holds = (ending: string): boolean => formatOf(ending)?.holds.includes(content) === true;

  if (typed === undefined) {
    if (named !== undefined && holds(named)) return named;
    const [found] = DOCUMENT_FORMATS.find((format) => format.holds[0] === content)?.extensions ?? [];
    if (GENERIC.has(type) && named === undefined && found !== undefined) return found;
    throw new FetchError(
      `the server sent ${type === '' ? CONTENT_NAMES[content] : type.slice(0, 80)}, which no format reads`,
      { fault: 'format', next: 'give up' },
    );
  }
  if (named === undefined || formatOf(named) === formatOf(typed)) return typed;
  // Many servers call every text plain.
  if (typed === '.txt' && holds(named)) return named;
  if (typed === '.html' || typed === '.txt')
    throw new FetchError(`the server sent ${type} in place of a ${named.slice(1)} file`, {
      fault: 'format',
      next: 'give up',
    });
  return typed;
};

const formatOf = (ending: string) => DOCUMENT_FORMATS.find(({ extensions }) => extensions.includes(ending));

const knownEnding = (path: string): string | undefined => {
  const ending = extname(path).toLowerCase();
  return formatOf(ending) === undefined ? undefined : ending;
};

const fileNameEnding = (disposition: string | undefined): string | undefined => {
  const name = /filename\*?=\s*(?:"([^"]*)"|([^;]*))/i.exec(disposition ?? '');
  return name === null ? undefined : knownEnding((name[1] ?? name[2] ?? '').trim());
};
