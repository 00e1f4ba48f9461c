/**
 * A worker without models, for the tests of the pool. A text says what happens: `exit` and `throw` end the thread,
 * `fail` and `not-finite` are refused, `hang` waits until it is cancelled. Scores count the requests of this thread.
 */
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const [{ folder } = {}] = workerData.packages;
if (folder?.endsWith('unopenable')) {
  parentPort.postMessage({ type: 'failed', kind: 'cannot-open', message: 'the weights are broken' });
  parentPort.close();
} else {
  parentPort.postMessage({ type: 'ready', provider: 'cpu', refused: [], onnxruntime: 'none' });
}

let asked = 0;

parentPort.on('message', async ({ type, texts, outputs, cancelled }) => {
  if (type === 'close') return parentPort.close();
  asked += 1;
  const at = texts.findIndex((text) => ['exit', 'throw', 'fail', 'not-finite', 'hang'].includes(text));
  switch (texts[at]) {
    case 'exit':
      return process.exit(3);
    case 'throw':
      setImmediate(() => {
        throw new Error('out of luck');
      });
      return;
    case 'fail':
      return parentPort.postMessage({ type: 'failed', kind: 'error', message: 'the run failed' });
    case 'not-finite':
      return parentPort.postMessage({ type: 'failed', kind: 'not-finite', message: '', output: outputs[0], text: at });
    case 'hang':
      while (Atomics.load(cancelled, 0) === 0) await setTimeout(5);
      return parentPort.postMessage({ type: 'failed', kind: 'error', message: 'cancelled' });
    default:
      await setTimeout(2);
      parentPort.postMessage({
        type: 'answer',
        outputs: outputs.map(() => ({
          labels: Uint8Array.from(texts, (text) => text.length % 3),
          scores: Float32Array.from(texts, () => asked),
        })),
        truncated: new Uint8Array(texts.length),
      });
  }
});
