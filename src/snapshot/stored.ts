/**
 * Snapshots in an object store, as they lie there below the store's address:
 *
 *     <dataset>/history.jsonl                     what was served when; its last line is the pointer
 *              /snapshots/<id>/manifest.json      written last: without it there is no snapshot
 *                             /documents.parquet  and the other files that the id is made of
 *                             /<dataset>.<sha256>.duckdb, and whatever else may differ from run to run
 *
 * What a key holds follows from the key, so an object never changes once it is there. History and pointer are one object,
 * so that they cannot contradict each other, and it is replaced only by who has read what it says now.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { RunError } from '../errors.js';
import { type ObjectStore, persist, readObjectText, StoreError } from '../store/object-store.js';
import { type Served, servedSchema } from './history.js';
import { MANIFEST_FILE, type Manifest, tryManifest } from './manifest.js';
import { isSnapshotId, type KeptSnapshot, newestFirst } from './snapshots.js';

export const pointerKey = (dataset: DatasetId): string => `${dataset}/history.jsonl`;

export const snapshotsKey = (dataset: DatasetId): string => `${dataset}/snapshots/`;

export const manifestKey = (dataset: DatasetId, id: string): string => `${snapshotsKey(dataset)}${id}/${MANIFEST_FILE}`;

type FileEntry = Manifest['files'][string];

/** The key of a snapshot's file: where its content does not follow from the id, its hash is in the name. */
export const fileKey = (dataset: DatasetId, id: string, name: string, { in_id: inId, sha256 }: FileEntry): string => {
  const { name: stem, ext } = posix.parse(name);
  return `${snapshotsKey(dataset)}${id}/${inId ? name : `${stem}.${sha256}${ext}`}`;
};

const POINTER_BYTES = 64 * 1024 * 1024;
const MANIFEST_BYTES = 256 * 1024 * 1024;

export interface Pointer {
  /** Oldest first; the last one is served. Empty where nothing was published. */
  readonly history: readonly Served[];
  /** Lines that say nothing that can be read. */
  readonly damaged: number;
  readonly etag: string | undefined;
}

