/**
 * The models, off the API's thread. Requests of one model that arrive together, or while it is busy, are classified
 * together; a label depends on its text alone, so nobody can tell. Accounts take turns, so that nobody waits for all that
 * another one has sent; a request that is larger than a turn takes several. What waits is bounded, of everybody and of one
 * account: beyond that, 503.
 */
import type { ModelId } from '../../models/catalog.js';
import type { Classifier, Predictions } from '../inference/pool.js';
import { unavailable } from './http-error.js';
import { createShares } from './shares.js';

export interface InferenceOptions {
  /** Opens the classifier, when it is first needed or at the start. */
  readonly open: () => Promise<Classifier>;
  readonly log: (event: InferenceEvent) => void;
  /** The most texts that wait and are under way. */
  readonly mostTexts?: number | undefined;
  /** The most of them that are one account's. */
  readonly accountTexts?: number | undefined;
  /** The most texts that are given to the models at once. */
  readonly batchTexts?: number | undefined;
  /** The same while several accounts wait for a model, and of one request: the less, the sooner it is the next one's turn. */
  readonly sharedBatchTexts?: number | undefined;
  /** How long the first of a batch waits for others, in milliseconds. */
  readonly gatherMs?: number | undefined;
}

export type InferenceEvent =
  | { readonly type: 'models-opened'; readonly seconds: number; readonly provider: string; readonly workers: number }
  | { readonly type: 'models-failed'; readonly error: unknown };

export interface Inference {
  /**
   * Predictions of texts, in their order.
   *
   * @param account who asks: accounts take turns
   * @throws HttpError 503 when too much waits or the models cannot be opened, and the signal's reason
   */
  readonly classify: (
    model: ModelId,
    texts: readonly string[],
    asked: { readonly account: string; readonly signal: AbortSignal },
  ) => Promise<Predictions>;
  readonly state: () => InferenceState;
  /** Opens the models now; resolves also when they cannot be opened. */
  readonly warm: () => Promise<void>;
  /** Lets what is under way end. */
  readonly close: () => Promise<void>;
}

