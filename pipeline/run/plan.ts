/** What there is to do: the documents of the input folders, their files' hashes, and the partitions they fall into. */
import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { hashFile } from '../../src/files.js';
import { listInputs } from '../1-ingest/sources/index.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';

export interface DatasetPlan {
  readonly dataset: DatasetId;
  readonly partitions: readonly string[];
  readonly documents: ReadonlyMap<string, readonly PlannedDocument[]>;
  readonly rejects: readonly Reject[];
}

/** Which documents a person asked for; an empty selection is all of them. */
export interface Selection {
  readonly bank?: string;
  readonly ticker?: string;
  readonly year?: number;
  readonly documentId?: string;
}

/** Lists the input folders and hashes every file, a few at a time. */
export const planInputs = async (
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<DatasetId, DatasetPlan>> => {
  const documents: PlannedDocument[] = [];
  const rejects: Reject[] = [];
  const queue = new PQueue({ concurrency: 4 });
  for await (const listed of listInputs(inputs)) {
    signal.throwIfAborted();
    if (listed.kind === 'reject') rejects.push(listed.reject);
    else {
      const found = listed.document;
      await queue.onSizeLessThan(64);
      void queue.add(async () => {
        documents.push({ ...found, ...(await fingerprintOf(found.file)) });
      });
    }
  }
  await queue.onIdle();
  return new Map(DATASET_IDS.map((dataset) => [dataset, planOf(dataset, documents, rejects)]));
};

/** Partitions that hold a document that the person asked for. */
export const selectPartitions = (plan: DatasetPlan, selection: Selection): readonly string[] =>
  plan.partitions.filter((partition) =>
    (plan.documents.get(partition) ?? []).some((document) => isSelected(document, selection)),
  );

const isSelected = ({ documentId, dimensions }: PlannedDocument, selection: Selection): boolean =>
  (selection.bank === undefined || dimensions.bank_name === selection.bank) &&
  (selection.ticker === undefined || dimensions.ticker === selection.ticker) &&
  (selection.year === undefined || dimensions.year === selection.year) &&
  (selection.documentId === undefined || documentId === selection.documentId);

const fingerprintOf = async (file: string): Promise<Pick<PlannedDocument, 'fileSha256' | 'bytes'>> => {
  try {
    const found = await stat(file);
    if (!found.isFile()) return { fileSha256: null, bytes: 0 };
    return { fileSha256: await hashFile(file), bytes: found.size };
  } catch {
    // Unreadable: ingest says why, as a reject.
    return { fileSha256: null, bytes: 0 };
  }
};

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const planOf = (dataset: DatasetId, all: readonly PlannedDocument[], rejects: readonly Reject[]): DatasetPlan => {
  const documents = new Map<string, PlannedDocument[]>();
  for (const document of all) {
    if (document.dataset !== dataset) continue;
    const others = documents.get(document.partition);
    if (others === undefined) documents.set(document.partition, [document]);
    else others.push(document);
  }
  for (const group of documents.values()) group.sort((a, b) => byName(a.documentId, b.documentId));
  return {
    dataset,
    partitions: [...documents.keys()].sort(byName),
    documents,
    rejects: rejects.filter((reject) => reject.dataset === dataset),
  };
};
