/**
 * Thrift's compact protocol, as far as the footers of Parquet files use it: values without their names, which the schema
 * (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift) gives. What is read and written
 * again has the same bytes, fields that nobody here knows among them.
 */

/** The numbers of the types on the wire. */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;

export type ThriftValue =
  | { readonly type: 'boolean'; readonly value: boolean }
  /** Of 8 to 64 bits: `wire` says how many. */
  | { readonly type: 'integer'; readonly wire: number; readonly value: bigint }
  /** Kept as its eight bytes. */
  | { readonly type: 'double'; readonly value: Uint8Array }
  | { readonly type: 'binary'; readonly value: Uint8Array }
  | { readonly type: 'list'; readonly wire: number; readonly of: number; readonly values: readonly ThriftValue[] }
  | { readonly type: 'map'; readonly of: number; readonly pairs: readonly (readonly [ThriftValue, ThriftValue])[] }
  | { readonly type: 'struct'; readonly fields: ThriftFields }
  /** A structure that was written already: takes less memory than its values. */
  | { readonly type: 'written'; readonly bytes: Uint8Array };

/** Fields by their numbers, in the order in which they stand. */
export type ThriftFields = ReadonlyMap<number, ThriftValue>;

/** @throws RangeError where the bytes end too early or hold a type that there is not */
export const readStruct = (bytes: Uint8Array): ThriftFields => readFields({ bytes, at: 0 });

export const writeStruct = (fields: ThriftFields): Buffer => {
  const out: Out = { bytes: Buffer.alloc(4096), at: 0 };
  writeFields(out, fields);
  return out.bytes.subarray(0, out.at);
};

export const integer64 = (value: bigint): ThriftValue => ({ type: 'integer', wire: I64, value });

export const structList = (values: readonly ThriftValue[]): ThriftValue => ({
  type: 'list',
  wire: LIST,
  of: STRUCT,
  values,
});

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

const readByte = (reader: Reader): number => {
  const byte = reader.bytes[reader.at];
  if (byte === undefined) throw new RangeError('The structure ends too early.');
  reader.at += 1;
  return byte;
};

const readVarint = (reader: Reader): bigint => {
  let [value, shift] = [0n, 0n];
  for (;;) {
    const byte = readByte(reader);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
    shift += 7n;
    if (shift > 63n) throw new RangeError('A number has more than 64 bits.');
  }
};

const readZigzag = (reader: Reader): bigint => {
  const value = readVarint(reader);
  return (value >> 1n) ^ -(value & 1n);
};

const readSlice = (reader: Reader, length: number): Uint8Array => {
  const value = reader.bytes.subarray(reader.at, reader.at + length);
  if (value.length !== length) throw new RangeError('The structure ends too early.');
  reader.at += length;
  return value;
};

const readFields = (reader: Reader): ThriftFields => {
  const fields = new Map<number, ThriftValue>();
  let last = 0;
  for (;;) {
    const head = readByte(reader);
    if (head === 0) return fields;
    const id = head >> 4 === 0 ? Number(readZigzag(reader)) : last + (head >> 4);
    const wire = head & 0x0f;
    const value: ThriftValue =
      wire === TRUE || wire === FALSE ? { type: 'boolean', value: wire === TRUE } : readValue(reader, wire);
    fields.set(id, value);
    last = id;
  }
};

