import { join } from 'node:path';
import type { Row } from '../../src/database.js';
import { rejectsTable, textsTable } from '../../src/tables.js';
import type { Reject } from '../document.js';
import type { Stage } from '../stage.js';
import { LIMITS, openExtractor } from './extract.js';
import { ingredientsOf } from './ingredients.js';
import { openLastRead } from './last-read.js';
import { readDocument } from './read-document.js';

/** Raw files to documents: one row of text for each file that can be read, one reject for each that cannot. */
export const ingest: Stage = {
  name: 'ingest',
  version: '6',
  scope: 'partition',
  about: 'raw files to texts',
  ingredients: async (partition, { documents }) => ingredientsOf(documents(partition)),
  open: async (_partitions, world) => {
    const { dataset, documents, database, settings, signal, log } = world;
    const extractor = openExtractor({ limits: LIMITS, processes: settings.workers, signal });
    return {
      // Twice the processes, so that none waits while another partition is written.
      concurrency: settings.workers * 2,
      run: async (partition, folder) => {
        const rejects: Reject[] = [];
        const unread: string[] = [];
        const findLastRead = openLastRead(ingest, partition, world);
        const rows = async function* (): AsyncGenerator<Row> {
          for (const document of documents(partition)) {
            signal.throwIfAborted();
            const read = await readDocument(document, extractor);
            if (read.kind === 'document') {
              yield read.row;
              continue;
            }
            const before = read.fault === 'machine' ? await findLastRead(document) : undefined;
            if (before !== undefined) {
              log({ type: 'kept', dataset: dataset.id, subject: document.path, why: read.why });
              yield before;
              continue;
            }
            rejects.push(read.reject);
            if (read.fault === 'machine') unread.push(read.reject.subject);
            log({ type: 'rejected', reject: read.reject });
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

const rejectRow = ({ subject, stage, reason }: Reject): Row => ({ subject, stage, reason });
