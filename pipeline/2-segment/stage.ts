import { join } from 'node:path';
import type { Dataset } from '../../data/catalog.js';
import { identifier, parquet, type Row } from '../../src/database.js';
import { textHash } from '../../src/files.js';
import { rejectsTable, spansTable } from '../../src/tables.js';
import type { Reject, Turn } from '../document.js';
import type { Stage } from '../stage.js';
import { codePointCounter } from './code-points.js';
import { segment as segmentText } from './segment.js';
import type { Sentence } from './sentence.js';

/** Texts to sentences: spans with exact offsets and, in transcripts, who speaks. */
export const segment: Stage = {
  name: 'segment',
  version: '2',
  scope: 'partition',
  about: 'texts to sentences',
  ingredients: async (partition, { output }) => ({
    texts: output('ingest', partition).files['texts.parquet'] ?? 'missing',
  }),
  open: async (_partitions, { dataset, database, output, signal, log }) => ({
    // Segmentation is JavaScript on one thread; two at a time overlap it with reading and writing.
    concurrency: 2,
    run: async (partition, folder) => {
      const texts = join(output('ingest', partition).folder, 'texts.parquet');
      const rejects: Reject[] = [];
      let documents = 0;
      const rows = async function* (): AsyncGenerator<Row> {
        const columns = ['document_id', 'text', 'turns'].map(identifier).join(', ');
        for await (const chunk of database.stream(`SELECT ${columns} FROM ${parquet(texts)} ORDER BY document_id`)) {
          for (const row of chunk) {
            signal.throwIfAborted();
            const documentId = String(row.document_id);
            const sentences = sentencesOf(dataset, String(row.text), row.turns);
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
            yield* spanRows(dataset, documentId, String(row.text), sentences);
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
        amounts: { documents, sentences, rejects: rejects.length },
      };
    },
    close: async () => ({}),
  }),
};

const sentencesOf = (dataset: Dataset, text: string, turns: unknown): readonly Sentence[] =>
  segmentText(text, {
    kind: dataset.kind,
    ...(typeof turns === 'string' ? { turns: JSON.parse(turns) as readonly Turn[] } : {}),
  });

const spanRows = function* (
  dataset: Dataset,
  documentId: string,
  text: string,
  sentences: readonly Sentence[],
): Generator<Row> {
  const codePoints = codePointCounter(text);
  for (const [index, sentence] of sentences.entries()) {
    yield {
      document_id: documentId,
      sentence_index: index,
      char_start: codePoints(sentence.start),
      char_end: codePoints(sentence.end),
      text: sentence.text,
      ...(dataset.kind === 'transcript'
        ? { speaker: sentence.speaker ?? null, role: sentence.role ?? null, section: sentence.section ?? null }
        : {}),
      text_hash: textHash(sentence.text),
    };
  }
};