const readValue = (reader: Reader, wire: number): ThriftValue => {
  switch (wire) {
    // Within lists and maps a truth value is a byte of its own.
    case TRUE:
    case FALSE:
      return { type: 'boolean', value: readByte(reader) === TRUE };
    case BYTE:
      return { type: 'integer', wire, value: BigInt(readByte(reader)) };
    case I16:
    case I32:
    case I64:
      return { type: 'integer', wire, value: readZigzag(reader) };
    case DOUBLE:
      return { type: 'double', value: readSlice(reader, 8) };
    case BINARY:
      return { type: 'binary', value: readSlice(reader, Number(readVarint(reader))) };
    case LIST:
    case SET: {
      const head = readByte(reader);
      const count = head >> 4 === 15 ? Number(readVarint(reader)) : head >> 4;
      const of = head & 0x0f;
      const values: ThriftValue[] = [];
      for (let at = 0; at < count; at += 1) values.push(readValue(reader, of));
      return { type: 'list', wire, of, values };
    }
    case MAP: {
      const count = Number(readVarint(reader));
      const of = count === 0 ? 0 : readByte(reader);
      const pairs: (readonly [ThriftValue, ThriftValue])[] = [];
      for (let at = 0; at < count; at += 1) pairs.push([readValue(reader, of >> 4), readValue(reader, of & 0x0f)]);
      return { type: 'map', of, pairs };
    }
    case STRUCT:
      return { type: 'struct', fields: readFields(reader) };
    default:
      throw new RangeError(`There is no type ${wire}.`);
  }
};

interface Out {
  bytes: Buffer;
  at: number;
}

const room = (out: Out, more: number): void => {
  if (out.at + more <= out.bytes.length) return;
  const larger = Buffer.alloc(Math.max(out.bytes.length * 2, out.at + more));
  out.bytes.copy(larger);
  out.bytes = larger;
};

const writeByte = (out: Out, byte: number): void => {
  room(out, 1);
  out.bytes[out.at] = byte;
  out.at += 1;
};

const writeVarint = (out: Out, value: bigint): void => {
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) writeByte(out, Number(rest & 0x7fn) | 0x80);
  writeByte(out, Number(rest));
};

const writeZigzag = (out: Out, value: bigint): void =>
  writeVarint(out, BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));

const writeSlice = (out: Out, value: Uint8Array): void => {
  room(out, value.length);
  out.bytes.set(value, out.at);
  out.at += value.length;
};

const writeFieldHead = (out: Out, wire: number, id: number, last: number): void => {
  if (id > last && id - last <= 15) writeByte(out, ((id - last) << 4) | wire);
  else {
    writeByte(out, wire);
    writeZigzag(out, BigInt(id));
  }
};

const writeListHead = (out: Out, of: number, count: number): void => {
  if (count < 15) writeByte(out, (count << 4) | of);
  else {
    writeByte(out, 0xf0 | of);
    writeVarint(out, BigInt(count));
  }
};

const writeFields = (out: Out, fields: ThriftFields): void => {
  let last = 0;
  for (const [id, value] of fields) {
    writeFieldHead(out, wireOf(value), id, last);
    if (value.type !== 'boolean') writeValue(out, value);
    last = id;
  }
  writeByte(out, 0);
};

const wireOf = (value: ThriftValue): number => {
  switch (value.type) {
    case 'boolean':
      return value.value ? TRUE : FALSE;
    case 'integer':
    case 'list':
      return value.wire;
    case 'double':
      return DOUBLE;
    case 'binary':
      return BINARY;
    case 'map':
      return MAP;
    case 'struct':
    case 'written':
      return STRUCT;
    default:
      return value satisfies never;
  }
};

const writeValue = (out: Out, value: ThriftValue): void => {
  switch (value.type) {
    case 'boolean':
      writeByte(out, value.value ? TRUE : FALSE);
      break;
    case 'integer':
      if (value.wire === BYTE) writeByte(out, Number(value.value));
      else writeZigzag(out, value.value);
      break;
    case 'double':
      writeSlice(out, value.value);
      break;
    case 'binary':
      writeVarint(out, BigInt(value.value.length));
      writeSlice(out, value.value);
      break;
    case 'list':
      writeListHead(out, value.of, value.values.length);
      for (const one of value.values) writeValue(out, one);
      break;
    case 'map':
      writeVarint(out, BigInt(value.pairs.length));
      if (value.pairs.length > 0) writeByte(out, value.of);
      for (const pair of value.pairs) for (const one of pair) writeValue(out, one);
      break;
    case 'struct':
      writeFields(out, value.fields);
      break;
    case 'written':
      writeSlice(out, value.bytes);
      break;
    default:
      value satisfies never;
  }
};
