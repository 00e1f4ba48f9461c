import { countTableColumn, metricTableColumn } from '../../src/formula.js';
import { countsTable, documentsTable, rejectsTable, sentencesTable, type Table } from '../../src/tables.js';
import type { World } from '../stage.js';

/** The published tables of a dataset, in the order in which they are written. */
export const publishedTables = ({ dataset, metrics, counts }: World): readonly Table[] => [
  documentsTable(dataset, metrics.map(metricTableColumn)),
  countsTable(counts.map(countTableColumn)),
  sentencesTable(dataset),
  rejectsTable,
];