export interface InferenceState {
  readonly models: 'not opened' | 'opening' | 'open' | 'failed';
  /** Texts that wait or are under way. */
  readonly texts: number;
  readonly batches: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  readonly resolve: (predictions: Predictions) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits for a model, by account: the one whose turn it is comes first. */
type Queue = Map<string, Waiting[]>;

export const createInference = (options: InferenceOptions): Inference => {
  const { mostTexts = 4096, accountTexts = mostTexts / 2, batchTexts = 256, sharedBatchTexts = 128 } = options;
  const shares = createShares({ all: mostTexts, account: accountTexts });
  const queues = new Map<ModelId, Queue>();
  const busy = new Map<ModelId, Promise<void>>();
  let opening: Promise<Classifier> | undefined;
  let models: InferenceState['models'] = 'not opened';
  let batches = 0;
  let textsHere = 0;
  /** Texts a second, as they were answered lately. */
  let speed = 200;

  const opened = (): Promise<Classifier> => {
    if (opening !== undefined) return opening;
    models = 'opening';
    const started = performance.now();
    const mine = options.open().then(
      (classifier) => {
        models = 'open';
        const { provider, workers } = classifier.report;
        options.log({ type: 'models-opened', seconds: (performance.now() - started) / 1000, provider, workers });
        return classifier;
      },
      (error: unknown) => {
        models = 'failed';
        // The next request tries again: a package may have been put in place.
        opening = undefined;
        options.log({ type: 'models-failed', error });
        throw unavailable('The models cannot be opened now', 30, error);
      },
    );
    opening = mine;
    return mine;
  };

  /** A worker that died or computes wrongly is replaced with all the others. */
  const reopen = async (classifier: Classifier, error: unknown): Promise<void> => {
    if (opening === undefined || (await opening.catch(() => undefined)) !== classifier) return;
    opening = undefined;
    models = 'failed';
    options.log({ type: 'models-failed', error });
    void classifier.close().catch(() => undefined);
  };

  const enqueue = (model: ModelId, account: string, asked: Pick<Waiting, 'texts' | 'signal'>): Promise<Predictions> =>
    new Promise((resolve, reject) => {
      const queue: Queue = queues.get(model) ?? new Map();
      queues.set(model, queue);
      const own = queue.get(account) ?? [];
      queue.set(account, own);
      own.push({ ...asked, resolve, reject });
      if (!busy.has(model)) busy.set(model, work(model, queue));
    });

  /** Of each account one request or part of one, and so on in turn as long as there is one that fits; the first does always. */
  const takeBatch = (queue: Queue): readonly Waiting[] => {
    const most = queue.size > 1 ? sharedBatchTexts : batchTexts;
    const batch: Waiting[] = [];
    let size = 0;
    for (let grew = true; grew; ) {
      grew = false;
      for (const [account, own] of [...queue]) {
        const [next] = own;
        if (next === undefined || (batch.length > 0 && size + next.texts.length > most)) continue;
        own.shift();
        queue.delete(account);
        if (own.length > 0) queue.set(account, own);
        batch.push(next);
        size += next.texts.length;
        grew = true;
      }
    }
    return batch;
  };

  const answer = async (model: ModelId, batch: readonly Waiting[]): Promise<void> => {
    const all = batch.flatMap((waiting) => waiting.texts);
    const classifier = await opened();
    const started = performance.now();
    try {
      const found = (await classifier.classify([model], all)).get(model);
      if (found === undefined) throw new Error(`Nothing was answered for ${model}.`);
      batches += 1;
      speed = 0.8 * speed + 0.2 * (all.length / Math.max(0.001, (performance.now() - started) / 1000));
      let from = 0;
      for (const { texts: own, resolve } of batch) {
        resolve(part(found, from, from + own.length));
        from += own.length;
      }
    } catch (error) {
      await reopen(classifier, error);
      throw error;
    }
  };

  const work = async (model: ModelId, queue: Queue): Promise<void> => {
    await new Promise((done) => setTimeout(done, options.gatherMs ?? 2));
    while (queue.size > 0) {
      const batch = takeBatch(queue).filter(({ signal, reject }) => {
        if (signal.aborted) reject(signal.reason);
        return !signal.aborted;
      });
      if (batch.length === 0) continue;
      try {
        await answer(model, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy.delete(model);
  };

  return {
    classify: async (model, texts, { account, signal }) => {
      const hold = shares.open(account);
      // Others have their turns between its parts, so a request that is larger than an account's share fills no more than that.
      const room = Math.min(texts.length, accountTexts);
      if (!hold(room)) {
        const isFull = shares.held() + room > mostTexts;
        const ahead = isFull ? shares.held() : shares.held(account);
        throw unavailable('Too many texts are waiting', Math.min(30, ahead / Math.max(1, speed)));
      }
      textsHere += texts.length;
      const rest = new AbortController();
      const asked = { signal: AbortSignal.any([signal, rest.signal]) };
      try {
        const parts = partsOf(texts, sharedBatchTexts);
        return joined(await Promise.all(parts.map((part) => enqueue(model, account, { ...asked, texts: part }))));
      } finally {
        // Where one part failed, nobody waits for the others.
        rest.abort();
        textsHere -= texts.length;
        hold(0);
      }
    },
    state: () => ({ models, texts: textsHere, batches }),
    warm: async () => {
      await opened().catch(() => undefined);
    },
    close: async () => {
      await Promise.all(busy.values());
      const classifier = await opening?.catch(() => undefined);
      opening = undefined;
      await classifier?.close();
    },
  };
};

const partsOf = (texts: readonly string[], most: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(texts.length / most) }, (_, at) => texts.slice(at * most, (at + 1) * most));

const joined = (parts: readonly Predictions[]): Predictions => {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  return {
    labels: parts.flatMap(({ labels }) => labels),
    scores: Float32Array.from(parts.flatMap(({ scores }) => [...scores])),
    truncated: Uint8Array.from(parts.flatMap(({ truncated }) => [...truncated])),
  };
};

const part = ({ labels, scores, truncated }: Predictions, from: number, to: number): Predictions => ({
  labels: labels.slice(from, to),
  scores: scores.slice(from, to),
  truncated: truncated.slice(from, to),
});
