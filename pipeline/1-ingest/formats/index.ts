/** EVERY DOCUMENT FORMAT, and the choice among them by a file's name and its first bytes. */
import { extname } from 'node:path';
import { CONTENT_NAMES, contentOf, HEAD_BYTES } from '../content.js';
import { readHead } from '../read.js';
import { type Content, type DocumentFormat, ExtractError, type ExtractLimits } from '../source.js';
import { docx } from './docx.js';
import { html } from './html.js';
import { jsonTranscript } from './json-transcript.js';
import { markdown } from './markdown.js';
import { pdf } from './pdf.js';
import { plainText } from './plain-text.js';

export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [plainText, markdown, pdf, html, docx, jsonTranscript];

/** Every library that can change a text, once: ingredients of all that ingest makes. */
export const EXTRACTION_LIBRARIES: readonly string[] = [
  ...new Set(DOCUMENT_FORMATS.flatMap((format) => format.libraries)),
].sort();

/** What to do with files that many people have and that no format reads. */
const ADVICE: Readonly<Record<string, string>> = {
  '.doc': 'save it as docx',
  '.rtf': 'save it as docx',
  '.odt': 'save it as docx',
  '.xml': 'save it as txt',
};

export interface ChosenFormat {
  readonly format: DocumentFormat;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * The format that reads a file: by the extension of its name, provided that its first bytes agree.
 *
 * @throws ExtractError for an unknown extension, for content of another kind, and for what is no readable file
 */
export const getFormat = async (file: string, name: string, limits: ExtractLimits): Promise<ChosenFormat> => {
  const extension = extname(name).toLowerCase();
  const format = DOCUMENT_FORMATS.find(({ extensions }) => extensions.includes(extension));
  const { head, size } = await readHead(file, limits.maxFileBytes, HEAD_BYTES);
  const content = contentOf(head);
  if (format === undefined) {
    const known = DOCUMENT_FORMATS.flatMap(({ extensions }) => extensions).join(', ');
    const named = extension === '' ? 'Files without an ending are' : `${extension} is`;
    const advice = ADVICE[extension] === undefined ? '' : `: ${ADVICE[extension]}`;
    throw new ExtractError(`${named} not among the formats that are read (${known})${advice}.`);
  }
  if (!format.holds.includes(content))
    throw new ExtractError(
      `The file is named ${extension} but holds ${CONTENT_NAMES[content]}${renameAdvice(content)}.`,
    );
  return { format, size };
};

/** The first of the formats that read such content, for what has no name; undefined where none does. */
export const findFormat = (content: Content): DocumentFormat | undefined =>
  DOCUMENT_FORMATS.find(({ holds }) => holds[0] === content);

const renameAdvice = (content: Content): string => {
  const other = findFormat(content)?.extensions[0];
  return other === undefined || content === 'text' || content === 'zip' ? '' : `: name it ${other}`;
};
