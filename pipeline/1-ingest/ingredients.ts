/** What the texts of a partition are made of: each document, and the rules that all of them are read by. */
import { canonicalJson, hashText } from '../../src/files.js';
import { libraryOf } from '../../src/libraries.js';
import type { Ingredients, PlannedDocument } from '../stage.js';
import { LIMITS } from './extract.js';
import { EXTRACTION_LIBRARIES } from './formats/index.js';

export const ingredientsOf = (documents: readonly PlannedDocument[]): Ingredients => ({
  libraries: hashText([...EXTRACTION_LIBRARIES, libraryOf('eld')].join('\n')),
  limits: hashText(canonicalJson(LIMITS)),
  ...Object.fromEntries(
    documents.map((document) => [documentIngredient(document.documentId), fingerprintDocument(document)]),
  ),
});

const PREFIX = 'document ';

/** The name of the ingredient that a document is. */
export const documentIngredient = (documentId: string): string => `${PREFIX}${documentId}`;

/** The other way: undefined of an ingredient that is no document. */
export const documentOfIngredient = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

/** All of a document that its text and its row are made of. */
export const fingerprintDocument = (document: PlannedDocument): string => {
  const { dimensions, title, sourceUrl, path, fileName, fileSha256 } = document;
  // Without a file name it is not among them, so that a document is fresh whether it was read there or is recalled.
  return hashText(canonicalJson({ dimensions, title, sourceUrl, path, fileName, fileSha256 }));
};
