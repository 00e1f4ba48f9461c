import { Worker } from 'node:worker_threads';
import { messageOf, RunError } from '../errors.js';
import {
  type Answer,
  type Classify,
  type Failed,
  type Ready,
  Reply,
  type Request,
  type WorkerSetup,
} from './messages.js';

/** A piece of a request: what a worker is asked in one message. */
export type Piece = Omit<Classify, 'type' | 'cancelled'>;

/** What a worker said of a piece that it could not answer. */
export class PieceError extends Error {
  override name = 'PieceError';
  constructor(
    readonly failed: Failed,
    /** Place of the piece in its request. */
    readonly piece: number,
  ) {
    super(failed.message);
  }
}

/** Worker threads that answer pieces, one at a time each, taking turns between the requests that wait. */
export interface Threads {
  readonly size: number;
  /** Answers in the order of the pieces. Rejects with the first piece that failed, or with the signal's reason. */
  ask(pieces: readonly Piece[], signal: AbortSignal): Promise<readonly Answer[]>;
  /** Lets the pieces under way end, then ends the workers. What waits is rejected. */
  close(): Promise<void>;
}

/** A worker that has opened its models. */
export interface Thread {
  readonly ready: Ready;
  ask(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts a worker and waits until its models are open.
 *
 * @throws PieceError with `cannot-open`, RunError when the thread ended before it was ready
 */
export const openThread = async (entry: string, setup: WorkerSetup): Promise<Thread> => {
  const worker = new Worker(entry, { workerData: setup });
  let waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void } | undefined;
  let death: Error | undefined;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const die = (error: Error): void => {
    death ??= error;
    waiting?.reject(death);
    waiting = undefined;
  };
  worker.on('message', (message: unknown) => {
    const parsed = Reply.safeParse(message);
    if (!parsed.success)
      return die(new RunError(`An inference worker sent something else than a reply: ${parsed.error.message}`));
    waiting?.resolve(parsed.data);
    waiting = undefined;
  });
  worker.on('error', (error: unknown) =>
    die(
      new RunError(
        `An inference worker died: ${messageOf(error)}. Run it again, with fewer workers if memory is short.`,
        { cause: error },
      ),
    ),
  );
  worker.on('exit', (code) =>
    die(
      new RunError(
        `An inference worker ended in the middle of its work (exit code ${code}). Run it again, with fewer workers if memory is short.`,
      ),
    ),
  );

  const nextReply = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      if (death) reject(death);
      else waiting = { resolve, reject };
    });
  const first = await nextReply();
  if (first.type !== 'ready')
    throw first.type === 'failed'
      ? new PieceError(first, 0)
      : new RunError(`An inference worker began with ${first.type}.`);

  return {
    ready: first,
    async ask(request) {
      const reply = nextReply();
      worker.postMessage(request);
      const message = await reply;
      if (message.type === 'answer') return message;
      throw message.type === 'failed'
        ? new PieceError(message, 0)
        : new RunError('An inference worker answered twice.');
    },
    async close() {
      // Never terminate(): ending a thread during a run aborts the whole process.
      if (!death) worker.postMessage({ type: 'close' } satisfies Request);
      await exited;
    },
  };
};

interface Waiting {
  readonly pieces: readonly Piece[];
  readonly answers: Answer[];
  readonly cancelled: Int32Array;
  next: number;
  answered: number;
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Ways to open one more thread. */
export interface MoreThreads {
  /** For the other places. */
  readonly another: () => Promise<Thread>;
  /** In place of one that died: long after the others, perhaps. */
  readonly instead: () => Promise<Thread>;
}

/** @param first a thread that is already open */
export const openThreads = async (first: Thread, size: number, open: MoreThreads): Promise<Threads> => {
  const idle: Thread[] = [first];
  const working = new Set<Promise<void>>();
  let queue: Waiting[] = [];
  let closed = false;

  const others = await Promise.allSettled(Array.from({ length: size - 1 }, open.another));
  for (const other of others) if (other.status === 'fulfilled') idle.push(other.value);
  const failed = others.find((other) => other.status === 'rejected');
  if (failed) {
    await Promise.all(idle.map((thread) => thread.close()));
    throw failed.reason;
  }

  const leave = (request: Waiting): void => {
    Atomics.store(request.cancelled, 0, 1);
    queue = queue.filter((other) => other !== request);
  };

  const work = async (thread: Thread, request: Waiting, place: number, piece: Piece): Promise<void> => {
    try {
      request.answers[place] = await thread.ask({ type: 'classify', ...piece, cancelled: request.cancelled });
      request.answered += 1;
      idle.push(thread);
      if (request.answered === request.pieces.length) request.resolve(request.answers);
    } catch (error) {
      leave(request);
      if (error instanceof PieceError) {
        idle.push(thread);
        request.reject(new PieceError(error.failed, place));
        return;
      }
      request.reject(error);
      await replace();
    }
  };

  const replace = async (): Promise<void> => {
    if (closed) return;
    try {
      idle.push(await open.instead());
    } catch (error) {
      // With no thread left nothing would ever be answered.
      if (idle.length + working.size > 1) return;
      closed = true;
      for (const request of queue) request.reject(error);
      queue = [];
    }
  };

  const dispatch = (): void => {
    while (idle.length > 0) {
      const request = queue.shift();
      if (!request) return;
      const place = request.next;
      const piece = request.pieces[place];
      const thread = idle.pop();
      if (!piece || !thread) return;
      request.next += 1;
      // To the end of the queue: requests take turns, however many pieces each has.
      if (request.next < request.pieces.length) queue.push(request);
      const done = work(thread, request, place, piece).finally(() => {
        working.delete(done);
        dispatch();
      });
      working.add(done);
    }
  };

  return {
    size,
    async ask(pieces, signal) {
      signal.throwIfAborted();
      if (closed) throw new RunError('The classifier is closed: open another.');
      if (pieces.length === 0) return [];
      const { promise, resolve, reject } = withResolvers();
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const request: Waiting = { pieces, answers: [], cancelled, next: 0, answered: 0, resolve, reject };
      const onAbort = (): void => {
        leave(request);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(request);
      dispatch();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      closed = true;
      for (const request of queue) {
        leave(request);
        request.reject(new RunError('The classifier was closed before it answered.'));
      }
      while (working.size > 0) await Promise.all(working);
      await Promise.all(idle.splice(0).map((thread) => thread.close()));
    },
  };
};

const withResolvers = () => {
  let resolve: (answers: readonly Answer[]) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<readonly Answer[]>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};
