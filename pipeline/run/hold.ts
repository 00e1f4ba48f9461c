/**
 * A reprocess does what was asked, and nothing else: whatever the folders say by now of the other documents, they stay as
 * the last run read them. What that was is in the ingredients of its units; the files themselves were kept.
 */
import { join } from 'node:path';
import { openDatabase, parquet } from '../../src/database.js';
import type { HashFile } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { documentOfIngredient, fingerprintDocument } from '../1-ingest/ingredients.js';
import { findKept } from '../1-ingest/raw/store.js';
import { inputsKey } from '../5-publish/last.js';
import { foldersOf } from '../5-publish/previous.js';
import { type PlannedDocument, WHOLE } from '../stage.js';
import { publishedPartitions } from './leftovers.js';
import type { Listing } from './listing.js';
import { type DatasetPlan, isSelected, type Selection, toPartitions } from './plan.js';
import { toPlanned } from './recalled.js';
import { readMarker } from './units.js';

export interface HeldPlan {
  readonly plan: DatasetPlan;
  /** Ids of the documents that were asked for. */
  readonly selected: ReadonlySet<string>;
  /** Documents that are read as they are now though nobody asked for them: what the last run read of them is not kept. */
  readonly released: readonly string[];
}

export interface HoldOptions {
  readonly outputs: Outputs;
  readonly selection: Selection;
  /** How kept files are compared: by their content, where it is not said. */
  readonly hash?: HashFile;
  /** Is what was asked for read again? Not where only a model is asked again: then all documents stay as they were. */
  readonly read: 'selected' | 'nothing';
  /** Where DuckDB spills. */
  readonly scratch: string;
}

/** The plan with what was asked for as it is now, and all else as it was. Where nothing was published, nothing is held. */
export const holdOthers = async (plan: DatasetPlan, options: HoldOptions): Promise<HeldPlan> => {
  const { outputs, read } = options;
  const selected = await selectDocuments(plan, options);
  const published = await readMarker(outputs.unit(plan.dataset, 'publish', WHOLE));
  if (published === undefined || !(await isOfSameFolders(plan, outputs))) return { plan, selected, released: [] };

  const now = new Map([...plan.documents.values()].flat().map((document) => [document.documentId, document]));
  const taken = new Map<string, PlannedDocument>();
  const released: string[] = [];
  const isRead = (id: string): boolean => read === 'selected' && selected.has(id);
  for (const [id, document] of now) if (isRead(id)) taken.set(id, document);
  const renamed = new Map(plan.recall.renamed.map(({ from, to }) => [from.document_id, to]));
  const isHeld = (id: string): boolean => !isRead(id) && !isRead(renamed.get(id) ?? '');
  for (const partition of publishedPartitions(published)) {
    const marker = await readMarker(outputs.unit(plan.dataset, 'ingest', partition));
    if (marker === undefined) {
      // A partition that was published and has lost its unit is made anew, of what there is.
      for (const document of plan.documents.get(partition) ?? [])
        if (isHeld(document.documentId)) taken.set(document.documentId, document);
      continue;
    }
    for (const [ingredient, fingerprint] of Object.entries(marker.ingredients)) {
      const id = documentOfIngredient(ingredient);
      if (id === undefined || !isHeld(id)) continue;
      const present = now.get(id);
      const held = await findAsItWas(plan, options, { id, fingerprint, present });
      if (held !== undefined) taken.set(id, held);
      else if (present !== undefined) {
        taken.set(id, present);
        released.push(id);
      }
    }
  }
  const documents = [...taken.values()];
  const paths = new Set(documents.filter((one) => one !== now.get(one.documentId)).map(({ path }) => path));
  return {
    plan: {
      ...plan,
      ...toPartitions(documents),
      // What is said now of the file of a document that stays as it was is not said in this run.
      rejects: plan.rejects.filter(({ subject }) => !paths.has(subject)),
      present: plan.present.filter((one) => taken.get(one.documentId) === one),
      recall: { ...plan.recall, recalled: plan.recall.recalled.filter((one) => taken.has(one.document_id)) },
    },
    selected,
    released,
  };
};

