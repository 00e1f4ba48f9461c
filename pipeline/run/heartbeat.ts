/**
 * The sign of life of whoever holds a lock: its file is written again in place, with the very same bytes, so that its time
 * says when the holder was last heard of. The time is the file system's own, as is that which it is compared with: clocks
 * of two machines may differ by more than any patience.
 */
import { open } from 'node:fs/promises';
import { codeOf } from '../../src/errors.js';
import { readTextIfThere } from '../../src/files.js';

/** How often a holder is heard of. */
export const HEARTBEAT_MS = 30_000;

/**
 * A holder on another machine that was silent for so long is taken for dead. Twenty signs of life: a network file system
 * shows a change up to a minute late, and one whose server starts anew holds every write back for some minutes.
 */
export const SILENT_MS = 10 * 60_000;

export interface Heartbeat {
  /** Aborted once the lock is found to be another's, or gone: this process slept for longer than others waited. */
  readonly lost: AbortSignal;
  /**
   * Looks at once, for before what only the holder may do. A machine can fall asleep between this and that, too.
   *
   * @throws the reason of `lost` where the lock is not ours any more
   */
  readonly confirm: () => Promise<void>;
  readonly stop: () => void;
}

export interface HeartbeatOptions {
  readonly everyMs: number;
  /** The error that the holder ends with, from who holds the lock now (the lock's text; undefined where it is gone). */
  readonly toError: (text: string | undefined) => Error;
}

/** Keeps the lock `path`, which holds `text`, in the holder's name until it is stopped. Keeps no process alive. */
export const startHeartbeat = (path: string, text: string, { everyMs, toError }: HeartbeatOptions): Heartbeat => {
  const lost = new AbortController();
  let state: 'idle' | 'beating' | 'stopped' = 'idle';
  const stop = (): void => {
    state = 'stopped';
    clearInterval(timer);
  };
  const lose = (found: string | undefined): void => {
    if (state === 'stopped') return;
    stop();
    lost.abort(toError(found));
  };
  const timer = setInterval(async () => {
    // A write that hangs is not begun a second time.
    if (state !== 'idle') return;
    state = 'beating';
    const found = await beat(path, text).catch(unknown);
    if (found !== 'ours' && found !== 'unknown') lose(found.text);
    if (state === 'beating') state = 'idle';
  }, everyMs);
  timer.unref();
  return {
    lost: lost.signal,
    confirm: async () => {
      const found = await readTextIfThere(path);
      if (found !== text) lose(found);
      lost.signal.throwIfAborted();
    },
    stop,
  };
};

type Found = 'ours' | 'unknown' | { readonly text: string | undefined };

/** Written through the file that was read: where another takes the name over meanwhile, its file stays as it is. */
const beat = async (path: string, text: string): Promise<Found> => {
  const handle = await open(path, 'r+');
  try {
    const found = await handle.readFile('utf8');
    if (found !== text) return { text: found };
    await handle.write(text, 0);
    return 'ours';
  } finally {
    await handle.close();
  }
};

/** A disk that is full or a server that does not answer says nothing of the lock: the next beat asks again. */
const unknown = (error: unknown): Found => (codeOf(error) === 'ENOENT' ? { text: undefined } : 'unknown');
