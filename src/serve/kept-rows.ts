/**
 * The rows of a snapshot as JSON, written once, in the background after it was opened, to a file that has no name: a page
 * of neighbouring rows is then read from it by another thread instead of being put together, and the memory is the system's.
 * What is not in it yet, lies too far apart, or cannot be read or written is made as if there were no file.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { messageOf, RunError } from '../errors.js';

export interface KeptRows {
  /**
   * Puts rows into `bytes` from `at` on, each with a comma behind it.
   *
   * @param rows ascending
   * @param bytes with room for them; what lies behind them is written over
   * @returns the bytes they take; undefined where they are to be made
   */
  readonly read: (rows: Uint32Array, bytes: Buffer, at: number) => Promise<number | undefined>;
  /** Resolves when every row is kept, or none will be. */
  readonly settled: Promise<void>;
  /** Waits for what is being read; then the file is gone. */
  readonly close: () => Promise<void>;
}

export type RowsEvent =
  | { readonly type: 'rows-kept'; readonly bytes: number; readonly seconds: number }
  | { readonly type: 'rows-not-kept'; readonly reason: string };

export interface KeepOptions {
  readonly folder: string;
  /** How many rows there are. */
  readonly length: number;
  /** Makes neighbouring rows as they are to be read, and says in `ends` where each ends; asked again when they are written. */
  readonly make: (rows: Uint32Array, ends: Float64Array) => Buffer;
  readonly log: (event: RowsEvent) => void;
  /** Opens a new file in the folder. */
  readonly openFile?: ((folder: string) => Promise<RowFile>) | undefined;
}

/** What is used of a file. */
export interface RowFile {
  readonly read: (bytes: Buffer, at: number, length: number, place: number) => Promise<{ readonly bytesRead: number }>;
  readonly write: (
    bytes: Buffer,
    at: number,
    length: number,
    place: number,
  ) => Promise<{ readonly bytesWritten: number }>;
  readonly close: () => Promise<void>;
}

/** Rows that are made before others get their turn. */
const ROWS_AT_ONCE = 250;

/** Bytes that are read in the time that one more read takes: nearer rows are read together with what lies between. */
const READ_BYTES = 160 * 1024;

/** Times the bytes of a row that are read in the time that it takes to make the row. */
const MAKING = 6;

export const keepRows = (options: KeepOptions): KeptRows => {
  const { folder, length, make, log, openFile = openNameless } = options;
  /** Where each row begins; the last, where all end. */
  const places = new Float64Array(length + 1);
  let kept = 0;
  let file: RowFile | undefined;
  let ended = false;

  const end = async (): Promise<void> => {
    ended = true;
    const last = file;
    file = undefined;
    await last?.close().catch(() => undefined);
  };

  /** Once: what fails after it fails because of it. */
  const giveUp = async (error: unknown): Promise<void> => {
    if (ended) return;
    log({ type: 'rows-not-kept', reason: messageOf(error).replaceAll(folder, '') });
    await end();
  };

  const fill = async (): Promise<void> => {
    const started = performance.now();
    const target = await openFile(folder);
    file = target;
    const ends = new Float64Array(ROWS_AT_ONCE);
    for (let from = 0; from < length; from += ROWS_AT_ONCE) {
      await setImmediate();
      if (ended) return;
      const rows = Uint32Array.from({ length: Math.min(ROWS_AT_ONCE, length - from) }, (_, at) => from + at);
      const bytes = make(rows, ends);
      const place = places[from] ?? 0;
      if (from === 0) await checkRoom(folder, (bytes.length / rows.length) * length);
      await writeAll(target, bytes, place);
      for (let at = 0; at < rows.length; at += 1) places[from + at + 1] = place + (ends[at] ?? 0);
      kept = from + rows.length;
    }
    const seconds = Math.round(performance.now() - started) / 1000;
    log({ type: 'rows-kept', bytes: places[length] ?? 0, seconds });
  };
  const settled = fill().catch(giveUp);

  return {
    settled,
    read: async (rows, bytes, at) => {
      const source = file;
      if (source === undefined || (rows.at(-1) ?? length) >= kept || !isWorthReading(rows, places)) return undefined;
      try {
        return await readRows(source, { rows, places, bytes, at });
      } catch (error) {
        await giveUp(error);
        return undefined;
      }
    },
    close: async () => {
      ended = true;
      await settled;
      await end();
    },
  };
};

/** A file that goes with its last descriptor, however the process ends. */
const openNameless = async (folder: string): Promise<RowFile> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.rows`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
};

/** Half of what is free is left to others. */
const checkRoom = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (bytes * 2 > free) throw new RunError(`It takes ${toMb(bytes)} MB, and ${toMb(free)} MB are free.`);
};

const toMb = (bytes: number): number => Math.ceil(bytes / 1e6);

const writeAll = async (file: RowFile, bytes: Buffer, place: number): Promise<void> => {
  let done = 0;
  while (done < bytes.length) done += (await file.write(bytes, done, bytes.length - done, place + done)).bytesWritten;
};

/** Rows whose reading costs less than their making: near enough to one another, or many enough. */
const isWorthReading = (rows: Uint32Array, places: Float64Array): boolean => {
  let [wanted, cost, last] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const [from, to] = [places[row] ?? 0, places[row + 1] ?? 0];
    wanted += to - from;
    cost += Math.min(from - last, READ_BYTES) + to - from;
    last = to;
  }
  return cost <= wanted * MAKING;
};

interface Reading {
  readonly rows: Uint32Array;
  readonly places: Float64Array;
  readonly bytes: Buffer;
  readonly at: number;
}

const readRows = async (file: RowFile, { rows, places, bytes, at }: Reading): Promise<number> => {
  const beginOf = (index: number): number => places[rows[index] ?? 0] ?? 0;
  const endOf = (index: number): number => places[(rows[index] ?? 0) + 1] ?? 0;
  let length = at;
  for (let first = 0; first < rows.length; ) {
    const begin = beginOf(first);
    let next = first + 1;
    while (
      next < rows.length &&
      beginOf(next) - endOf(next - 1) < READ_BYTES &&
      endOf(next) - begin <= bytes.length - length
    )
      next += 1;
    await readAll(file, bytes, length, endOf(next - 1) - begin, begin);
    // What lies between is left out: runs of neighbours move together.
    let [from, to] = [length, length];
    const shift = length - begin;
    for (let index = first; index < next; index += 1) {
      const [rowFrom, rowTo] = [beginOf(index) + shift, endOf(index) + shift];
      if (rowFrom !== to) {
        if (from !== length) bytes.copyWithin(length, from, to);
        length += to - from;
        from = rowFrom;
      }
      to = rowTo;
    }
    if (from !== length) bytes.copyWithin(length, from, to);
    length += to - from;
    first = next;
  }
  return length - at;
};

const readAll = async (file: RowFile, bytes: Buffer, at: number, length: number, place: number): Promise<void> => {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, at + done, length - done, place + done);
    if (bytesRead === 0) throw new RunError('The file of rows ends too early.');
    done += bytesRead;
  }
};
