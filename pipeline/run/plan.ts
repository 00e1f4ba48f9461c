/** What there is to do: the documents of the input folders, their files' hashes, and the partitions they fall into. */
import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import type { DatasetId } from '../../data/catalog.js';
import { type HashFile, hashFile } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import { type KnownDocument, knownKey, readKnown } from '../1-ingest/raw/known.js';
import { chooseRecalled, type Recall } from '../1-ingest/raw/recall.js';
import { faultOf } from '../1-ingest/read.js';
import type { Double, SourceDocument } from '../1-ingest/source.js';
import type { Reject } from '../document.js';
import type { PlannedDocument } from '../stage.js';
import { type From, type ListedReject, type Listing, listingOf } from './listing.js';
import { readRecalled } from './recalled.js';
import { countUrls, type ReadRemote, type RemoteAnswer, toFetched, type UrlCounts } from './remote.js';

export interface DatasetPlan {
  readonly dataset: DatasetId;
  /** Input folders, as absolute paths. */
  readonly inputs: readonly string[];
  readonly partitions: readonly string[];
  readonly documents: ReadonlyMap<string, readonly PlannedDocument[]>;
  readonly rejects: readonly Reject[];
  /** What lies at addresses, and what of it was found. */
  readonly urls: UrlCounts;
  /** Addresses that gave nothing, with what their servers or the system said: for the log alone. */
  readonly unanswered: readonly Unanswered[];
  /** Documents that were left out for one of another input folder, with where both lie: for the log alone. */
  readonly doubles: readonly Double[];
  /** Ids of documents whose address gave nothing this time, and that keep its last content. */
  readonly unanswering: ReadonlySet<string>;
  /** Documents that are in their folder, or at their address, with that folder. */
  readonly present: readonly From<PlannedDocument>[];
  readonly known: readonly KnownDocument[];
  readonly recall: Recall;
}

export interface Unanswered {
  readonly url: string;
  readonly why: string;
}

/** Which documents a person asked for; an empty selection is all of them. */
export interface Selection {
  readonly bank?: string;
  readonly ticker?: string;
  readonly year?: number;
  readonly documentId?: string;
  /** First and last day of the document's date, both with it, as ISO days; a document without a date is in no such span. */
  readonly from?: string;
  readonly to?: string;
}

export interface PlanOptions {
  readonly outputs: Outputs;
  readonly readRemote: ReadRemote;
  /** Ids of documents that are not to come back from the kept files. */
  readonly forget: readonly string[];
  readonly signal: AbortSignal;
  /** How files are hashed: by their content, where it is not said. */
  readonly hash?: HashFile;
}

/** Asks the addresses, hashes every file, and adds what is gone from its folder and was kept. */
export const planDataset = async (dataset: DatasetId, all: Listing, options: PlanOptions): Promise<DatasetPlan> => {
  const { outputs, readRemote, forget, signal, hash = hashFile } = options;
  const { inputs, files, remote, rejects } = listingOf(all, dataset);
  const answers =
    remote.length === 0 ? new Map<string, RemoteAnswer>() : await readRemote(remote.map(({ url }) => url));
  const fetched = remote.map((document) => toFetched(document, answers.get(document.url.href)));
  const known = await readKnown(outputs, dataset);
  const knownKeys = new Set(known.map(knownKey));
  const hashed = await hashFiles(files, signal, hash);
  // What was read of it before stays; where nothing was, ingest tries again, and says why not.
  const isKnown = ({ input, documentId }: From<PlannedDocument>): boolean =>
    knownKeys.has(knownKey({ input, document_id: documentId }));
  const unread = new Set([...hashed.unread].filter(isKnown));
  const present = [
    ...hashed.documents.filter((document) => !unread.has(document)),
    ...fetched.flatMap((one) => (one.kind === 'document' ? [one.document] : [])),
  ];
  const unfetched = fetched.flatMap((one) => (one.kind === 'reject' ? [one] : []));
  const refused = [...rejects, ...unfetched, ...[...unread].map(toUnread)];
  const recall = chooseRecalled({
    dataset,
    known,
    inputs,
    present: present.map(({ input, documentId, dimensions, path, fileSha256 }) => ({
      input,
      documentId,
      dimensions,
      path,
      sha256: fileSha256,
    })),
    refused: refused.map(({ reject, ...rest }) => ({ ...rest, subject: reject.subject })),
    forget: new Set(forget),
  });
  const back = await readRecalled(dataset, recall.recalled, outputs, signal, hash);
  // A recalled document stands in the place of what was said of its missing file, or of one that lost its list.
  const recalledIds = new Set(recall.recalled.map(({ document_id: id }) => id));
  const recalledPlaces = new Set(recall.recalled.map(({ input, path }) => `${input}\n${path}`));
  const standsIn = ({ input, reject, missing, unnamed }: ListedReject): boolean =>
    unnamed === 'for want of a list'
      ? recalledPlaces.has(`${input}\n${reject.subject}`)
      : missing !== undefined && recalledIds.has(missing);
  const left = refused.filter((one) => !standsIn(one));
  return {
    dataset,
    inputs,
    ...toPartitions([...present, ...back.documents]),
    rejects: [...left.map(({ reject }) => reject), ...back.rejects],
    urls: countUrls(remote, answers),
    unanswered: unfetched.map(({ reject, why }) => ({ url: reject.subject, why })),
    doubles: rejects.flatMap(({ double }) => double ?? []),
    unanswering: new Set(
      fetched.flatMap((one) => (one.kind === 'document' && one.state === 'kept' ? [one.document.documentId] : [])),
    ),
    present,
    known,
    recall,
  };
};

