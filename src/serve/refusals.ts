/**
 * Why a snapshot is not served, in two ways: for everybody who asks whether the service is ready, without places and
 * without commands, and for the log, with both and whole.
 */
import type { DatasetId } from '../../data/catalog.js';
import { QueryError } from '../database.js';
import { codeOf, messageOf, RunError } from '../errors.js';
import type { Outputs } from '../outputs.js';
import { verifyCommand } from '../snapshot/commands.js';

export interface Refusal {
  /** Empty where it is not even known what is to be served. */
  readonly snapshot: string;
  /** For everybody. */
  readonly reason: string;
  /** For the log. */
  readonly detail: string;
}

/** Is it the snapshot that is wrong? What the system or the database could not do is no word about it. */
export const isOfFiles = (error: unknown): boolean => error instanceof RunError && !(error instanceof QueryError);

/** @param error what `openSnapshot` threw: where its files are wrong, the message names no place but theirs */
export const refuseSnapshot = (
  error: unknown,
  { outputs, dataset, id, origin }: RefusedSnapshot,
): Omit<Refusal, 'snapshot'> => {
  const folder = outputs.snapshot(dataset, id);
  const message = messageOf(error);
  if (isOfFiles(error)) {
    // What came from a store is mended there.
    const next = origin === 'store' ? '' : ` ${verifyCommand(outputs, dataset)} says which command mends it.`;
    return { reason: message, detail: `${folder}: ${message}${next}` };
  }
  const reason = codeOf(error) === 'ENOSPC' ? 'The disk is full' : 'It cannot be opened now; the log says why';
  return { reason, detail: `${folder} cannot be opened: ${message}` };
};

export interface RefusedSnapshot {
  readonly outputs: Outputs;
  readonly dataset: DatasetId;
  readonly id: string;
  /** Was it published here, or brought here? */
  readonly origin: 'here' | 'store';
}

/** @param error what `findCurrent` threw: that the pointer is damaged, or that it cannot be read */
export const refusePointer = (error: unknown): Refusal => ({
  snapshot: '',
  reason:
    error instanceof RunError
      ? 'The pointer does not hold a snapshot id; the log says which command mends it'
      : 'The pointer cannot be read; the log says why',
  detail: messageOf(error),
});
