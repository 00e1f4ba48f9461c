/** The values of a metric in memory: a code a document, and for each code its number and its text, once. */
import { RunError } from '../errors.js';

export interface MetricColumn {
  readonly name: string;
  readonly codes: Uint16Array | Uint32Array;
  /** By code; code 0 is null and holds NaN. */
  readonly numbers: Float64Array;
  /** How JSON writes the values, behind one another: that of a code from `ends[code]` to `ends[code + 1]`. */
  readonly texts: Uint8Array;
  readonly ends: Uint32Array;
  /** Bytes of the longest. */
  readonly longest: number;
}

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
    const words = Array.from(numbers, (value, code) => (code === NULL_CODE ? 'null' : JSON.stringify(value)));
    const ends = new Uint32Array(words.length + 1);
    for (const [code, word] of words.entries()) ends[code + 1] = (ends[code] ?? 0) + word.length;
    return {
      name: this.name,
      codes: this.#codes,
      numbers,
      texts: Buffer.from(words.join(''), 'latin1'),
      ends,
      longest: words.reduce((most, { length }) => Math.max(most, length), 0),
    };
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
