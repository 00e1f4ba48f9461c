/**
 * What was last read of a document, for one that the machine keeps from being read now. The row is made of its ingredients
 * and of nothing else, so where these are the same it is the one that reading would give: what is published stays, and the
 * bytes are those of a night without the fault.
 */
import { join } from 'node:path';
import { parquet, quote, type Row } from '../../src/database.js';
import { canonicalJson } from '../../src/files.js';
import { type Ingredients, type PlannedDocument, type Stage, stageIngredient, type World } from '../stage.js';
import { documentIngredient, documentOfIngredient } from './ingredients.js';

/** The row that the last unit has of a document; undefined where it has none, or made it of anything else. */
export type FindLastRead = (document: PlannedDocument) => Promise<Row | undefined>;

/** Looks at the last unit of the partition the first time that it is asked, which most nights nobody does. */
export const openLastRead = (stage: Stage, partition: string, world: World): FindLastRead => {
  const compare = async () => {
    const last = await world.lastMade(stage.name, partition);
    if (last === undefined) return undefined;
    const now = { ...stageIngredient(stage), ...(await stage.ingredients(partition, world)) };
    if (canonicalJson(rulesIn(last.ingredients)) !== canonicalJson(rulesIn(now))) return undefined;
    return { last, now };
  };
  let compared: ReturnType<typeof compare> | undefined;
  return async ({ documentId, fileSha256 }) => {
    // Of a file that could not even be hashed nobody knows that it is the same.
    if (fileSha256 === null) return undefined;
    compared ??= compare();
    const both = await compared;
    const name = documentIngredient(documentId);
    if (both === undefined || both.last.ingredients[name] !== both.now[name]) return undefined;
    const texts = parquet(join(both.last.output.folder, 'texts.parquet'));
    // None where it was a reject then, too.
    const [row] = await world.database.rows(`SELECT * FROM ${texts} WHERE document_id = ${quote(documentId)}`);
    return row;
  };
};

const rulesIn = (ingredients: Ingredients): Ingredients =>
  Object.fromEntries(Object.entries(ingredients).filter(([name]) => documentOfIngredient(name) === undefined));