/** Partitions that hold one of these documents. */
export const partitionsWith = (plan: DatasetPlan, ids: ReadonlySet<string>): readonly string[] =>
  plan.partitions.filter((partition) =>
    (plan.documents.get(partition) ?? []).some(({ documentId }) => ids.has(documentId)),
  );

/** @param date the document's date, where its file states it and its source does not */
export const isSelected = (
  { documentId, dimensions }: Pick<PlannedDocument, 'documentId' | 'dimensions'>,
  { bank, ticker, year, documentId: id, from, to }: Selection,
  date: string | undefined,
): boolean => {
  const day = dimensions.date ?? date;
  const isWithin =
    (from === undefined && to === undefined) ||
    (typeof day === 'string' && (from === undefined || day >= from) && (to === undefined || day <= to));
  return (
    isWithin &&
    (bank === undefined || dimensions.bank_name === bank) &&
    (ticker === undefined || dimensions.ticker === ticker) &&
    (year === undefined || dimensions.year === year) &&
    (id === undefined || documentId === id)
  );
};

const toUnread = ({ dataset, input, path, documentId }: From<PlannedDocument>): ListedReject => ({
  input,
  reject: { dataset, subject: path, stage: 'ingest', reason: 'The file could not be read when the run began.' },
  missing: documentId,
  unread: true,
});

interface Hashed {
  readonly documents: readonly From<PlannedDocument>[];
  /** Those of them that could not be read through the machine's fault. */
  readonly unread: ReadonlySet<From<PlannedDocument>>;
}

const hashFiles = async (
  files: readonly From<SourceDocument>[],
  signal: AbortSignal,
  hash: HashFile,
): Promise<Hashed> => {
  const queue = new PQueue({ concurrency: 4 });
  const documents: From<PlannedDocument>[] = [];
  const unread = new Set<From<PlannedDocument>>();
  for (const found of files) {
    signal.throwIfAborted();
    await queue.onSizeLessThan(64);
    void queue.add(async () => {
      const { ofMachine, ...fingerprint } = await fingerprintOf(found.file, hash);
      const document = { ...found, ...fingerprint };
      documents.push(document);
      if (ofMachine) unread.add(document);
    });
  }
  await queue.onIdle();
  return { documents, unread };
};

interface Fingerprint extends Pick<PlannedDocument, 'fileSha256' | 'bytes'> {
  readonly ofMachine: boolean;
}

/** What may be the machine's fault is tried twice. */
const fingerprintOf = async (file: string, hash: HashFile, attempt = 1): Promise<Fingerprint> => {
  const nothing = { fileSha256: null, bytes: 0, ofMachine: false };
  try {
    const found = await stat(file, { bigint: true });
    if (!found.isFile()) return nothing;
    return { fileSha256: await hash(file, found), bytes: Number(found.size), ofMachine: false };
  } catch (error) {
    // Unreadable: ingest says why, as a reject.
    if (faultOf(error) === 'file') return nothing;
    return attempt === 1 ? fingerprintOf(file, hash, 2) : { ...nothing, ofMachine: true };
  }
};

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const toPartitions = (all: readonly PlannedDocument[]): Pick<DatasetPlan, 'partitions' | 'documents'> => {
  const documents = new Map<string, PlannedDocument[]>();
  for (const document of all) {
    const others = documents.get(document.partition);
    if (others === undefined) documents.set(document.partition, [document]);
    else others.push(document);
  }
  for (const group of documents.values()) group.sort((a, b) => byName(a.documentId, b.documentId));
  return { partitions: [...documents.keys()].sort(byName), documents };
};
