/**
 * What is asked of an object store: objects that are whole or not there, and conditions on writing them that hold however
 * many write at once. Keys are below the store's address. Every method throws StoreError.
 */
import { setTimeout } from 'node:timers/promises';
import { RunError } from '../errors.js';

export interface ObjectStore {
  /** `s3://bucket/prefix`, for messages. */
  readonly address: string;
  /**
   * An object, undefined where there is none, `same` where its ETag is still `unless`. The body is to be read to its end,
   * or left by `return`; memory is bounded by a piece of it.
   */
  readonly get: (key: string, options?: { readonly unless?: string }) => Promise<StoredObject | 'same' | undefined>;
  /** What is known of an object without reading it; undefined where there is none. */
  readonly head: (key: string) => Promise<ObjectFacts | undefined>;
  /** Writes an object as one step where the condition holds, and gives its ETag; undefined where it does not hold. */
  readonly put: (key: string, body: NewObject, condition: PutCondition) => Promise<string | undefined>;
  /** Objects whose keys begin with `prefix`, by key. */
  readonly list: (prefix: string) => Promise<readonly ListedObject[]>;
  /** Also where there is none. */
  readonly delete: (key: string) => Promise<void>;
  /** Forgets uploads in parts that were begun before `before` and never finished; returns their keys. */
  readonly abandonUploads: (prefix: string, before: Date) => Promise<readonly string[]>;
  readonly close: () => void;
}

/** `absent`: there is no object of that key. Else the ETag that the object must have. */
export type PutCondition = 'absent' | { readonly etag: string };

export interface ObjectFacts {
  /** Without quotes. */
  readonly etag: string;
  readonly bytes: number;
  /** What its writer said its content is; undefined where somebody else wrote it. */
  readonly sha256: string | undefined;
}

export interface StoredObject extends ObjectFacts {
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ListedObject {
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** A text, or a file whose content is known: it is sent in pieces, with the hashes that the store and readers check. */
export type NewObject =
  | { readonly text: string; readonly type: string }
  | {
      readonly path: string;
      readonly bytes: number;
      /** Hexadecimal. */
      readonly sha256: string;
      /** Base64, of the whole file. */
      readonly md5: string;
      readonly type: string;
    };

/** What a store did not do, and what a person can do then. `passing`: asked again, it may well do it. */
export class StoreError extends RunError {
  override name = 'StoreError';
  readonly passing: boolean;
  constructor(message: string, options: { readonly passing: boolean; readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.passing = options.passing;
  }
}

const ATTEMPTS = 4;
const PAUSE_MS = 500;

/** Does it again where the store failed in passing: four times in all, with pauses of 0.5, 1 and 2 seconds. */
export const persist = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof StoreError) || !error.passing || attempt === ATTEMPTS) throw error;
      await setTimeout(PAUSE_MS * 2 ** (attempt - 1));
    }
  }
};

/**
 * The text of an object and its ETag; undefined where there is none, `same` where its ETag is still `unless`.
 *
 * @param most bytes that it may have
 */
export const readObjectText = async (
  store: ObjectStore,
  key: string,
  {
    most,
    unless,
    signal,
  }: { readonly most: number; readonly unless?: string | undefined; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly etag: string } | 'same' | undefined> =>
  persist(async () => {
    const found = await store.get(key, unless === undefined ? {} : { unless });
    if (found === undefined || found === 'same') return found;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of found.body) {
      bytes += piece.length;
      if (bytes > most) throw new RunError(`${store.address}/${key} has more than ${most} bytes: it is none of ours.`);
      pieces.push(piece);
    }
    return { text: Buffer.concat(pieces).toString('utf8'), etag: found.etag };
  }, signal);
