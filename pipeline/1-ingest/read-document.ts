import { DATASETS } from '../../data/catalog.js';
import type { Row } from '../../src/database.js';
import { RunError } from '../../src/errors.js';
import { hashFile, hashText } from '../../src/files.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';
import type { Extractor } from './extract.js';
import { detectLanguage, nameOfLanguage } from './language.js';
import { ExtractError } from './source.js';

export type ReadDocument =
  | { readonly kind: 'document'; readonly row: Row }
  | {
      readonly kind: 'reject';
      readonly reject: Reject;
      /** One that is the machine's fault may be none in the next run, although the file is the same. */
      readonly fault: ExtractError['fault'];
      /** What went wrong, without what happens next. */
      readonly why: string;
    };

/**
 * The text and provenance of one file, as a row of `texts`; or why there is none. What the layout
 * says of a document wins over what the file says of itself.
 */
export const readDocument = async (document: PlannedDocument, extractor: Extractor): Promise<ReadDocument> => {
  const reject = (why: string, fault: ExtractError['fault'] = 'file'): ReadDocument => {
    const reason = fault === 'machine' ? `${why} The next run tries again.` : why;
    return {
      kind: 'reject',
      reject: { dataset: document.dataset, subject: document.path, stage: 'ingest', reason },
      fault,
      why,
    };
  };
  try {
    const extracted = await extractor.extract(document.file, document.fileName ?? document.path);
    // The plan hashed the file a moment ago; the text read now must be the text of that hash.
    if (document.fileSha256 === null) return reject('The file could not be read when the run began.');
    if (extracted.fileSha256 !== document.fileSha256) throw changed(document);
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
    if (!(error instanceof ExtractError)) throw error;
    const fault = error.fault === 'file' ? await faultOfContent(document) : error.fault;
    return reject(error.message, fault);
  }
};

/** What is wrong with the file must be wrong with the content that the plan found: nothing else is remembered of that. */
const faultOfContent = async (document: PlannedDocument): Promise<ExtractError['fault']> => {
  if (document.fileSha256 === null) return 'file';
  const found = await hashFile(document.file).catch(() => undefined);
  if (found === undefined) return 'machine';
  if (found !== document.fileSha256) throw changed(document);
  return 'file';
};

/** A file is not what it was when the run, or the job, was planned: nothing can be made of that plan any more. */
export class ChangedFileError extends RunError {
  override name = 'ChangedFileError';
}

const changed = ({ path }: PlannedDocument): ChangedFileError =>
  new ChangedFileError(
    `${path} changed after the run was planned. Start it again from the beginning: that reads the file as it is then.`,
  );
