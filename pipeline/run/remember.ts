/** Keeps what was read, so that it stays when it goes from its folder: before publishing, so that all that is published is kept. */
import { join } from 'node:path';
import PQueue from 'p-queue';
import { parquet } from '../../src/database.js';
import { type KnownDocument, knownKey, writeKnown } from '../1-ingest/raw/known.js';
import { keepCopy } from '../1-ingest/raw/store.js';
import type { PlannedDocument, World } from '../stage.js';
import type { From } from './listing.js';
import type { DatasetPlan } from './plan.js';

export interface RememberOptions {
  readonly plan: Pick<DatasetPlan, 'present' | 'known' | 'recall'>;
  /** Ingest has run. */
  readonly world: Pick<World, 'dataset' | 'database' | 'outputs' | 'output' | 'now' | 'signal'>;
  /** A folder of this run alone, on the disk of the outputs. */
  readonly scratch: string;
}

/**
 * Copies the raw files that ingest made texts of and that are not kept yet, and writes the list of what is. A file that
 * gave no text is not kept: the content before it, if there was one, stays on the list. Costs what is new, not the corpus.
 */
export const rememberDocuments = async ({ plan, world, scratch }: RememberOptions): Promise<void> => {
  const { outputs, now, signal, dataset } = world;
  const before = new Map(plan.known.map((one) => [knownKey(one), one]));
  const after = new Map(before);
  const isNew = (document: From<PlannedDocument>): boolean =>
    document.fileSha256 !== null && before.get(keyOf(document))?.sha256 !== document.fileSha256;
  const texts = await findTexts(plan.present.filter(isNew), world);
  const read = plan.present.filter((document) => isNew(document) && texts.has(textKey(document)));
  const kept = await keepAll(read, { outputs, scratch, signal });
  for (const document of plan.present) {
    const sha256 = document.fileSha256;
    if (sha256 === null) continue;
    const key = keyOf(document);
    if (!isNew(document)) after.set(key, toKnown(document, sha256, before.get(key)?.since ?? ''));
    else if (texts.has(textKey(document)) && kept.has(sha256))
      after.set(key, toKnown(document, sha256, now().toISOString()));
  }
  for (const { from, to } of plan.recall.renamed)
    if (after.has(knownKey({ input: from.input, document_id: to }))) after.delete(knownKey(from));
  await writeKnown(outputs, dataset.id, [...after.values()], plan.known);
};

const keyOf = ({ input, documentId }: From<PlannedDocument>): string => knownKey({ input, document_id: documentId });

const textKey = ({ documentId, fileSha256 }: Pick<PlannedDocument, 'documentId' | 'fileSha256'>): string =>
  `${documentId} ${fileSha256}`;

/** Which of these documents have a text. */
const findTexts = async (
  documents: readonly PlannedDocument[],
  { database, output }: RememberOptions['world'],
): Promise<ReadonlySet<string>> => {
  const partitions = [...new Set(documents.map(({ partition }) => partition))];
  if (partitions.length === 0) return new Set();
  const files = partitions.map((partition) => join(output('ingest', partition).folder, 'texts.parquet'));
  const rows = await database.rows(`SELECT document_id, file_sha256 FROM ${parquet(files)}`);
  return new Set(
    rows.map((row) => textKey({ documentId: String(row.document_id), fileSha256: String(row.file_sha256) })),
  );
};

/** The contents that are kept now. Several at a time: most of it is waiting until the disk has them. */
const keepAll = async (
  documents: readonly PlannedDocument[],
  { outputs, scratch, signal }: Pick<RememberOptions, 'scratch'> & Pick<World, 'outputs' | 'signal'>,
): Promise<ReadonlySet<string>> => {
  const files = new Map(documents.map(({ fileSha256, file }) => [fileSha256 ?? '', file]));
  const kept = new Set<string>();
  const queue = new PQueue({ concurrency: 16 });
  const copies = [...files].map(([sha256, file]) =>
    queue.add(async () => {
      signal.throwIfAborted();
      if (await keepCopy(outputs, file, sha256, scratch)) kept.add(sha256);
    }),
  );
  // All of them end before the first failure is thrown: the scratch folder is not taken away under the others.
  for (const end of await Promise.allSettled(copies)) if (end.status === 'rejected') throw end.reason;
  return kept;
};

const toKnown = (document: From<PlannedDocument>, sha256: string, since: string): KnownDocument => ({
  input: document.input,
  document_id: document.documentId,
  partition: document.partition,
  dimensions: document.dimensions,
  title: document.title,
  source_url: document.sourceUrl,
  path: document.path,
  ...(document.fileName !== undefined && { file_name: document.fileName }),
  sha256,
  bytes: document.bytes,
  since,
});
