/** Open snapshots that are closed after their last reader. */
import type { OpenSnapshot } from './open-snapshot.js';

export interface Lease {
  readonly snapshot: OpenSnapshot;
  /** To be called once. */
  readonly release: () => void;
}

/** An open snapshot and how many read it now. */
export class Held {
  #readers = 0;
  #retired = false;
  constructor(
    readonly snapshot: OpenSnapshot,
    readonly onClosed: () => void,
  ) {}

  /** Keeps it open until the lease is given back. To be taken in the same turn in which it was found. */
  lease(): Lease {
    this.#readers += 1;
    return {
      snapshot: this.snapshot,
      release: () => {
        this.#readers -= 1;
        this.#closeIfDone();
      },
    };
  }

  retire(): void {
    this.#retired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (!this.#retired || this.#readers > 0) return;
    this.snapshot.close();
    this.onClosed();
  }
}
