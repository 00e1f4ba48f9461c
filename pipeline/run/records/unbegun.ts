/** Nights that could not even begin. */
import { messageOf } from '../../../src/errors.js';
import { takeLock } from '../lock.js';
import { announce } from './announce.js';
import { type RunRecord, readLastRun, removeRecord } from './record.js';
import { beginRecord, noting, openRecord, type RecorderOptions, writeQuietly } from './recorder.js';

/**
 * A run that could not even begin: no folder to read, nothing in it, another run under way. Written down where nobody else
 * is writing and the outputs folder can be written to; told in any case.
 */
export const recordUnbegun = async (options: RecorderOptions, error: unknown): Promise<void> => {
  const { outputs, dataset } = options;
  // Told without the lock: whoever is told may take his time, and a run that begins just now must not fail for that.
  const written = await alone(options, async () => (await openRecord(options)).close.failed(error, 'failed'));
  if (written === undefined) {
    const before = await readLastRun(outputs, dataset).catch(() => undefined);
    const record = await beginRecord(options, before);
    const ended = { ended_at: record.began_at, seconds: 0 };
    await announce(options, { ...record, ...ended, outcome: 'failed', error: messageOf(error) });
    return;
  }
  const told = await announce(options, written);
  if (told.signals.length === 0) return;
  await alone(options, async () => {
    if ((await readLastRun(outputs, dataset))?.id === told.id) await writeQuietly(options, told);
  });
};

/**
 * That a dataset could not begin says nothing of it any more once the folders are read and hold nothing of it, where it
 * was never built: it is not built here.
 */
export const dropUnbegun = async (options: RecorderOptions): Promise<void> => {
  const { outputs, dataset } = options;
  const findUnbegun = async (): Promise<RunRecord | undefined> => {
    const last = await readLastRun(outputs, dataset);
    const isUnbegun =
      last?.outcome === 'failed' && last.listed === null && last.snapshot === null && last.last_success === null;
    return isUnbegun ? last : undefined;
  };
  await noting(dataset, options.log)('drop the record of a run that could not begin', async () => {
    if ((await findUnbegun()) === undefined) return;
    await alone(options, async () => {
      // All of them: the one before would be the last one then.
      for (let last = await findUnbegun(); last !== undefined; last = await findUnbegun()) {
        await removeRecord(outputs, last);
      }
    });
  });
};

/** Does what only one may do at a time; undefined where somebody else has the lock, or nobody can have it. */
const alone = async <T>({ outputs, dataset, now }: RecorderOptions, work: () => Promise<T>): Promise<T | undefined> => {
  const release = await takeLock(outputs.lock(dataset), now()).catch(() => undefined);
  if (release === undefined) return undefined;
  try {
    return await work();
  } finally {
    await release();
  }
};
