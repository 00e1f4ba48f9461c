/** Dropping for good a document that is kept although it is gone from its folder. */
import type { DatasetId } from '../../data/catalog.js';
import { UsageError } from '../../src/errors.js';
import type { Outputs } from '../../src/outputs.js';
import { readKnown, writeKnown } from '../1-ingest/raw/known.js';
import type { Listing } from './listing.js';

export interface ForgetOptions {
  readonly outputs: Outputs;
  readonly datasets: readonly DatasetId[];
  readonly listing: Listing;
  readonly forget: readonly string[];
}

/** @throws UsageError for a document that is not kept, or that its folder still lists: forgotten, it would be read again */
export const checkForget = async ({ outputs, datasets, listing, forget }: ForgetOptions): Promise<void> => {
  if (forget.length === 0) return;
  const known = (await Promise.all(datasets.map((dataset) => readKnown(outputs, dataset)))).flat();
  for (const id of forget) {
    const listed = [...listing.files, ...listing.remote].find(
      ({ documentId, dataset }) => documentId === id && datasets.includes(dataset),
    );
    if (listed !== undefined)
      throw new UsageError(`${id} is still in ${listed.input}, as ${listed.path}: take it away there, then forget it.`);
    if (!known.some(({ document_id, input }) => document_id === id && listing.inputs.includes(input)))
      throw new UsageError(`No document ${id} is kept of ${listing.inputs.join(', ')}; nothing to forget.`);
  }
};

/**
 * Takes documents from the list, once a snapshot without them is published everywhere. Their files go with the last kept
 * snapshot that was made of them (`unneeded.ts`).
 */
export const forgetDocuments = async (
  dataset: DatasetId,
  { outputs, listing, forget }: Omit<ForgetOptions, 'datasets'>,
): Promise<void> => {
  const known = await readKnown(outputs, dataset);
  const isForgotten = (one: { readonly document_id: string; readonly input: string }): boolean =>
    forget.includes(one.document_id) && listing.inputs.includes(one.input);
  if (!known.some(isForgotten)) return;
  await writeKnown(
    outputs,
    dataset,
    known.filter((one) => !isForgotten(one)),
  );
};
