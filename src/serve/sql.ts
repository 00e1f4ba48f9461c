/**
 * EVERY QUERY of the service. Values are bound; names come from the snapshot's manifest, which was checked against the
 * database when it was opened. What is listed has a total order.
 */
import { identifier, PARQUET_CODEC, quote } from '../database.js';

export interface Query {
  readonly sql: string;
  readonly values?: readonly (string | number)[];
}

/** The order of every listing of documents: by date, unknown ones last, then by id. */
const DOCUMENT_ORDER = 'ORDER BY date NULLS LAST, document_id';

/** Shuts the database off from everything but the folder in which Parquet answers are made; then locks the settings. */
export const lockDown = (scratch: string): readonly Query[] => [
  { sql: `SET allowed_directories = [${quote(scratch)}]` },
  { sql: 'SET enable_external_access = false' },
  { sql: 'SET lock_configuration = true' },
];

/** The columns that a table has: name and type, in their order. */
export const columnsOf = (table: string): Query => ({
  sql: `SELECT column_name, data_type FROM duckdb_columns()
        WHERE database_name = current_database() AND table_name = ? ORDER BY column_index`,
  values: [table],
});

/** One row: how many documents there are, and whether they lie in the order of the listing. */
export const documentOrder = (): Query => ({
  sql: `SELECT CAST(count(*) AS INTEGER) AS documents, coalesce(bool_and(position = place), true) AS ordered
        FROM (SELECT rowid AS position, row_number() OVER (${DOCUMENT_ORDER}) - 1 AS place FROM documents)`,
});

export interface DocumentScan {
  /** Columns of the row as it is served, before the metrics. */
  readonly columns: readonly string[];
  readonly dimensions: readonly { readonly name: string; readonly type: string }[];
  readonly metrics: readonly string[];
  /** Do the rows lie in the order of the listing already? */
  readonly ordered: boolean;
}

/** Every document: rowid, the served columns as one JSON object, the dimensions to filter by (dates as days since 1970), the metrics. */
export const scanDocuments = ({ columns, dimensions, metrics, ordered }: DocumentScan): Query => ({
  sql: `SELECT CAST(rowid AS INTEGER),
          CAST(to_json(struct_pack(${columns.map((name) => `${identifier(name)} := ${identifier(name)}`).join(', ')})) AS VARCHAR),
          ${[
            ...dimensions.map(({ name, type }) =>
              type === 'DATE' ? `CAST(${identifier(name)} - DATE '1970-01-01' AS INTEGER)` : identifier(name),
            ),
            ...metrics.map(identifier),
          ].join(', ')}
        FROM documents ${ordered ? '' : DOCUMENT_ORDER}`,
});

/** One document: its row with every column, and its counts. */
export const findDocument = (id: string): Query => ({
  sql: 'SELECT * FROM documents WHERE document_id = ?',
  values: [id],
});

export const findCounts = (id: string): Query => ({ sql: 'SELECT * FROM counts WHERE document_id = ?', values: [id] });

export interface SentenceSelection {
  readonly documentId: string;
  readonly columns: readonly string[];
  /** Only those that this model gave one of these labels. */
  readonly labelled?: { readonly model: string; readonly labels: readonly string[] } | undefined;
}

export const countSentences = (selection: SentenceSelection): Query => ({
  sql: `SELECT CAST(count(*) AS INTEGER) AS total FROM sentences ${ofSentences(selection).sql}`,
  values: ofSentences(selection).values,
});

export const listSentences = (
  selection: SentenceSelection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Query => ({
  sql: `SELECT ${selection.columns.map(identifier).join(', ')} FROM sentences ${ofSentences(selection).sql}
        ORDER BY document_id, sentence_index LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}`,
  values: ofSentences(selection).values,
});

const ofSentences = ({ documentId, labelled }: SentenceSelection): Required<Query> => ({
  sql:
    labelled === undefined
      ? 'WHERE document_id = ?'
      : `WHERE document_id = ? AND ${identifier(labelled.model)} IN (${labelled.labels.map(() => '?').join(', ')})`,
  values: [documentId, ...(labelled?.labels ?? [])],
});

/** Writes documents, named by the places that the scan told, to a Parquet file in the scratch folder. */
export const copyDocuments = (columns: readonly string[], rowids: Iterable<number>, file: string): Query => {
  const places = [...rowids].map((place) => Math.trunc(place));
  return {
    sql: `COPY (SELECT ${columns.map(identifier).join(', ')} FROM documents
                WHERE rowid IN (${places.length === 0 ? '-1' : places.join(', ')}) ${DOCUMENT_ORDER})
          TO ${quote(file)} (FORMAT parquet, COMPRESSION ${PARQUET_CODEC})`,
  };
};
