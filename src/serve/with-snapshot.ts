/** The snapshot of a question, and the order in which what is wrong with a question is told. */
import type { DatasetId } from '../../data/catalog.js';
import type { Answer } from './answer.js';
import type { Pin } from './follow.js';
import { HttpError } from './http-error.js';
import type { OpenSnapshot } from './open-snapshot.js';
import type { Service } from './service.js';

export interface Question<T> {
  readonly dataset: DatasetId;
  readonly pin: Pin;
  /** Throws where what is asked for is not in a snapshot's manifest: an unknown metric, an unknown model. */
  readonly check: (snapshot: OpenSnapshot) => T;
}

/**
 * Lets `read` have the snapshot that a question asks for, and what the check made of the question. What the check refuses
 * is told before a snapshot that is not kept, like every other fault of the question.
 */
export const withSnapshot = async <T>(
  { snapshots }: Service,
  { dataset, pin, check }: Question<T>,
  read: (snapshot: OpenSnapshot, checked: T) => Promise<Answer>,
): Promise<Answer> => {
  let isThere = false;
  try {
    return await snapshots.use(dataset, pin, (snapshot) => {
      isThere = true;
      return read(snapshot, check(snapshot));
    });
  } catch (error) {
    // Of one that is there the check was made, and its 404 is of a document.
    if (!isThere && error instanceof HttpError && error.status === 404) {
      const current = snapshots.states().find((state) => state.dataset === dataset)?.current;
      if (current !== undefined) check(current);
    }
    throw error;
  }
};
