import { messageOf, PassingError, RunError, UsageError } from '../errors.js';
import { hintFor } from '../system-faults.js';

/** One line for what was foreseen; a stack for what was not, because then it is our fault. */
export const explain = (error: unknown): string => {
  const hint = hintFor(error);
  if (hint !== undefined) return `${messageOf(error)}. ${hint}`;
  if (error instanceof UsageError || error instanceof RunError || error instanceof PassingError) return error.message;
  return error instanceof Error ? `This should not happen. ${error.stack ?? error.message}` : messageOf(error);
};