/** What was served when, damaged lines left out; `same` where its ETag is still `unless`. */
export const readPointer = async (
  store: ObjectStore,
  dataset: DatasetId,
  { signal, unless }: { readonly signal: AbortSignal; readonly unless?: string | undefined },
): Promise<Pointer | 'same'> => {
  const found = await readObjectText(store, pointerKey(dataset), { most: POINTER_BYTES, unless, signal });
  if (found === 'same') return 'same';
  if (found === undefined) return { history: [], damaged: 0, etag: undefined };
  const lines = found.text.split('\n').filter((line) => line.trim() !== '');
  const history = lines.flatMap((line) => {
    const parsed = servedSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
  return { history, damaged: lines.length - history.length, etag: found.etag };
};

/**
 * The same, whole.
 *
 * @throws RunError where a line is damaged: then nobody knows what is to be served
 */
export const getPointer = async (store: ObjectStore, dataset: DatasetId, signal: AbortSignal): Promise<Pointer> => {
  const pointer = await readPointer(store, dataset, { signal });
  // Cannot be: nothing was said of what is known.
  if (pointer === 'same') throw new Error(`${pointerKey(dataset)} was not given.`);
  if (pointer.damaged > 0) throw new RunError(damagedPointer(store, dataset, pointer));
  return pointer;
};

export const damagedPointer = (store: ObjectStore, dataset: DatasetId, { damaged }: Pointer): string =>
  `${store.address}/${pointerKey(dataset)} is damaged (lines that are none of ours: ${damaged}). Point to a whole snapshot with fintext snapshots rollback --dataset ${dataset} --published ${store.address} --to <id>.`;

/** Writes a pointer whose history ends in `served`, where it is still the one that was read. */
export const writePointer = async (
  store: ObjectStore,
  dataset: DatasetId,
  pointer: Pointer,
  served: Served,
): Promise<'written' | 'moved by another'> => {
  const text = [...pointer.history, served].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const condition = pointer.etag === undefined ? 'absent' : { etag: pointer.etag };
  const body = { text, type: 'application/x-ndjson' };
  const written = await store.put(pointerKey(dataset), body, condition);
  return written === undefined ? 'moved by another' : 'written';
};

export interface StoredManifest {
  readonly manifest: Manifest;
  readonly text: string;
  readonly etag: string;
}

/**
 * The manifest of a snapshot; undefined where there is none.
 *
 * @throws RunError where it is damaged or is another snapshot's
 */
export const findStoredManifest = async (
  store: ObjectStore,
  dataset: DatasetId,
  id: string,
  signal: AbortSignal,
): Promise<StoredManifest | undefined> => {
  const found = await lookAtStoredManifest(store, dataset, id, signal);
  if (typeof found !== 'string') return found;
  throw new RunError(
    `${store.address}/${snapshotsKey(dataset)}${id}/${found}. Delete it and publish again with fintext rebuild, or roll back.`,
  );
};

/** The same, or what is wrong with it: in few words, without a full stop. */
const lookAtStoredManifest = async (
  store: ObjectStore,
  dataset: DatasetId,
  id: string,
  signal: AbortSignal,
): Promise<StoredManifest | string | undefined> => {
  const found = await readObjectText(store, manifestKey(dataset, id), { most: MANIFEST_BYTES, signal });
  if (found === undefined || found === 'same') return undefined;
  const manifest = tryManifest(found.text);
  if (typeof manifest === 'string') return manifest;
  if (manifest.snapshot !== id || manifest.dataset !== dataset) {
    return `${MANIFEST_FILE} is that of ${manifest.dataset} ${manifest.snapshot}`;
  }
  // Names become names of files wherever the snapshot is brought to.
  const foreign = Object.keys(manifest.files).find((name) => !/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name));
  if (foreign !== undefined || Object.hasOwn(manifest.files, MANIFEST_FILE)) {
    return `${MANIFEST_FILE} names a file that no snapshot has: ${foreign ?? MANIFEST_FILE}`;
  }
  return { manifest, text: found.text, etag: found.etag };
};

/** Snapshots of which there is any object, newest first; those whose manifest cannot be read come last. */
export const listStored = async (
  store: ObjectStore,
  dataset: DatasetId,
  signal: AbortSignal,
): Promise<readonly KeptSnapshot[]> => {
  const pointer = await readPointer(store, dataset, { signal });
  // While the pointer is damaged none of them is known to be the current one.
  const current = pointer !== 'same' && pointer.damaged === 0 ? pointer.history.at(-1)?.snapshot : undefined;
  const below = snapshotsKey(dataset);
  const withManifest = (await store.list(below)).flatMap(({ key }) => {
    const [id = '', name] = key.slice(below.length).split('/');
    return isSnapshotId(id) && name === MANIFEST_FILE ? [id] : [];
  });
  const kept: KeptSnapshot[] = [];
  for (const id of withManifest) {
    const found = (await lookAtStoredManifest(store, dataset, id, signal)) ?? 'it is being deleted';
    kept.push({ id, current: id === current, manifest: typeof found === 'string' ? found : found.manifest });
  }
  return newestFirst(kept);
};

/**
 * Reads an object to its end, and hands each piece on.
 *
 * @returns what is wrong with it; undefined when it is what its manifest says
 * @throws StoreError where the store cannot say
 */
export const readStoredFile = async (
  store: ObjectStore,
  key: string,
  { name, expected, take }: { readonly name: string; readonly expected: FileEntry; readonly take: TakePiece },
): Promise<string | undefined> => {
  const found = await store.get(key);
  if (found === undefined || found === 'same') return `${name} is missing`;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of found.body) {
    bytes += piece.length;
    // More than that is not read: it may have no end.
    if (bytes > expected.bytes) break;
    hash.update(piece);
    await take(piece);
  }
  if (bytes !== expected.bytes) return `${name} has ${found.bytes} bytes, not ${expected.bytes}`;
  return hash.digest('hex') === expected.sha256 ? undefined : `${name} is not what was published`;
};

export type TakePiece = (piece: Uint8Array) => Promise<unknown>;

/** Is every object of a snapshot there, and what its manifest says? What is wrong, one line a fault, without a full stop. Reads all of it. */
export const verifyStored = async (
  store: ObjectStore,
  dataset: DatasetId,
  id: string,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const found = await lookAtStoredManifest(store, dataset, id, signal);
  if (found === undefined) return [`${MANIFEST_FILE} is missing`];
  if (typeof found === 'string') return [found];
  const faults: string[] = [];
  for (const [name, expected] of Object.entries(found.manifest.files)) {
    const read = { name, expected, take: async () => undefined };
    const fault = await persist(() => readStoredFile(store, fileKey(dataset, id, name, expected), read), signal);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
};

/** Of an object that was read: not of the way to it. */
export const isDamage = (error: unknown): boolean => error instanceof RunError && !(error instanceof StoreError);

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
