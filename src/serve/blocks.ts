/** Memory of answers, used again and again: made anew for each of them, its collection costs more than the answer. */
export interface Blocks {
  /**
   * A block that is nobody else's until both are over, its filling and its sending; undefined while all are taken. Who
   * asked may be gone while it is still filled.
   *
   * @param onSent calls back once, when nobody reads the block any more
   */
  readonly lend: (onSent: (then: () => void) => void) => Block | undefined;
}

export interface Block {
  readonly bytes: Buffer;
  /** To be called once, when nobody writes into it any more. */
  readonly filled: () => void;
}

/** Bytes of a block: a page of 1,000 documents with every metric. What is never written of it takes no memory. */
export const BLOCK_BYTES = 8 * 1024 * 1024;

/** @param most blocks that there may be: slow readers keep theirs until they have everything */
export const createBlocks = (most: number): Blocks => {
  const free: Buffer[] = [];
  let made = 0;
  const make = (): Buffer | undefined => {
    if (made === most) return undefined;
    made += 1;
    return Buffer.allocUnsafeSlow(BLOCK_BYTES);
  };
  return {
    lend: (onSent) => {
      const bytes = free.pop() ?? make();
      if (bytes === undefined) return undefined;
      let users = 2;
      const letGo = (): void => {
        users -= 1;
        if (users === 0) free.push(bytes);
      };
      onSent(letGo);
      return { bytes, filled: letGo };
    },
  };
};
