import type { RunEvent } from '../../pipeline/events.js';
import type { Settings } from '../settings.js';

/** What a command is given of the process: where data goes, whom to tell, when to stop, what time it is. */
export interface Context {
  /** Data, to stdout; waits while the reader is slow. */
  readonly print: (text: string) => Promise<void>;
  /** Talk, to stderr: progress on a terminal, JSON lines elsewhere. */
  readonly present: (settings: Settings) => (event: RunEvent) => void;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Columns of the terminal that stdout is, or undefined. */
  readonly columns: number | undefined;
}
