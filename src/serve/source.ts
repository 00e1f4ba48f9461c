import type { DatasetId } from '../../data/catalog.js';

/** Where snapshots come from that are published elsewhere: brings them to the outputs folder. Throws nothing. */
export interface SnapshotSource {
  /** Brings what is to be served now, and moves the pointer of the outputs folder to it. */
  readonly bringCurrent: (dataset: DatasetId) => Promise<Brought>;
  /** Brings an older one. */
  readonly bring: (dataset: DatasetId, id: string) => Promise<Brought>;
}

export type Brought =
  | { readonly state: 'here' }
  | { readonly state: 'fetched'; readonly snapshot: string; readonly bytes: number; readonly seconds: number }
  /** There is no such snapshot. */
  | { readonly state: 'unknown' }
  | {
      readonly state: 'refused';
      /** Empty where it is not even known what is to be served. */
      readonly snapshot: string;
      /** For everybody. */
      readonly reason: string;
      /** For the log: with the names of places. */
      readonly detail: string;
    };
