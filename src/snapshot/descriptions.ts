/** What sources say of the documents of two snapshots: dimensions, titles and the like, in the views `a_documents` and `b_documents`. */
import { type Database, identifier } from '../database.js';
import type { Manifest } from './manifest.js';

export interface Description {
  readonly column: string;
  /** Documents that both have, and of which it is another one. */
  readonly documents: number;
}

/** Columns of the documents that both have and that a source states, not what was made of its text. */
export const describingColumns = async (database: Database, a: Manifest, b: Manifest): Promise<readonly string[]> => {
  const measured = new Set([...a.metrics, ...b.metrics].map(({ name }) => name));
  const columns = async (view: string): Promise<readonly string[]> =>
    (await database.rows(`DESCRIBE ${view}`)).map(({ column_name: name }) => String(name));
  const [ofA, ofB] = [await columns('a_documents'), await columns('b_documents')];
  return ofA.filter(
    (name) =>
      ofB.includes(name) &&
      !measured.has(name) &&
      !['file_sha256', 'text_sha256', 'sentence_count', 'marked_count'].includes(name),
  );
};

/** Whether a column of `a_documents a` and `b_documents b` differs, as SQL. */
export const differsIn = (column: string): string => `a.${identifier(column)} IS DISTINCT FROM b.${identifier(column)}`;

/** Of how many documents that both have each of these columns differs; those of none are left out. */
export const readDescriptions = async (
  database: Database,
  said: readonly string[],
): Promise<readonly Description[]> => {
  if (said.length === 0) return [];
  const counts = said.map((column) => `count(*) FILTER (WHERE ${differsIn(column)}) AS ${identifier(column)}`);
  const [row] = await database.rows(
    `SELECT ${counts.join(', ')} FROM a_documents a JOIN b_documents b USING (document_id)`,
  );
  return said
    .map((column) => ({ column, documents: Number(row?.[column] ?? 0) }))
    .filter(({ documents }) => documents > 0);
};
