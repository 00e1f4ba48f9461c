/** The thread in which models run: ONNX Runtime and the tokenizers block, so they never run on the main thread. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { env } from 'onnxruntime-node';
import { messageOf } from '../errors.js';
import { type Provider, processorOf, type Refusal } from './device.js';
import { type Engine, NotFiniteError, openEngine, tryOut } from './engine.js';
import { type Classify, type Failed, type Reply, Request, WorkerSetup } from './messages.js';
import { MICRO_BATCH } from './settings.js';

interface Opened {
  readonly provider: Provider;
  readonly refused: readonly Refusal[];
  /** By the package's folder. */
  readonly engines: ReadonlyMap<string, Engine>;
}

const serve = async (port: MessagePort): Promise<void> => {
  const reply = (message: Reply, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  let opened: Opened;
  try {
    opened = await openEngines(WorkerSetup.parse(workerData));
  } catch (error) {
    reply({ type: 'failed', kind: 'cannot-open', message: messageOf(error) });
    port.close();
    return;
  }
  const { provider, refused, engines } = opened;
  reply({ type: 'ready', provider, refused, onnxruntime: env.versions.node ?? env.versions.common });

  port.on('message', async (message: unknown) => {
    const request = Request.parse(message);
    if (request.type === 'close') {
      for (const engine of engines.values()) await engine.close();
      port.close();
      return;
    }
    try {
      const { outputs, truncated } = await answer(engines, request);
      const buffers = [truncated, ...outputs.flatMap(({ labels, scores }) => [labels, scores])];
      reply(
        { type: 'answer', outputs, truncated },
        buffers.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
      );
    } catch (error) {
      reply(toFailed(error));
    }
  });
};

const openEngines = async ({ packages, candidates, threads, microBatch }: WorkerSetup): Promise<Opened> => {
  const refused: Refusal[] = [];
  for (const provider of candidates) {
    const engines = new Map<string, Engine>();
    try {
      for (const opened of packages) {
        const options = { provider, threads, microBatch: microBatch ?? MICRO_BATCH[processorOf(provider)] };
        const engine = await openEngine(opened, options);
        engines.set(opened.folder, engine);
        if (processorOf(provider) === 'gpu') await tryOut(engine);
      }
      return { provider, refused, engines };
    } catch (error) {
      for (const engine of engines.values()) await engine.close();
      refused.push({ provider, reason: firstLine(messageOf(error)) });
    }
  }
  // The last candidate is the one that should have worked: of `auto` the CPU, else what was asked for.
  throw new Error(refused.at(-1)?.reason ?? 'there is no execution provider to try');
};

const answer = (engines: ReadonlyMap<string, Engine>, { folder, outputs, texts, cancelled }: Classify) => {
  const engine = engines.get(folder);
  if (!engine) throw new Error(`The worker holds no package ${folder}.`);
  return engine.classify({ texts, outputs, isCancelled: () => Atomics.load(cancelled, 0) !== 0 });
};

const toFailed = (error: unknown): Failed =>
  error instanceof NotFiniteError
    ? { type: 'failed', kind: 'not-finite', message: error.message, output: error.output, text: error.text }
    : { type: 'failed', kind: 'error', message: messageOf(error) };

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

if (parentPort) await serve(parentPort);
