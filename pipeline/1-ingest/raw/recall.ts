/**
 * Which documents that are gone from their folder come back from the kept files, and which do not.
 *
 * A document is gone when its folder is read and neither a file nor an address nor a row gives it any more, or its row
 * is there and its file is not. What is published does not vanish because a publisher tidies up: it stays.
 *
 * A document whose file turned bad (truncated, no text, a row that contradicts itself) is not gone, and its older
 * content does not stand in for it: the source does say something of it, namely what nobody can read. Figures from the
 * older file under today's date would hide that, night after night; a reject names the file until somebody looks. Once
 * the bad file is taken away the document is gone, and what could last be read of it comes back.
 *
 * Where a list is missing or cannot be read, the source says nothing of the files that it named: what was read of them
 * stays, as if they were gone with it. So a list that is cut short costs no more than a folder that is not there.
 *
 * A file that the machine fails to read (the disk, the network, too many open files) says nothing either, and so does
 * an address that gives nothing: both are like a file that is not there: its last content stays, with the reason in a note.
 *
 * A document whose row was corrected is there under a new id, and the old one goes. Its content tells, or its path where
 * that names the same meeting or quarter; a path alone does not: `latest-statement.html` is another document every month.
 */
import type { DatasetId } from '../../../data/catalog.js';
import type { Unnamed } from '../source.js';
import { findDocumentId } from '../sources/identity.js';
import { type KnownDocument, knownKey } from './known.js';

export interface Present {
  readonly input: string;
  readonly documentId: string;
  readonly dimensions: KnownDocument['dimensions'];
  readonly path: string;
  readonly sha256: string | null;
}

export interface Refused {
  readonly input: string;
  readonly subject: string;
  /** The document whose file is not there, or could not be read through the machine's fault. */
  readonly missing?: string;
  readonly unread?: true;
  /** It is no file but an address, which gave nothing. */
  readonly unanswered?: true;
  /** The file is there and no row names it any more. */
  readonly unnamed?: Unnamed;
}

export interface RecallOptions {
  readonly dataset: DatasetId;
  readonly known: readonly KnownDocument[];
  /** The folders of this run, as absolute paths in their order: others take no part. */
  readonly inputs: readonly string[];
  readonly present: readonly Present[];
  readonly refused: readonly Refused[];
  /** Documents that a person wants gone. */
  readonly forget: ReadonlySet<string>;
}

/**
 * `list`: its file is there, and the list that named it is not, or cannot be read; `unread`: its file is, and could not be;
 * `unanswered`: its address is another one by now, or what that gave was lost, and gave nothing.
 */
export interface Recalled extends KnownDocument {
  readonly why: 'gone' | 'list' | 'unread' | 'unanswered';
}

export interface Recall {
  readonly recalled: readonly Recalled[];
  /** Documents that are there under another id now, and that id: the old one is known no longer once the new one is. */
  readonly renamed: readonly { readonly from: KnownDocument; readonly to: string }[];
}

export const chooseRecalled = ({ dataset, known, inputs, present, refused, forget }: RecallOptions): Recall => {
  const knownKeys = new Set(known.map(knownKey));
  const ids = new Set(present.map(({ documentId }) => documentId));
  const bad = new Set(
    refused
      .filter(({ missing, unnamed }) => missing === undefined && unnamed === undefined)
      .map(({ input, subject }) => at(input, subject)),
  );
  const unlisted = new Set(
    refused.filter(({ unnamed }) => unnamed === 'for want of a list').map(({ input, subject }) => at(input, subject)),
  );
  const unread = new Set(
    refused.flatMap(({ input, missing, unread }) => (unread && missing !== undefined ? [at(input, missing)] : [])),
  );
  const unanswered = new Set(
    refused.flatMap(({ input, missing, unanswered: is }) => (is && missing !== undefined ? [at(input, missing)] : [])),
  );
  const whyOf = ({ input, path, document_id: id }: KnownDocument): Recalled['why'] => {
    if (unlisted.has(at(input, path))) return 'list';
    if (unread.has(at(input, id))) return 'unread';
    return unanswered.has(at(input, id)) ? 'unanswered' : 'gone';
  };
  // Only what is new can be a new name: two documents that had one text before, or one file, are two documents.
  const fresh = present.filter(({ input, documentId }) => !knownKeys.has(knownKey({ input, document_id: documentId })));
  const placeOf = ({ input, path, dimensions }: Pick<Present, 'input' | 'path' | 'dimensions'>): string => {
    const identity = findDocumentId(dataset, dimensions);
    return identity === undefined ? '' : at(input, `${path}\n${identity}`);
  };
  const byPlace = new Map(fresh.map((one) => [placeOf(one), one.documentId]));
  byPlace.delete('');
  const byContent = new Map(fresh.map((one) => [at(one.input, one.sha256 ?? ''), one.documentId]));

  const recalled = new Map<string, Recalled>();
  const renamed: { from: KnownDocument; to: string }[] = [];
  for (const input of inputs) {
    for (const one of known) {
      if (one.input !== input || ids.has(one.document_id) || forget.has(one.document_id)) continue;
      // One that could not be read is still named by its source: another with its content is another document.
      const isNamed = unread.has(at(input, one.document_id));
      const to = isNamed ? undefined : (byPlace.get(placeOf(one)) ?? byContent.get(at(input, one.sha256)));
      if (to !== undefined) renamed.push({ from: one, to });
      else if (!bad.has(at(input, one.path)) && !recalled.has(one.document_id))
        recalled.set(one.document_id, { ...one, why: whyOf(one) });
    }
  }
  return { recalled: [...recalled.values()], renamed };
};

const at = (input: string, place: string): string => `${input}\n${place}`;
