import { type FileHandle, open } from 'node:fs/promises';

/** An output of an ONNX graph. `classes` is its last dimension, undefined where the graph leaves it open. */
export interface GraphOutput {
  readonly name: string;
  readonly classes: number | undefined;
}

/**
 * The outputs that an ONNX file declares, read from its protocol buffer without loading the weights: fields are skipped
 * by their length, so that a file of gigabytes costs a few small reads. Field numbers are those of `onnx.proto3`.
 *
 * @throws Error when the bytes are no ONNX model
 */
export const readGraphOutputs = async (path: string): Promise<readonly GraphOutput[]> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const outputs: GraphOutput[] = [];
    for await (const graph of fieldsOf(file, 0, size)) {
      if (graph.number !== MODEL_GRAPH) continue;
      for await (const field of fieldsOf(file, graph.start, graph.end)) {
        if (field.number !== GRAPH_OUTPUT) continue;
        outputs.push(parseValueInfo(await readRange(file, field.start, field.end)));
      }
    }
    if (outputs.length === 0) throw new Error('it declares no output');
    return outputs;
  } finally {
    await file.close();
  }
};

const MODEL_GRAPH = 7;
const GRAPH_OUTPUT = 12;

interface Field {
  readonly number: number;
  readonly wire: number;
  /** Of a number: its value. Of bytes: where they start. */
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

const parseValueInfo = (bytes: Buffer): GraphOutput => {
  const fields = parseFields(bytes);
  const name = textOf(bytes, find(fields, 1));
  // ValueInfoProto.type (2) -> TypeProto.tensor_type (1) -> Tensor.shape (2) -> TensorShapeProto.dim (1) -> dim_value (1)
  const shape = [2, 1, 2].reduce<Buffer | undefined>((inner, number) => sliceOf(inner, number), bytes);
  const last = shape && parseFields(shape).findLast((field) => field.number === 1);
  const dimension = last && shape?.subarray(last.start, last.end);
  const value = dimension && find(parseFields(dimension), 1)?.value;
  return { name, classes: value === undefined || value <= 0 ? undefined : value };
};

const find = (fields: readonly Field[], number: number): Field | undefined =>
  fields.find((field) => field.number === number);

const sliceOf = (bytes: Buffer | undefined, number: number): Buffer | undefined => {
  const field = bytes && find(parseFields(bytes), number);
  return field && bytes.subarray(field.start, field.end);
};

const textOf = (bytes: Buffer, field: Field | undefined): string =>
  field === undefined ? '' : bytes.toString('utf8', field.start, field.end);

const parseFields = (bytes: Buffer): readonly Field[] => {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const field = parseField(bytes, at, 0);
    if (field.end > bytes.length) throw new Error('it ends in the middle of a field');
    fields.push(field);
    at = field.end;
  }
  return fields;
};

/** A tag and a length are at most ten bytes each. */
const HEADER = 20;

async function* fieldsOf(file: FileHandle, start: number, end: number): AsyncGenerator<Field> {
  let held: Buffer = Buffer.alloc(0);
  let from = start;
  for (let at = start; at < end; ) {
    if (at < from || at + HEADER > from + held.length) {
      held = await readRange(file, at, Math.min(end, at + 4096));
      from = at;
    }
    const field = parseField(held, at - from, from);
    if (field.end > end) throw new Error('it ends in the middle of a field');
    yield field;
    at = field.end;
  }
}

const readRange = async (file: FileHandle, start: number, end: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
};

const parseField = (bytes: Buffer, at: number, base: number): Field => {
  const tag = parseNumber(bytes, at);
  const number = Math.floor(tag.value / 8);
  const wire = tag.value % 8;
  if (number === 0) throw new Error('it is no ONNX model');
  const place = (start: number, length: number, value = 0): Field => ({
    number,
    wire,
    start: base + start,
    end: base + start + length,
    value,
  });
  switch (wire) {
    case 0: {
      const { value, next } = parseNumber(bytes, tag.next);
      return place(tag.next, next - tag.next, value);
    }
    case 1:
      return place(tag.next, 8);
    case 2: {
      const { value, next } = parseNumber(bytes, tag.next);
      return place(next, value);
    }
    case 5:
      return place(tag.next, 4);
    default:
      throw new Error('it is no ONNX model');
  }
};

const parseNumber = (bytes: Buffer, start: number): { readonly value: number; readonly next: number } => {
  let value = 0;
  for (let at = start, scale = 1; at < start + 10; at += 1, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value += (byte % 128) * scale;
    if (byte < 128) return { value, next: at + 1 };
  }
  throw new Error('it is no ONNX model');
};