/**
 * The addresses of what was asked for. A document whose date only its file states may be of any day, so it is asked: the
 * content that it gave before stays where it turns out not to be meant.
 */
export const selectedUrls = ({ remote }: Listing, selection: Selection): ReadonlySet<string> =>
  new Set(
    remote
      .filter((one) =>
        isSelected(one, selection, one.dimensions.date === null ? (selection.from ?? selection.to) : undefined),
      )
      .map(({ url }) => url.href),
  );

/** Another folder's documents do not stand in for this one's: what is published of others is no `as it was`. */
const isOfSameFolders = async ({ dataset, inputs }: DatasetPlan, outputs: Outputs): Promise<boolean> => {
  try {
    const current = await findCurrent(outputs, dataset);
    if (current === undefined) return false;
    const manifest = await readManifest(outputs.snapshot(dataset, current));
    return (await foldersOf(outputs, manifest)) === inputsKey({ inputs });
  } catch {
    // A damaged snapshot is made anew by this run, of what there is.
    return false;
  }
};

/** The document with this fingerprint: as it is, where it still has it, else from what was kept; undefined where neither. */
const findAsItWas = async (
  { dataset, known, inputs }: DatasetPlan,
  { outputs, hash }: HoldOptions,
  { id, fingerprint, present }: { id: string; fingerprint: string; present: PlannedDocument | undefined },
): Promise<PlannedDocument | undefined> => {
  if (present !== undefined && fingerprintDocument(present) === fingerprint) return present;
  for (const one of known) {
    if (one.document_id !== id || !inputs.includes(one.input)) continue;
    const file = await findKept(outputs, one.sha256, hash);
    if (file === undefined) continue;
    const document = toPlanned(dataset, one, file);
    if (fingerprintDocument(document) === fingerprint) return document;
  }
  return undefined;
};

/** What was asked for, as its source describes it now or described it when it was last read. */
const selectDocuments = async (
  plan: DatasetPlan,
  { outputs, selection, scratch }: HoldOptions,
): Promise<ReadonlySet<string>> => {
  const documents = [...plan.documents.values()].flat();
  const dated = selection.from !== undefined || selection.to !== undefined;
  const dates = dated ? await readStatedDates(plan, outputs, scratch) : new Map<string, string>();
  const chosen = new Set(
    documents
      .filter((one) => isSelected(one, selection, dates.get(one.documentId)))
      .map(({ documentId }) => documentId),
  );
  for (const { input, document_id: documentId, dimensions } of plan.known) {
    const one = { documentId, dimensions };
    if (plan.inputs.includes(input) && isSelected(one, selection, dates.get(documentId))) chosen.add(documentId);
  }
  return chosen;
};

/** Dates that the files state of documents whose source states none, as ingest read them last. */
const readStatedDates = async (
  plan: DatasetPlan,
  outputs: Outputs,
  scratch: string,
): Promise<ReadonlyMap<string, string>> => {
  const undated = plan.partitions.filter((partition) =>
    plan.documents.get(partition)?.some(({ dimensions }) => dimensions.date == null),
  );
  const files: string[] = [];
  for (const partition of undated) {
    const folder = outputs.unit(plan.dataset, 'ingest', partition);
    if ((await readMarker(folder)) !== undefined) files.push(join(folder, 'texts.parquet'));
  }
  if (files.length === 0) return new Map();
  const database = await openDatabase({ memoryMb: 128, temporaryFolder: scratch, threads: 1 });
  try {
    const rows = await database.rows(`SELECT document_id, date FROM ${parquet(files)} WHERE date IS NOT NULL`);
    return new Map(rows.map((row) => [String(row.document_id), String(row.date)]));
  } finally {
    database.close();
  }
};
