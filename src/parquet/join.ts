/**
 * Several Parquet files of the same columns as one, without decoding a value: their row groups stand one after another, and
 * only the footer is made anew. The bytes depend on the files and their order alone.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { RunError } from '../errors.js';
import { moveInPlace, naming, temporaryBeside } from '../files.js';
import { integer64, readStruct, structList, type ThriftFields, type ThriftValue, writeStruct } from './thrift.js';

const MAGIC = Buffer.from('PAR1');
/** At the end: the length of the footer, and the magic bytes again. */
const TAIL = 8;
const WRITTEN_AT_ONCE = 1 << 20;

/** Numbers of fields in parquet.thrift: those that are added up, and those that name a place in the file. */
const FILE = { rows: 3, rowGroups: 4 } as const;
const ROW_GROUP = { columns: 1, offset: 5, ordinal: 7 } as const;
const CHUNK_METADATA = 3;
const CHUNK_PLACES = { chunk: 2, offsetIndex: 4, columnIndex: 6 } as const;
const COLUMN_PLACES = { dataPages: 9, indexPages: 10, dictionaryPage: 11, bloomFilter: 14 } as const;

export interface Joined {
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Writes the rows of Parquet files, in their order, to `file`, whole or not at all.
 *
 * @param pieces paths; at least one, all of the same columns and made by one writer
 * @returns how many rows there are, and the sha256 of the file
 * @throws RunError where one of them is no such file
 */
export const joinParquet = async (pieces: readonly string[], file: string): Promise<Joined> => {
  const temporary = temporaryBeside(file);
  try {
    const out = await open(temporary, 'wx');
    let joined: Joined;
    try {
      joined = await naming(temporary, () => writeJoined(out, pieces));
    } finally {
      await out.close();
    }
    await moveInPlace(temporary, file);
    return joined;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/**
 * Pieces are read synchronously: they are many and small, and to wait for a thread at each of the five calls that one takes
 * costs several times the calls. Between two blocks that are written the event loop has its turn.
 */
const writeJoined = async (out: FileHandle, pieces: readonly string[]): Promise<Joined> => {
  const groups: ThriftValue[] = [];
  const block = Buffer.allocUnsafe(WRITTEN_AT_ONCE);
  let filled = 0;
  let first: ThriftFields | undefined;
  let rows = 0n;
  let at = MAGIC.length;
  const hash = createHash('sha256');
  const flush = async (): Promise<void> => {
    const bytes = block.subarray(0, filled);
    hash.update(bytes);
    await out.writeFile(bytes);
    filled = 0;
  };
  const write = async (bytes: Buffer): Promise<void> => {
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(block, filled, from);
      filled += copied;
      from += copied;
      if (filled === block.length) await flush();
    }
  };
  await write(MAGIC);
  for (const piece of pieces) {
    const from = openSync(piece, 'r');
    try {
      const { footer, end } = readFooter(from);
      first ??= footer;
      if (!withoutRows(footer).equals(withoutRows(first)))
        throw new RangeError(`its columns are not those of ${pieces[0]}`);
      const shift = BigInt(at - MAGIC.length);
      for (const group of listIn(footer, FILE.rowGroups)) {
        groups.push({ type: 'written', bytes: writeStruct(moveGroup(toFields(group), shift)) });
      }
      rows += integerIn(footer, FILE.rows);
      for (let place = MAGIC.length; place < end; ) {
        const bytesRead = readSync(from, block, filled, Math.min(block.length - filled, end - place), place);
        if (bytesRead === 0) throw new RangeError('it was cut off');
        filled += bytesRead;
        place += bytesRead;
        if (filled === block.length) await flush();
      }
      at += end - MAGIC.length;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new RunError(`${piece} cannot be joined with others: ${error.message}.`, { cause: error });
    } finally {
      closeSync(from);
    }
  }
  if (first === undefined) throw new RunError('There is no file to join.');
  const footer = writeStruct(new Map([...first, [FILE.rows, integer64(rows)], [FILE.rowGroups, structList(groups)]]));
  const tail = Buffer.alloc(TAIL);
  tail.writeUInt32LE(footer.length);
  MAGIC.copy(tail, TAIL - MAGIC.length);
  await write(footer);
  await write(tail);
  await flush();
  return { rows: Number(rows), sha256: hash.digest('hex') };
};

/** The footer of a file, and where it begins: there all that it points to has ended. */
const readFooter = (file: number): { readonly footer: ThriftFields; readonly end: number } => {
  const { size } = fstatSync(file);
  if (size < MAGIC.length + TAIL) throw new RangeError('it is too short');
  const tail = readAt(file, size - TAIL, TAIL);
  const end = size - TAIL - tail.readUInt32LE();
  const head = readAt(file, 0, MAGIC.length);
  if (!head.equals(MAGIC) || !tail.subarray(-MAGIC.length).equals(MAGIC) || end < MAGIC.length) {
    throw new RangeError('it is no Parquet file');
  }
  return { footer: readStruct(readAt(file, end, size - TAIL - end)), end };
};

const readAt = (file: number, place: number, length: number): Buffer => {
  const buffer = Buffer.alloc(length);
  if (readSync(file, buffer, 0, length, place) !== length) throw new RangeError('it was cut off');
  return buffer;
};

/** Columns, writer, version: what has to be the same. */
const withoutRows = (footer: ThriftFields): Buffer =>
  writeStruct(new Map([...footer].filter(([field]) => field !== FILE.rows && field !== FILE.rowGroups)));

const moveGroup = (group: ThriftFields, shift: bigint): ThriftFields => {
  const chunks = listIn(group, ROW_GROUP.columns).map((chunk): ThriftValue => {
    const moved = movePlaces(toFields(chunk), Object.values(CHUNK_PLACES), shift);
    const column = moved.get(CHUNK_METADATA);
    if (column === undefined) throw new RangeError('a column lies in another file');
    const places = movePlaces(toFields(column), Object.values(COLUMN_PLACES), shift);
    return { type: 'struct', fields: new Map([...moved, [CHUNK_METADATA, { type: 'struct', fields: places }]]) };
  });
  const moved = new Map([
    ...movePlaces(group, [ROW_GROUP.offset], shift),
    [ROW_GROUP.columns, structList(chunks)] as const,
  ]);
  // Its place among the row groups, which nobody needs, and which would end at 32,767.
  moved.delete(ROW_GROUP.ordinal);
  return moved;
};

/** Fields that are not there, or 0 where the writer knew none, stay as they are. */
const movePlaces = (fields: ThriftFields, places: readonly number[], shift: bigint): ThriftFields =>
  new Map(
    [...fields].map(([field, value]) => {
      const isPlace = places.includes(field) && value.type === 'integer' && value.value > 0n;
      return [field, isPlace ? integer64(value.value + shift) : value];
    }),
  );

const toFields = (value: ThriftValue): ThriftFields => {
  if (value.type !== 'struct') throw new RangeError('its footer is damaged');
  return value.fields;
};

const listIn = (fields: ThriftFields, field: number): readonly ThriftValue[] => {
  const value = fields.get(field);
  if (value?.type !== 'list') throw new RangeError('its footer is damaged');
  return value.values;
};

const integerIn = (fields: ThriftFields, field: number): bigint => {
  const value = fields.get(field);
  if (value?.type !== 'integer') throw new RangeError('its footer is damaged');
  return value.value;
};
