/** Keeps what was read, so that it stays when it goes from its folder: before publishing, so that all that is published is kept. */
import { join } from 'node:path';
import { parquet } from '../../src/database.js';
import { canonicalJson } from '../../src/files.js';
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
  for (const document of plan.present) {
    signal.throwIfAborted();
    const { fileSha256: sha256, file } = document;
    const key = keyOf(document);
    if (sha256 === null) continue;
    if (!isNew(document)) after.set(key, toKnown(document, sha256, before.get(key)?.since ?? ''));
    else if (texts.has(textKey(document.documentId, sha256)) && (await keepCopy(outputs, file, sha256, scratch)))
      after.set(key, toKnown(document, sha256, now().toISOString()));
  }
  for (const { from, to } of plan.recall.renamed)
    if (after.has(knownKey({ input: from.input, document_id: to }))) after.delete(knownKey(from));
  if (canonicalJson([...after].sort()) !== canonicalJson([...before].sort()))
    await writeKnown(outputs, dataset.id, [...after.values()]);
};

const keyOf = ({ input, documentId }: From<PlannedDocument>): string => knownKey({ input, document_id: documentId });

const textKey = (documentId: string, sha256: string): string => `${documentId} ${sha256}`;

/** Which of these documents have a text. */
const findTexts = async (
  documents: readonly PlannedDocument[],
  { database, output }: RememberOptions['world'],
): Promise<ReadonlySet<string>> => {
  const partitions = [...new Set(documents.map(({ partition }) => partition))];
  if (partitions.length === 0) return new Set();
  const files = partitions.map((partition) => join(output('ingest', partition).folder, 'texts.parquet'));
  const rows = await database.rows(`SELECT document_id, file_sha256 FROM ${parquet(files)}`);
  return new Set(rows.map(({ document_id: id, file_sha256: sha256 }) => textKey(String(id), String(sha256))));
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
