/**
 * The engine's own worker, which also tells on a broadcast channel where its time went: the `entry` that
 * test/bench/gpu.ts gives to `openClassifier`.
 */
import { BroadcastChannel } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession } from 'onnxruntime-node';
import { type RunTimes, TIMES } from './run-times.js';

const channel = new BroadcastChannel(TIMES);
// An open channel would keep the worker alive after the engine has closed.
channel.unref();
let tokenizing = 0;

Tokenizer.prototype.encode = new Proxy(Tokenizer.prototype.encode, {
  apply: (encode, tokenizer, given) => {
    const began = performance.now();
    const encoded: unknown = Reflect.apply(encode, tokenizer, given);
    tokenizing += performance.now() - began;
    return encoded;
  },
});

const timeRuns = (session: InferenceSession): InferenceSession => {
  session.run = new Proxy(session.run, {
    apply: async (run, _, given) => {
      const began = performance.now();
      const results: unknown = await Reflect.apply(run, session, given);
      channel.postMessage({
        tokenizing: tokenizing / 1000,
        running: (performance.now() - began) / 1000,
        rows: given[0]?.input_ids?.dims[0] ?? 0,
      } satisfies RunTimes);
      tokenizing = 0;
      return results;
    },
  });
  return session;
};

InferenceSession.create = new Proxy(InferenceSession.create, {
  apply: async (create, factory, given) => timeRuns(await Reflect.apply(create, factory, given)),
});

// Only now: the engine takes what it finds.
await import('../../src/inference/worker.js');
