/** Bytes behind one another. Pieces are short, so a loop is faster than a call for each. */
export class ByteWriter {
  readonly #bytes: Buffer;
  #length = 0;

  /** @param most bytes that will be written, at most */
  constructor(most: number) {
    this.#bytes = Buffer.allocUnsafeSlow(most);
  }

  /** Bytes of `source`, from one place to another. */
  copy(source: Uint8Array, from: number, to: number): void {
    const target = this.#bytes;
    let length = this.#length;
    for (let at = from; at < to; at += 1) {
      target[length] = source[at] ?? 0;
      length += 1;
    }
    this.#length = length;
  }

  byte(value: number): void {
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  text(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
