/** The values of a metric in memory: a code a document, and for each code its number and its text, once. */
import { RunError } from '../errors.js';

export interface MetricColumn {
  readonly name: string;
  readonly codes: Uint16Array | Uint32Array;
  /** By code; code 0 is null and holds NaN. */
  readonly numbers: Float64Array;
  /** The value of a code as a member of a JSON object: `,"stance":0.25`. */
  readonly member: (code: number) => string;
  /** The same value alone, as a cell: `0.25`, empty for null. */
  readonly cell: (code: number) => string;
}

/** Characters of the longest text of a number: `-2.2250738585072014e-308`. */
export const LONGEST_NUMBER = 24;

/** Code of a document without a value. */
export const NULL_CODE = 0;

/** Takes the values of one column, row by row. */
export class MetricBuilder {
  #codes: Uint16Array | Uint32Array;
  #numbers = new Float64Array(1024);
  #count = 1;
  /** Open addressing: code by hash of the number, 0 where free. */
  #slots = new Int32Array(4096);

  constructor(
    readonly name: string,
    length: number,
  ) {
    this.#codes = new Uint16Array(length);
    this.#numbers[NULL_CODE] = Number.NaN;
  }

  set(row: number, value: unknown): void {
    if (value === null) return;
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new RunError(`The metric ${this.name} holds ${String(value)}.`);
    // Adding 0 makes -0 the zero that JSON writes.
    this.#codes[row] = this.#codeOf(value + 0);
  }

  build(): MetricColumn {
    const numbers = this.#numbers.slice(0, this.#count);
    const key = `,${JSON.stringify(this.name)}:`;
    const cell = written(numbers.length, (code) => (code === NULL_CODE ? '' : JSON.stringify(numbers[code])));
    const member = written(numbers.length, (code) => key + (cell(code) || 'null'));
    return { name: this.name, codes: this.#codes, numbers, member, cell };
  }

  #codeOf(value: number): number {
    const mask = this.#slots.length - 1;
    for (let at = hash(value) & mask; ; at = (at + 1) & mask) {
      const code = this.#slots[at] ?? 0;
      if (code === 0) return this.#add(value, at);
      if (this.#numbers[code] === value) return code;
    }
  }

  #add(value: number, at: number): number {
    const code = this.#count;
    if (code === this.#numbers.length) this.#numbers = widened(this.#numbers);
    if (code === 0x10000) this.#codes = Uint32Array.from(this.#codes);
    this.#numbers[code] = value;
    this.#slots[at] = code;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let code = 1; code < this.#count; code += 1) {
      let at = hash(this.#numbers[code] ?? 0) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = code;
    }
    this.#slots = slots;
  }
}

/** Texts by code, each written when first asked for: documents that share a value share its text. */
const written = (count: number, write: (code: number) => string): ((code: number) => string) => {
  const texts = new Array<string | undefined>(count).fill(undefined);
  return (code) => {
    const known = texts[code];
    if (known !== undefined) return known;
    // A text put together is kept as its parts; copied once, it is one piece, which joins much faster.
    const text = Buffer.from(write(code), 'latin1').toString('latin1');
    texts[code] = text;
    return text;
  };
};

const widened = (numbers: Float64Array): Float64Array<ArrayBuffer> => {
  const wider = new Float64Array(numbers.length * 2);
  wider.set(numbers);
  return wider;
};

const scratch = new Float64Array(1);
const halves = new Uint32Array(scratch.buffer);

/** A mix of all bits of a number: ratios of small counts differ in the low ones. */
const hash = (value: number): number => {
  scratch[0] = value;
  const mixed = Math.imul((halves[0] ?? 0) ^ Math.imul(halves[1] ?? 0, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};
