/**
 * Brings what is published here to an object store: every file of the snapshot, then its manifest, then the pointer. Safe
 * to cut off anywhere and to run again, and for any number of publishers at once: objects that are there are never written
 * again, and the pointer goes only forward in time.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DatasetId } from '../../data/catalog.js';
import { RunError } from '../errors.js';
import type { Outputs } from '../outputs.js';
import { type ObjectStore, persist } from '../store/object-store.js';
import { readHistory, type Served } from './history.js';
import { MANIFEST_FILE, type Manifest, parseManifest } from './manifest.js';
import { findCurrent } from './snapshots.js';
import { fileKey, findStoredManifest, getPointer, manifestKey, pointerKey, writePointer } from './stored.js';

export interface UploadOptions {
  readonly store: ObjectStore;
  readonly outputs: Outputs;
  readonly dataset: DatasetId;
  readonly now: () => Date;
  /** From 0 up to 1, for the waits between attempts. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export interface Uploaded {
  readonly snapshot: string;
  /** Objects that were not there, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** `superseded`: the store serves something that was published, or rolled back to, later; `by` says what. */
  readonly pointer: 'moved' | 'there already' | 'superseded';
  readonly by: Served | undefined;
}

/**
 * Uploads the current snapshot and points to it, unless the store's pointer moved later than the one here did.
 *
 * @throws StoreError where the store does not do it; RunError where it holds something else than it should
 */
export const uploadCurrent = async (options: UploadOptions): Promise<Uploaded> => {
  const { store, outputs, dataset, signal } = options;
  const snapshot = await findCurrent(outputs, dataset);
  const served = (await readHistory(outputs, dataset)).at(-1);
  if (snapshot === undefined || served === undefined) throw new RunError(`Nothing of ${dataset} is published yet.`);
  // Asked first of all, so that nothing is sent in vain.
  const last = (await getPointer(store, dataset, signal)).history.at(-1);
  if (last !== undefined) checkClock(options, last);
  const before = compare(served, last);
  if (before.pointer === 'superseded') return { snapshot, objects: 0, bytes: 0, ...before };
  let [objects, bytes] = [0, 0];
  for (let attempt = 1; ; attempt += 1) {
    const written = await putSnapshot(options, snapshot);
    objects += written.objects;
    bytes += written.bytes;
    await checkConditions(options, snapshot);
    const moved = await movePointer(options, served);
    // Somebody who prunes may have taken it for an old one, right before it was pointed to.
    if (moved.pointer === 'superseded' || (await isThere(store, dataset, snapshot, signal))) {
      return { snapshot, objects, bytes, ...moved };
    }
    if (attempt === ATTEMPTS) {
      throw new RunError(
        `${store.address}/${dataset} loses objects of the snapshot ${snapshot} while they are written: somebody deletes them. Let only one prune, and not while another publishes.`,
      );
    }
    await setTimeout(PAUSE_MS);
  }
};

const ATTEMPTS = 3;
const PAUSE_MS = 1000;
/** What clocks of machines may differ by; S3 allows as much. */
const SKEW_MS = 15 * 60_000;

/** What is served from the future on would keep out every later run. */
const checkClock = ({ store, dataset, now }: UploadOptions, last: Served): void => {
  if (timeOf(last) <= now().getTime() + SKEW_MS) return;
  throw new RunError(
    `${store.address}/${pointerKey(dataset)} says that ${last.snapshot} is served since ${last.at}, but here it is ${now().toISOString()}: the clock of this machine or of the one that published is wrong. Set it, and run the same command again when that time has come.`,
  );
};

interface Written {
  readonly objects: number;
  readonly bytes: number;
}

/** The files, then the manifest. Where the store has the snapshot already, only what it lacks of it. */
const putSnapshot = async (options: UploadOptions, id: string): Promise<Written> => {
  const { store, outputs, dataset, signal } = options;
  const path = join(outputs.snapshot(dataset, id), MANIFEST_FILE);
  const text = await readFile(path, 'utf8');
  const ours = parseManifest(text, path);
  const there = await findStoredManifest(store, dataset, id, signal);
  if (there !== undefined) {
    checkSame(store, ours, there.manifest);
    return putFiles(options, there.manifest, ours);
  }
  const written = await putFiles(options, ours, ours);
  const body = { text, type: 'application/json' };
  const put = await persist(() => store.put(manifestKey(dataset, id), body, 'absent'), signal);
  // Another publisher was quicker: its manifest stands, and may name other files than ours.
  if (put === undefined) {
    const rest = await putSnapshot(options, id);
    return { objects: written.objects + rest.objects, bytes: written.bytes + rest.bytes };
  }
  return { objects: written.objects + 1, bytes: written.bytes + Buffer.byteLength(text) };
};

/** Two manifests of one snapshot may differ in what is outside its id, and in nothing else. */
const checkSame = (store: ObjectStore, ours: Manifest, theirs: Manifest): void => {
  const inId = ({ files }: Manifest): string =>
    JSON.stringify(
      Object.entries(files)
        .filter(([, file]) => file.in_id)
        .map(([name, { sha256 }]) => [name, sha256])
        .sort(),
    );
  if (inId(ours) === inId(theirs)) return;
  throw new RunError(
    `${store.address}/${manifestKey(ours.dataset, ours.snapshot)} has the id of our snapshot and other files: it is damaged. Delete it, and run the same command again.`,
  );
};

