import mammoth from 'mammoth';
import { messageOf } from '../../../src/errors.js';
import { libraryOf } from '../../../src/libraries.js';
import { type DocumentFormat, ExtractError, type Extracted, type ExtractLimits } from '../source.js';
import { readZipEntries } from '../zip.js';
import { walk } from './blocks.js';
import { renderProse } from './prose.js';
import { parseTree } from './tree.js';

/** A Word document: by way of HTML, so that headings, lists and tables read as those of a page do. */
export const docx: DocumentFormat = {
  name: 'docx',
  extensions: ['.docx'],
  holds: ['zip'],
  libraries: [libraryOf('mammoth'), libraryOf('cheerio')],
  isolated: true,
  extract: async (bytes, limits) => {
    checkArchive(bytes, limits);
    return toExtracted(await convert(bytes));
  },
};

const DOCUMENT_PART = /^word\/document\d*\.xml$/;

/** How much XML a character of text may take: runs, styles and revisions around it. */
const XML_PER_CHARACTER = 5;

const checkArchive = (bytes: Uint8Array, limits: ExtractLimits): void => {
  const entries = readZipEntries(bytes);
  if (!entries.some(({ name }) => DOCUMENT_PART.test(name)))
    throw new ExtractError('The file is a zip archive but no Word document: it holds no word/document.xml.');
  // Pictures are never unpacked.
  const unpacked = entries
    .filter(({ name }) => !name.startsWith('word/media/'))
    .reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  const most = limits.maxTextCharacters * XML_PER_CHARACTER;
  if (unpacked > most)
    throw new ExtractError(
      `The file would unpack to ${Math.round(unpacked / 1e6)} MB, at most ${Math.round(most / 1e6)} are unpacked.`,
    );
};

const convert = async (bytes: Uint8Array): Promise<string> => {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const options = {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      styleMap: ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => h2:fresh"],
      externalFileAccess: false,
    };
    return (await mammoth.convertToHtml({ buffer }, options)).value;
  } catch (error) {
    throw new ExtractError(`The Word document is damaged: ${firstLine(messageOf(error))}`, { cause: error });
  }
};

const firstLine = (message: string): string => message.split('\n', 1)[0]?.slice(0, 200) ?? '';

const toExtracted = (html: string): Extracted => {
  const tree = parseTree(html);
  return { text: renderProse(tree, () => false), title: findTitle(html) };
};

/** The paragraph styled as title, else the first heading of the first level. */
const findTitle = (html: string): string | null => {
  const heading = /<h1 class="title">(.*?)<\/h1>/s.exec(html)?.[0] ?? /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[0];
  if (heading === undefined) return null;
  const pieces: string[] = [];
  walk(parseTree(heading), { enter: () => 'into', leave: () => {}, text: (data) => pieces.push(data) });
  const title = pieces.join('').replace(/\s+/g, ' ').trim();
  return title === '' ? null : title;
};
