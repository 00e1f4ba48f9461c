import { join } from 'node:path';
import type { Row } from '../../src/database.js';
import { canonicalJson, hashText } from '../../src/files.js';
import { libraryOf } from '../../src/libraries.js';
import { rejectsTable, textsTable } from '../../src/tables.js';
import type { Reject } from '../document.js';
import type { PlannedDocument, Stage } from '../stage.js';
import { LIMITS, openExtractor } from './extract.js';
import { EXTRACTION_LIBRARIES } from './formats/index.js';
import { readDocument } from './read-document.js';

/** Raw files to documents: one row of text for each file that can be read, one reject for each that cannot. */
export const ingest: Stage = {
  name: 'ingest',
  version: '5',
  scope: 'partition',
  about: 'raw files to texts',
  ingredients: async (partition, { documents }) => ({
    libraries: hashText([...EXTRACTION_LIBRARIES, libraryOf('eld')].join('\n')),
    limits: hashText(canonicalJson(LIMITS)),
    ...Object.fromEntries(
      documents(partition).map((document) => [documentIngredient(document.documentId), fingerprintDocument(document)]),
    ),
  }),
  open: async (_partitions, { dataset, documents, database, settings, signal, log }) => {
    const extractor = openExtractor({ limits: LIMITS, processes: settings.workers, signal });
    return {
      // Twice the processes, so that none waits while another partition is written.
      concurrency: settings.workers * 2,
      run: async (partition, folder) => {
        const rejects: Reject[] = [];
        const unread: string[] = [];
        const rows = async function* (): AsyncGenerator<Row> {
          for (const document of documents(partition)) {
            signal.throwIfAborted();
            const read = await readDocument(document, extractor);
            if (read.kind === 'document') yield read.row;
            else {
              rejects.push(read.reject);
              if (read.fault === 'machine') unread.push(read.reject.subject);
              log({ type: 'rejected', reject: read.reject });
            }
          }
        };
        const count = await database.writeTable(textsTable(dataset), join(folder, 'texts.parquet'), rows());
        await database.writeTable(rejectsTable, join(folder, 'rejects.parquet'), rejects.map(rejectRow));
        return {
          files: ['texts.parquet', 'rejects.parquet'],
          amounts: { documents: count, rejects: rejects.length },
          ...(unread.length > 0 && { again: `could not be read, and may be now: ${unread.join(', ')}` }),
        };
      },
      close: async () => {
        await extractor.close();
        return {};
      },
    };
  },
};

/** The name of the ingredient that a document is. */
export const documentIngredient = (documentId: string): string => `document ${documentId}`;

/** All of a document that its text and its row are made of. */
export const fingerprintDocument = (document: PlannedDocument): string => {
  const { dimensions, title, sourceUrl, path, fileName, fileSha256 } = document;
  // Without a file name it is not among them, so that a document is fresh whether it was read there or is recalled.
  return hashText(canonicalJson({ dimensions, title, sourceUrl, path, fileName, fileSha256 }));
};

const rejectRow = ({ subject, stage, reason }: Reject): Row => ({ subject, stage, reason });
