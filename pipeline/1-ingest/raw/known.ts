/** The documents whose raw files are kept, by the folder that they came from: a list a dataset, one line a document. */
import * as z from 'zod';
import type { DatasetId } from '../../../data/catalog.js';
import { withoutCredentials } from '../../../src/credentials.js';
import { RunError } from '../../../src/errors.js';
import { readTextIfThere, writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';

const KnownDocument = z.object({
  /** Absolute path of the input folder, as it was named. */
  input: z.string(),
  document_id: z.string(),
  partition: z.string(),
  dimensions: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  title: z.string().nullable(),
  source_url: z.string().transform(withoutCredentials).nullable(),
  /** From the input folder; or the address. */
  path: z.string(),
  /** The name whose ending tells the format, where `path` does not. */
  file_name: z.string().optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number(),
  /** When this content was first read. */
  since: z.string(),
});
export type KnownDocument = z.infer<typeof KnownDocument>;

/** One document may be known from several folders. */
export const knownKey = ({ input, document_id }: Pick<KnownDocument, 'input' | 'document_id'>): string =>
  `${document_id}\n${input}`;

/** @throws RunError where the list is damaged: what is gone from its folder hangs on it, so it is not begun anew */
export const readKnown = async (outputs: Outputs, dataset: DatasetId): Promise<readonly KnownDocument[]> => {
  const path = outputs.known(dataset);
  const text = await readTextIfThere(path);
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line, at) => {
    try {
      return KnownDocument.parse(JSON.parse(line));
    } catch (cause) {
      const next = 'Restore it from a backup, or delete it and lose what is no longer in its folder.';
      throw new RunError(`The list of kept documents ${path} is damaged in line ${at + 1}. ${next}`, { cause });
    }
  });
};

/** Writes the list, unless it says the same as the one before. */
export const writeKnown = async (
  outputs: Outputs,
  dataset: DatasetId,
  known: readonly KnownDocument[],
  before?: readonly KnownDocument[],
): Promise<void> => {
  const text = toText(known);
  if (before === undefined || toText(before) !== text) await writeFileWhole(outputs.known(dataset), text);
};

const toText = (known: readonly KnownDocument[]): string =>
  [...known]
    .sort((a, b) => (knownKey(a) < knownKey(b) ? -1 : 1))
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
