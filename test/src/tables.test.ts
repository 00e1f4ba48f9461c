import { describe, expect, it } from 'vitest';
import { DATASET_IDS, DATASETS, type DatasetId } from '../../data/catalog.js';
import { countsFor, metricsOf } from '../../pipeline/4-aggregate/metrics.js';
import { countTableColumn, metricTableColumn } from '../../src/formula.js';
import {
  countsTable,
  documentsTable,
  metricsTable,
  rejectsTable,
  sentencesTable,
  spansTable,
  type Table,
  textsTable,
} from '../../src/tables.js';

const settings = { uncertainty: 'ratio' } as const;

const tablesOf = (id: DatasetId): readonly Table[] => {
  const dataset = DATASETS[id];
  const metrics = metricsOf(id, settings).map(metricTableColumn);
  const counts = countsFor(id, settings).map(countTableColumn);
  return [
    textsTable(dataset),
    spansTable(dataset),
    documentsTable(dataset, metrics),
    countsTable(counts),
    metricsTable(metrics),
    sentencesTable(dataset),
    rejectsTable,
  ];
};

const namesOf = ({ columns }: Table): readonly string[] => columns.map(({ name }) => name);

describe.each(DATASET_IDS)('the tables of %s', (id) => {
  it('name each column once, in words that need no quotes, and say what it is', () => {
    for (const table of tablesOf(id)) {
      expect(new Set(namesOf(table)).size, table.name).toBe(table.columns.length);
      for (const { name, about } of table.columns) {
        expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(about, `${table.name}.${name}`).not.toBe('');
      }
    }
  });

  it('have keys that are never null', () => {
    for (const { name, key, columns } of tablesOf(id)) {
      for (const part of key) {
        expect(
          columns.find((column) => column.name === part),
          `${name}.${part}`,
        ).toMatchObject({ nullable: false });
      }
    }
  });

  it('have one label column a model, in the order of the dataset', () => {
    const { models } = DATASETS[id];
    expect(namesOf(sentencesTable(DATASETS[id])).slice(-models.length)).toEqual(models);
  });

  it('have a metric column that may be null for every metric, after the dimensions', () => {
    const metrics = metricsOf(id, settings).map(metricTableColumn);
    const documents = documentsTable(DATASETS[id], metrics);
    expect(documents.columns.slice(-metrics.length)).toEqual(metrics);
    expect(metrics.every(({ type, nullable }) => type === 'DOUBLE' && nullable)).toBe(true);
    expect(namesOf(documents).slice(1, 1 + DATASETS[id].dimensions.length)).toEqual(
      DATASETS[id].dimensions.map(({ name }) => name),
    );
  });
});

describe('the published tables', () => {
  it('have the dimensions of the design', () => {
    const dimensions = (id: DatasetId): readonly string[] => DATASETS[id].dimensions.map(({ name }) => name);
    expect(dimensions('wcb')).toEqual([
      'bank_name',
      'year',
      'start_date',
      'end_date',
      'release_date',
      'date',
      'document_type',
    ]);
    expect(dimensions('earnings')).toEqual(['ticker', 'company', 'year', 'quarter', 'date']);
  });

  it('tell who speaks in transcripts only', () => {
    const voices = ['speaker', 'role', 'section'];
    expect(namesOf(sentencesTable(DATASETS.earnings))).toEqual(expect.arrayContaining(voices));
    expect(namesOf(sentencesTable(DATASETS.wcb)).filter((name) => voices.includes(name))).toEqual([]);
  });
});
