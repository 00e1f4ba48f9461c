/**
 * The ways in which a command can end badly. Messages are for the person who typed it: the thing, the place, the
 * next step, in one line.
 */

/** Wrong use: an unknown flag value, a folder that is not there, a model that does not exist. The command exits 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The work could not be done: a full disk, a failed check, a corrupt file. The command exits 1. */
export class RunError extends Error {
  override name = 'RunError';
}

/** A step of a job could not be done here and now, and may be done by a later attempt or another machine. The command exits 75. */
export class PassingError extends Error {
  override name = 'PassingError';
}

/** The message of anything that was thrown, for use inside another message. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The `code` of a system error (`ENOENT`, `ENOSPC`…), or undefined. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
