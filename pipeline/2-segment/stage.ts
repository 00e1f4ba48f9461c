import { join } from 'node:path';
import type { Dataset } from '../../data/catalog.js';
import { identifier, parquet, type Row } from '../../src/database.js';
import { hashText, textHash } from '../../src/files.js';
import { libraryOf } from '../../src/libraries.js';
import { rejectsTable, spansTable } from '../../src/tables.js';
import type { Reject, Turn } from '../document.js';
import type { Stage } from '../stage.js';
import { codePointCounter } from './code-points.js';
import { type MarkedSentence, segmentAndMark } from './mark.js';

/** Texts to sentences: spans with exact offsets, in transcripts who speaks, and a mark where no model is to be asked. */
export const segment: Stage = {
  name: 'segment',
  version: '10',
  scope: 'partition',
  about: 'texts to sentences',
  ingredients: async (partition, { output }) => ({
    texts: output('ingest', partition).files['texts.parquet'] ?? 'missing',
    libraries: hashText(libraryOf('eld')),
  }),
  open: async (_partitions, { dataset, database, output, signal, log }) => ({
    // Segmentation is JavaScript on one thread; two at a time overlap it with reading and writing.
    concurrency: 2,
    run: async (partition, folder) => {
      const texts = join(output('ingest', partition).folder, 'texts.parquet');
      const rejects: Reject[] = [];
      let documents = 0;
      let marked = 0;
      const rows = async function* (): AsyncGenerator<Row> {
        const columns = ['document_id', 'text', 'turns', 'language'].map(identifier).join(', ');
        for await (const chunk of database.stream(`SELECT ${columns} FROM ${parquet(texts)} ORDER BY document_id`)) {
          for (const row of chunk) {
            signal.throwIfAborted();
            const documentId = String(row.document_id);
            const text = String(row.text);
            const sentences = await sentencesOf(dataset, text, row.turns);
            if (sentences.length === 0) {
              const reject = {
                dataset: dataset.id,
                subject: documentId,
                stage: 'segment',
                reason: 'The text holds no sentence.',
              } as const;
              rejects.push(reject);
              log({ type: 'rejected', reject });
              continue;
            }
            documents += 1;
            marked += sentences.filter(({ mark }) => mark !== undefined).length;
            yield* spanRows(dataset, { documentId, text, language: String(row.language) }, sentences);
          }
        }
      };
      const sentences = await database.writeTable(spansTable(dataset), join(folder, 'spans.parquet'), rows());
      await database.writeTable(
        rejectsTable,
        join(folder, 'rejects.parquet'),
        rejects.map(({ subject, stage, reason }) => ({ subject, stage, reason })),
      );
      return {
        files: ['spans.parquet', 'rejects.parquet'],
        amounts: { documents, sentences, marked, rejects: rejects.length },
      };
    },
    close: async () => ({}),
  }),
};

const sentencesOf = (dataset: Dataset, text: string, turns: unknown): Promise<readonly MarkedSentence[]> =>
  segmentAndMark(text, {
    kind: dataset.kind,
    ...(typeof turns === 'string' ? { turns: JSON.parse(turns) as readonly Turn[] } : {}),
  });

const spanRows = function* (
  dataset: Dataset,
  document: { readonly documentId: string; readonly text: string; readonly language: string },
  sentences: readonly MarkedSentence[],
): Generator<Row> {
  const codePoints = codePointCounter(document.text);
  for (const [index, { sentence, mark, language }] of sentences.entries()) {
    yield {
      document_id: document.documentId,
      sentence_index: index,
      char_start: codePoints(sentence.start),
      char_end: codePoints(sentence.end),
      text: sentence.text,
      language: language ?? document.language,
      mark: mark ?? null,
      ...(dataset.kind === 'transcript'
        ? { speaker: sentence.speaker ?? null, role: sentence.role ?? null, section: sentence.section ?? null }
        : {}),
      text_hash: textHash(sentence.text),
    };
  }
};