const putFiles = async (options: UploadOptions, wanted: Manifest, ours: Manifest): Promise<Written> => {
  let [objects, bytes] = [0, 0];
  for (const [name, file] of Object.entries(wanted.files)) {
    const { sha256 } = ours.files[name] ?? {};
    const put = await putFile(options, wanted, { name, isOurs: sha256 === file.sha256 });
    objects += put === 'written' ? 1 : 0;
    bytes += put === 'written' ? file.bytes : 0;
  }
  return { objects, bytes };
};

const putFile = async (
  { store, outputs, dataset, signal }: UploadOptions,
  wanted: Manifest,
  { name, isOurs }: { readonly name: string; readonly isOurs: boolean },
): Promise<'written' | 'there'> => {
  const id = wanted.snapshot;
  const expected = wanted.files[name];
  if (expected === undefined) throw new Error(`${name} is not in the manifest.`);
  const key = fileKey(dataset, id, name, expected);
  if (await isFileThere(store, key, expected, signal)) return 'there';
  if (!isOurs) {
    throw new RunError(
      `${store.address}/${key} is missing, and this machine has another one of that name. Delete ${store.address}/${manifestKey(dataset, id)}, and run the same command again.`,
    );
  }
  const path = join(outputs.snapshot(dataset, id), name);
  const { md5, sha256 } = await hashesOf(path);
  if (sha256 !== expected.sha256) {
    throw new RunError(
      `${path} is not what was published: fintext rebuild publishes it again. Nothing was pointed to.`,
    );
  }
  const file = { path, bytes: expected.bytes, sha256, md5, type: typeOf(name) };
  const put = await persist(() => store.put(key, file, 'absent'), signal);
  if (put !== undefined) return 'written';
  // Another publisher was quicker, or the answer to our first attempt was lost.
  if (await isFileThere(store, key, expected, signal)) return 'there';
  throw new RunError(`${store.address}/${key} is written and deleted by others. Run the same command again.`);
};

/** @throws RunError where the object is there and its content is another: nothing is written over it */
const isFileThere = async (
  store: ObjectStore,
  key: string,
  { sha256, bytes }: Manifest['files'][string],
  signal: AbortSignal,
): Promise<boolean> => {
  const found = await persist(() => store.head(key), signal);
  if (found === undefined) return false;
  if (found.bytes === bytes && found.sha256 === sha256) return true;
  const content = found.sha256 === undefined ? `${found.bytes} bytes, not written by fintext` : `${found.bytes} bytes`;
  throw new RunError(
    `${store.address}/${key} is there with another content (${content}; it should be ${bytes} bytes, sha256 ${sha256}). What belongs to a snapshot is never written over: find out who changed it, delete it, and run the same command again.`,
  );
};

/** Hexadecimal sha256 and base64 md5 of a file, in one reading. */
const hashesOf = async (path: string): Promise<{ readonly sha256: string; readonly md5: string }> => {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    sha256.update(piece as Buffer);
    md5.update(piece as Buffer);
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('base64') };
};

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/**
 * A store that looks at no condition would let two publishers undo each other. So it is asked for what it must refuse;
 * where it does not refuse, it has written what was there already.
 */
const checkConditions = async ({ store, dataset, signal }: UploadOptions, id: string): Promise<void> => {
  const there = await findStoredManifest(store, dataset, id, signal);
  if (there === undefined) return;
  const body = { text: there.text, type: 'application/json' };
  for (const condition of ['absent', { etag: '0'.repeat(32) }] as const) {
    if ((await persist(() => store.put(manifestKey(dataset, id), body, condition), signal)) === undefined) continue;
    const header = condition === 'absent' ? 'If-None-Match' : 'If-Match';
    throw new RunError(
      `${store.address} ignores ${header} on writing, so that two who publish there could undo each other. Nothing was pointed to. Use a store that honours it: Amazon S3, Ceph, MinIO.`,
    );
  }
};

type Compared = Pick<Uploaded, 'pointer' | 'by'>;

/** Forward only: what was served later here than there. At the same moment the greater id wins, whoever comes first. */
const compare = (ours: Served, theirs: Served | undefined): Compared => {
  const isLater =
    theirs === undefined ||
    timeOf(ours) > timeOf(theirs) ||
    (timeOf(ours) === timeOf(theirs) && ours.snapshot > theirs.snapshot);
  if (isLater) return { pointer: 'moved', by: undefined };
  return ours.snapshot === theirs.snapshot
    ? { pointer: 'there already', by: undefined }
    : { pointer: 'superseded', by: theirs };
};

const timeOf = ({ at }: Served): number => new Date(at).getTime();

const movePointer = async ({ store, dataset, random, signal }: UploadOptions, served: Served): Promise<Compared> => {
  for (;;) {
    const pointer = await getPointer(store, dataset, signal);
    const compared = compare(served, pointer.history.at(-1));
    if (compared.pointer !== 'moved') return compared;
    if ((await persist(() => writePointer(store, dataset, pointer, served), signal)) === 'written') return compared;
    // Each time somebody else got through, so this ends.
    await setTimeout(random() * 200);
  }
};

/** After the pointer was moved: is all of it still there? */
const isThere = async (store: ObjectStore, dataset: DatasetId, id: string, signal: AbortSignal): Promise<boolean> => {
  const there = await findStoredManifest(store, dataset, id, signal);
  if (there === undefined) return false;
  for (const [name, file] of Object.entries(there.manifest.files)) {
    if (!(await isFileThere(store, fileKey(dataset, id, name, file), file, signal))) return false;
  }
  return true;
};
