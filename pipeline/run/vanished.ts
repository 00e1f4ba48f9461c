/** A dataset of which the folders of a run hold nothing: left out, or a failed run of it where they held it before. */
import { RunError } from '../../src/errors.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { readKnown } from '../1-ingest/raw/known.js';
import { readPublishedRun } from './records/record.js';
import type { RecorderOptions } from './records/recorder.js';
import { dropUnbegun, recordUnbegun } from './records/unbegun.js';

/**
 * Settles what a run does about a dataset that its folders hold nothing of. A mount that is lost looks like a folder that never
 * held it, so it is told from one by what was read and published before, and is a failed run then.
 *
 * @returns why it failed; undefined where nobody expects anything of it
 */
export const settleAbsent = async (options: RecorderOptions): Promise<RunError | undefined> => {
  const { dataset, job, log } = options;
  // Whoever reprocesses has named the dataset and is told that there is nothing of it.
  const why = job === 'rebuild' ? await findVanished(options) : undefined;
  if (why === undefined) {
    log({ type: 'note', dataset, message: `The input folders hold nothing of ${dataset}.` });
    await dropUnbegun(options);
    return undefined;
  }
  const error = new RunError(why);
  await recordUnbegun(options, error);
  return error;
};

/**
 * Says that a dataset was published from these folders, which hold nothing of it now; undefined where it was not. Of the
 * folders of the last success that are named again one must have held documents of it, or all of them are named again.
 *
 * @param inputs absolute paths
 */
export const findVanished = async ({
  outputs,
  dataset,
  inputs,
}: Pick<RecorderOptions, 'outputs' | 'dataset' | 'inputs'>): Promise<string | undefined> => {
  const last = await readPublishedRun(outputs, dataset);
  if (last === undefined && (await findCurrent(outputs, dataset).catch(() => undefined)) === undefined)
    return undefined;
  const isNamed = (input: string): boolean => inputs.includes(input);
  const read = (await readKnown(outputs, dataset).catch(() => [])).filter(
    ({ input }) => isNamed(input) && last?.inputs.includes(input) !== false,
  );
  // What was read is not known where the kept files were deleted or their list is damaged.
  if (read.length === 0 && last?.inputs.every(isNamed) !== true) return undefined;
  const folders = read.length > 0 ? [...new Set(read.map(({ input }) => input))] : (last?.inputs ?? []);
  const before =
    read.length === 0
      ? 'from which it was last published'
      : `of which ${read.length.toLocaleString('en')} ${read.length === 1 ? 'document was' : 'documents were'} read before`;
  const where = folders.length === 1 ? folders[0] : `any of ${folders.join(', ')}`;
  return `Nothing of ${dataset} is in ${where} any more, ${before}; what is published goes on serving. Is a mount lost? Bring it back and run this again; where the documents lie in another folder by now, name that one with --input; where there are to be none, leave ${dataset} out with --dataset.`;
};
