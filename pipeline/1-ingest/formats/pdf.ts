import { getDocumentProxy } from 'unpdf';
import { messageOf } from '../../../src/errors.js';
import { libraryOf } from '../../../src/libraries.js';
import { toLines } from '../pdf-layout/columns.js';
import { readDocumentText } from '../pdf-layout/document.js';
import { dropFalseSpaces } from '../pdf-layout/false-spaces.js';
import { repairGlyphNumbers } from '../pdf-layout/glyph-numbers.js';
import type { Piece } from '../pdf-layout/lines.js';
import { type DocumentFormat, ExtractError, type Extracted, type ExtractLimits } from '../source.js';
import { type PdfPage, readGlyphs } from './pdf-glyphs.js';

/** A PDF: its lines by their places on the page, joined to paragraphs, without running heads and page numbers. */
export const pdf: DocumentFormat = {
  name: 'pdf',
  extensions: ['.pdf'],
  holds: ['pdf'],
  libraries: [libraryOf('unpdf'), libraryOf('iconv-lite')],
  isolated: true,
  extract: async (bytes, limits) => {
    checkEnd(bytes);
    const document = await open(bytes);
    try {
      return await readPages(document, limits);
    } finally {
      await document.loadingTask.destroy();
    }
  },
};

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** How far before the end of a file readers look for its end mark; servers pad files. */
const END_BYTES = 4096;

// A file that was cut off can be read up to the cut; its document would be taken for a whole one.
const checkEnd = (bytes: Uint8Array): void => {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(-END_BYTES).toString('latin1');
  if (!end.includes('%%EOF')) throw new ExtractError('The PDF is cut off: its end mark is missing. Fetch it again.');
};

const ERRORS_ONLY = 0;
/** Pixels. Nobody looks at images here; larger ones are not decoded. */
const MAX_IMAGE_SIZE = 1;

const open = async (bytes: Uint8Array): Promise<PdfDocument> => {
  try {
    const data = new Uint8Array(bytes);
    return await getDocumentProxy(data, {
      verbosity: ERRORS_ONLY,
      isEvalSupported: false,
      disableFontFace: true,
      maxImageSize: MAX_IMAGE_SIZE,
    });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException')
      throw new ExtractError('The PDF is encrypted and asks for a password. Save it without one.', { cause: error });
    throw new ExtractError(`The PDF is damaged: ${messageOf(error)}`, { cause: error });
  }
};

const readPages = async (document: PdfDocument, limits: ExtractLimits): Promise<Extracted> => {
  if (document.numPages > limits.maxPages)
    throw new ExtractError(`The PDF has ${document.numPages} pages, at most ${limits.maxPages} are read.`);
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number);
    for (const piece of page.pieces) characters += piece.text.length;
    if (characters > limits.maxTextCharacters)
      throw new ExtractError(`The PDF holds more than ${limits.maxTextCharacters} characters.`);
    pages.push(page);
  }
  if (characters === 0)
    throw new ExtractError(
      'The PDF holds no text: its pages are scanned images, or blank. Run a text recognition over it.',
    );
  const pieces = repairGlyphNumbers(pages.map((page) => page.pieces));
  const lines = toLines(pages.map(({ width }, index) => ({ pieces: pieces[index] ?? [], width })));
  const { text, title } = readDocumentText(lines);
  return { text, title: (await findTitle(document)) ?? title };
};

interface Page {
  readonly pieces: readonly Piece[];
  readonly width: number;
}

const readPage = async (document: PdfDocument, number: number): Promise<Page> => {
  try {
    const page = await document.getPage(number);
    const pieces = await readPieces(page);
    const { width } = page.getViewport({ scale: 1 });
    page.cleanup();
    return { pieces, width };
  } catch (error) {
    throw new ExtractError(`The PDF is damaged at page ${number}: ${messageOf(error)}`, { cause: error });
  }
};

/** Text that runs level. Watermarks and the names of vertical axes are left out. */
const readPieces = async (page: PdfPage): Promise<readonly Piece[]> => {
  const content = await page.getTextContent({ disableNormalization: true });
  const items = content.items.filter((item) => 'str' in item);
  const strings = dropFalseSpaces(
    items.map(({ str }) => str),
    // What can be read as text is, also where the page cannot be drawn.
    await readGlyphs(page).catch(() => []),
  );
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = page.getViewport({ scale: 1 }).transform as readonly number[];
  const pieces: Piece[] = [];
  for (const [index, item] of items.entries()) {
    const text = strings[index] ?? item.str;
    if (text.trim() === '') continue;
    const [ta = 0, tb = 0, tc = 0, td = 0, te = 0, tf = 0] = item.transform as readonly number[];
    const along = { x: a * ta + c * tb, y: b * ta + d * tb };
    if (along.x <= 0 || Math.abs(along.y) > along.x * 0.1) continue;
    const size = Math.hypot(a * tc + c * td, b * tc + d * td);
    pieces.push({
      text,
      isAfterSpace: isSpace(strings[index - 1]),
      x: a * te + c * tf + e,
      y: b * te + d * tf + f,
      width: item.width,
      font: item.fontName,
      size,
    });
  }
  return pieces;
};

/** Set between two pieces, where it may be too narrow to show by their places: `firms’ prices`. */
const isSpace = (text: string | undefined): boolean => text !== undefined && /^\s+$/.test(text);

/** Titles that programs write by themselves name a file, not a document. */
const MADE_BY_PROGRAM =
  /^(microsoft|untitled|document\d*$|slide|print|https?:|\S*[/\\_]\S*$)|\.(docx?|pdf|indd|qxd|qxp|rtf|tex|pmd?|fm)\b/i;

const findTitle = async (document: PdfDocument): Promise<string | null> => {
  try {
    const info: unknown = (await document.getMetadata()).info;
    if (typeof info !== 'object' || info === null || !('Title' in info) || typeof info.Title !== 'string') return null;
    const title = info.Title.replace(/[\s\p{Cc}]+/gu, ' ').trim();
    return title.length < 4 || title.length > 300 || MADE_BY_PROGRAM.test(title) ? null : title;
  } catch {
    return null;
  }
};
