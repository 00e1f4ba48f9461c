import { DATASETS } from '../../data/catalog.js';
import type { Row } from '../../src/database.js';
import { hashText } from '../../src/files.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';
import type { Extractor } from './extract.js';
import { detectLanguage, nameOfLanguage } from './language.js';
import { ExtractError } from './source.js';

export type ReadDocument =
  | { readonly kind: 'document'; readonly row: Row }
  | { readonly kind: 'reject'; readonly reject: Reject };

/**
 * The text and provenance of one file, as a row of `texts`; or why there is none. What the layout
 * says of a document wins over what the file says of itself.
 */
export const readDocument = async (document: PlannedDocument, extractor: Extractor): Promise<ReadDocument> => {
  const reject = (reason: string): ReadDocument => ({
    kind: 'reject',
    reject: { dataset: document.dataset, subject: document.path, stage: 'ingest', reason },
  });
  try {
    const extracted = await extractor.extract(document.file, document.fileName ?? document.path);
    // The plan hashed the file a moment ago; the text read now must be the text of that hash.
    if (document.fileSha256 === null) return reject('The file could not be read when the run began.');
    const language = await detectLanguage(extracted.text);
    if (language !== 'en' && language !== 'und')
      return reject(
        `The text is not in English: it looks like ${nameOfLanguage(language)} (${language}). The models read English; give the bank's own translation, where there is one.`,
      );
    const dimensions = Object.fromEntries(
      DATASETS[document.dataset].dimensions.map(({ name }) => [
        name,
        document.dimensions[name] ?? extracted.dimensions?.[name] ?? null,
      ]),
    );
    return {
      kind: 'document',
      row: {
        document_id: document.documentId,
        ...dimensions,
        title: document.title ?? extracted.title,
        source_url: document.sourceUrl,
        path: document.path,
        file_sha256: document.fileSha256,
        text_sha256: hashText(extracted.text),
        text: extracted.text,
        language,
        turns: extracted.turns === undefined ? null : JSON.stringify(extracted.turns),
      },
    };
  } catch (error) {
    if (error instanceof ExtractError) return reject(error.message);
    throw error;
  }
};
