/** What the input folders list, for all datasets at once: names and addresses, of which nothing has been read yet. */
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import type { Double, RemoteDocument, SourceDocument, Unnamed } from '../1-ingest/source.js';
import { listInputs } from '../1-ingest/sources/index.js';
import type { Reject } from '../document.js';

/** With the input folder that it comes from, as an absolute path. */
export type From<T> = T & { readonly input: string };

export interface ListedReject {
  readonly input: string;
  readonly reject: Reject;
  readonly missing?: string;
  /** Its file is there, and could not be read through the machine's fault. */
  readonly unread?: true;
  /** It is no file but an address, which gave nothing. */
  readonly unanswered?: true;
  readonly unnamed?: Unnamed;
  readonly double?: Double;
}

export interface Listing {
  /** Absolute paths, in the order in which they were named. */
  readonly inputs: readonly string[];
  readonly files: readonly From<SourceDocument>[];
  readonly remote: readonly From<RemoteDocument>[];
  readonly rejects: readonly ListedReject[];
}

/** @throws UsageError for a folder that is not there or holds no documents. @throws RunError for one that cannot be listed */
export const readListing = async (inputs: readonly string[], signal: AbortSignal): Promise<Listing> => {
  const files: From<SourceDocument>[] = [];
  const remote: From<RemoteDocument>[] = [];
  const rejects: ListedReject[] = [];
  for await (const listed of listInputs(inputs)) {
    signal.throwIfAborted();
    const input = resolve(listed.input);
    switch (listed.kind) {
      case 'document':
        files.push({ ...listed.document, input });
        break;
      case 'remote':
        remote.push({ ...listed.document, input });
        break;
      case 'reject': {
        const { reject, missing, unnamed, double } = listed;
        rejects.push({
          input,
          reject,
          ...(missing !== undefined && { missing }),
          ...(unnamed !== undefined && { unnamed }),
          ...(double !== undefined && { double }),
        });
        break;
      }
      default:
        listed satisfies never;
    }
  }
  return { inputs: [...new Set(inputs.map((input) => resolve(input)))], files, remote, rejects };
};

/** The part of a listing that belongs to one dataset. */
export const listingOf = ({ inputs, files, remote, rejects }: Listing, dataset: DatasetId): Listing => ({
  inputs,
  files: files.filter((document) => document.dataset === dataset),
  remote: remote.filter((document) => document.dataset === dataset),
  rejects: rejects.filter(({ reject }) => reject.dataset === dataset),
});

export const isEmpty = ({ files, remote, rejects }: Listing): boolean =>
  files.length + remote.length + rejects.length === 0;
