/** Kept documents as documents of the plan: the same but for where the file lies, so that what was made of them is fresh. */
import type { DatasetId } from '../../data/catalog.js';
import type { HashFile } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import type { KnownDocument } from '../1-ingest/raw/known.js';
import type { Recalled } from '../1-ingest/raw/recall.js';
import { findKept } from '../1-ingest/raw/store.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';

export const readRecalled = async (
  dataset: DatasetId,
  recalled: readonly Recalled[],
  outputs: Outputs,
  signal: AbortSignal,
  hash?: HashFile,
): Promise<{ readonly documents: readonly PlannedDocument[]; readonly rejects: readonly Reject[] }> => {
  const documents: PlannedDocument[] = [];
  const rejects: Reject[] = [];
  for (const one of recalled) {
    signal.throwIfAborted();
    const { path, input, since, why } = one;
    const file = await findKept(outputs, one.sha256, hash);
    if (file === undefined) {
      // Published: where the folder lies on this machine is nobody else's business, and makes no other snapshot.
      const reason = `${LOST[why]()}, and the copy that was kept of it is missing or damaged`;
      rejects.push({ dataset, subject: path, stage: 'ingest', reason });
      continue;
    }
    const notes = [`${LOST[why](input)}; what was read on ${since.slice(0, 10)} stays`];
    documents.push({ ...toPlanned(dataset, one, file), notes });
  }
  return { documents, rejects };
};

/** With the folder where it is told on this machine. */
const LOST: Readonly<Record<Recalled['why'], (input?: string) => string>> = {
  gone: (input = 'its input folder') => `it is gone from ${input}`,
  list: (input) => `the list that named its file${within(input)} is missing or cannot be read`,
  unread: (input) => `its file${within(input)} could not be read when the run began`,
  unanswered: (input) => `its address${within(input)} gave nothing`,
};

const within = (input: string | undefined): string => (input === undefined ? '' : ` in ${input}`);

/** @param file where the copy lies that is kept of it */
export const toPlanned = (dataset: DatasetId, one: KnownDocument, file: string): PlannedDocument => ({
  dataset,
  documentId: one.document_id,
  partition: one.partition,
  dimensions: one.dimensions,
  title: one.title,
  sourceUrl: one.source_url,
  file,
  path: one.path,
  ...(one.file_name !== undefined && { fileName: one.file_name }),
  fileSha256: one.sha256,
  bytes: one.bytes,
});
