/** EVERY CORPUS LAYOUT, and the way from the folders that a person names to the documents in them. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { codeOf, messageOf, UsageError } from '../../../src/errors.js';
import type { CorpusLayout, Listed, RemoteDocument, SourceDocument } from '../source.js';
import { readNames } from './folders.js';
import { listManifest, manifest } from './manifest.js';
import { numericalClaims } from './numerical-claims.js';
import { worldCentralBanks } from './world-central-banks.js';

/** In the order of asking: a folder belongs to the first that recognises it, with all that lies below. */
export const CORPUS_LAYOUTS: readonly CorpusLayout[] = [manifest, worldCentralBanks, numericalClaims];

/** How far below the folder that was named a layout is looked for: `corpora/fin-num-claim/data/raw_earning_calls` is 3. */
const MAX_DEPTH = 4;

/** Documents and rejects of one input folder: `listInputs` of one. */
export const listInput = (folder: string): AsyncGenerator<ListedFrom> => listInputs([folder]);

/** With the folder that it was found in, as a person named it. */
export type ListedFrom = Listed & { readonly input: string };

/**
 * Documents and rejects of several input folders (or manifest files), in the order of the folders, then of names. A
 * folder may be a layout itself or hold several below it; a folder reached twice is listed once. Of two documents
 * with one id the first stays and the later is a reject that names it.
 *
 * Holds the id and the path of each document, nothing else of the corpus.
 *
 * @throws UsageError for a folder that is not there, or that holds no known layout
 * @throws FolderError for one, or one below it, that cannot be listed
 */
export const listInputs = async function* (folders: readonly string[]): AsyncGenerator<ListedFrom> {
  const firstOf = new Map<string, PlaceIn>();
  const seen = new Set<string>();
  for (const [at, input] of folders.entries())
    for await (const listed of listFound(input, seen)) {
      if (listed.kind === 'reject') {
        yield { ...listed, input };
        continue;
      }
      const { document } = listed;
      const key = `${document.dataset} ${document.documentId}`;
      const first = firstOf.get(key);
      if (first === undefined) {
        const file = listed.kind === 'document' ? listed.document.file : undefined;
        firstOf.set(key, { file, path: document.path, input, at });
        yield { ...listed, input };
      } else if ((await originOf(first)) !== (await originOf(document))) {
        yield { ...toDuplicate({ ...document, input, at }, first), input };
      }
    }
};

/** `file` is undefined where the document lies at an address, which is its path. */
interface Place {
  readonly file?: string | undefined;
  readonly path: string;
}

/** With its input folder, as it was named, and which one that is. */
interface PlaceIn extends Place {
  readonly input: string;
  readonly at: number;
}

const originOf = async ({ file, path }: Place): Promise<string> => (file === undefined ? path : await realpath(file));

/**
 * Both may have the same path in two folders. The reject is published, on whatever machine it is made, so that it tells
 * folders by their number; where they lie is told beside it.
 */
const toDuplicate = (document: (SourceDocument | RemoteDocument) & PlaceIn, first: PlaceIn): Listed => {
  const isElsewhere = document.at !== first.at;
  const [of, here] = isElsewhere
    ? [` in input folder ${first.at + 1}`, `; this one is in input folder ${document.at + 1}`]
    : ['', ''];
  return {
    kind: 'reject',
    reject: {
      dataset: document.dataset,
      subject: document.path,
      stage: 'ingest',
      reason: `its document_id ${document.documentId} is that of ${first.path}${of}, which comes first and is kept${here}`,
    },
    ...(isElsewhere && { double: { left: placeOf(document), kept: placeOf(first) } }),
  };
};

/** A row that names an address lies in no file of its own. */
const placeOf = ({ file, path, input }: PlaceIn): string => (file === undefined ? `${path} of ${input}` : file);

const listFound = async function* (input: string, seen: Set<string>): AsyncGenerator<Listed> {
  if (await isManifestFile(input)) {
    yield* listManifest(input);
    return;
  }
  const missed: string[] = [];
  const found = await findLayouts(input, MAX_DEPTH, (folder, why) => missed.push(`${folder}: ${why}.`));
  if (found.length === 0) {
    const known = CORPUS_LAYOUTS.map((layout) => layout.about).join('; ');
    const near = missed.slice(0, MOST_NAMED).map((why) => ` ${why}`);
    throw new UsageError(`${input} holds no documents in a layout that is known.${near.join('')} Known are: ${known}.`);
  }
  for (const { folder, layout } of found) {
    const real = await realpath(folder);
    if (seen.has(real)) continue;
    seen.add(real);
    const way = relative(input, folder).split(sep).join('/');
    const prefix = way === '' ? '' : `${way}/`;
    for await (const listed of layout.list(real, basename(resolve(folder)))) yield withPrefix(listed, prefix);
  }
};

const MOST_NAMED = 3;

const isManifestFile = async (input: string): Promise<boolean> => {
  if (input.trim() === '')
    throw new UsageError('An input is empty: --input, or a part of FINTEXT_INPUT. Name a folder of documents.');
  try {
    const status = await stat(input);
    if (status.isDirectory()) return false;
    if (/\.(csv|jsonl)$/.test(basename(input))) return true;
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    throw new UsageError(`Input ${input}: ${why}. Name a folder of documents.`);
  }
  throw new UsageError(`Input ${input} is no folder. Name the folder that holds it: ${dirname(input)}.`);
};

interface FoundLayout {
  readonly folder: string;
  readonly layout: CorpusLayout;
}

/** @param onMiss called for a folder that is like one that holds documents, and why it is none */
const findLayouts = async (
  folder: string,
  depth: number,
  onMiss: (folder: string, why: string) => void,
): Promise<readonly FoundLayout[]> => {
  for (const layout of CORPUS_LAYOUTS) if (await layout.recognises(folder)) return [{ folder, layout }];
  for (const layout of CORPUS_LAYOUTS) {
    const why = await layout.misses?.(folder);
    if (why !== undefined) onMiss(folder, why);
  }
  if (depth === 0) return [];
  const found: FoundLayout[] = [];
  for (const entry of await readNames(folder)) {
    const inner = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules')
      found.push(...(await findLayouts(inner, depth - 1, onMiss)));
    else if (entry.isSymbolicLink() && (await leadsToFolder(inner)))
      onMiss(inner, 'it is a link, which is not followed; name it with an --input of its own');
  }
  return found;
};

const leadsToFolder = async (link: string): Promise<boolean> =>
  (await stat(link).catch(() => undefined))?.isDirectory() === true;

const withPrefix = (listed: Listed, prefix: string): Listed => {
  if (prefix === '') return listed;
  switch (listed.kind) {
    case 'document':
      return { kind: 'document', document: { ...listed.document, path: `${prefix}${listed.document.path}` } };
    case 'remote':
      return listed;
    case 'reject':
      // An address is the same from everywhere.
      if (/^https?:/.test(listed.reject.subject)) return listed;
      return { ...listed, reject: { ...listed.reject, subject: `${prefix}${listed.reject.subject}` } };
    default:
      return listed satisfies never;
  }
};
