/** A run as OpenLineage tells it (https://openlineage.io), as far as it has come: for its record, and for the report. */
import type { DatasetId } from '../data/catalog.js';

const SPEC = 'https://openlineage.io/spec';
const PRODUCER = 'https://www.npmjs.com/package/fintext-metrics';

/** Every facet that is used, with the schema that it follows. */
const FACETS = {
  errorMessage: 'facets/1-0-0/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet',
  processing_engine: 'facets/1-1-0/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet',
  jobType: 'facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet',
  version: 'facets/1-0-0/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet',
  schema: 'facets/1-0-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet',
  dataQualityAssertions: '1-0-1/DataQualityAssertionsDatasetFacet.json#/$defs/DataQualityAssertionsDatasetFacet',
  outputStatistics: '1-0-1/OutputStatisticsOutputDatasetFacet.json#/$defs/OutputStatisticsOutputDatasetFacet',
} as const;

type Facets = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface LineageDataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets?: Facets;
  readonly inputFacets?: Facets;
  readonly outputFacets?: Facets;
}

export interface LineageEvent {
  readonly eventType: 'START' | 'RUNNING' | 'COMPLETE' | 'FAIL' | 'ABORT';
  readonly eventTime: string;
  readonly run: { readonly runId: string; readonly facets: Facets };
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: Facets };
  readonly inputs: readonly LineageDataset[];
  readonly outputs: readonly LineageDataset[];
  readonly producer: string;
  readonly schemaURL: string;
}

/** What is known of a run. */
export interface LineageFacts {
  readonly runId: string;
  readonly job: string;
  readonly dataset: DatasetId;
  readonly error: string | null;
  /** Null where nothing that it left says so. */
  readonly codeVersion: string | null;
  /** Input folders, by the names that are to be told. */
  readonly folders: readonly string[];
  readonly models: readonly { readonly id: string; readonly fingerprint: string }[];
  /** What it writes; none where it left nothing. */
  readonly tables: readonly LineageTable[];
  /** Null where it has none yet. */
  readonly snapshot: string | null;
  readonly checks: readonly { readonly name: string; readonly passed: boolean }[];
}

export interface LineageTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[];
  readonly rows: number;
  readonly bytes?: number | undefined;
}

export const toLineageEvent = (
  eventType: LineageEvent['eventType'],
  facts: LineageFacts,
  at: string,
): LineageEvent => ({
  eventType,
  eventTime: at,
  run: {
    runId: facts.runId,
    facets: {
      ...(facts.codeVersion === null
        ? {}
        : facet('processing_engine', { name: 'fintext', version: facts.codeVersion })),
      ...(facts.error === null
        ? {}
        : facet('errorMessage', { message: facts.error, programmingLanguage: 'TypeScript' })),
    },
  },
  job: {
    namespace: 'fintext',
    name: `${facts.job}.${facts.dataset}`,
    facets: facet('jobType', { processingType: 'BATCH', integration: 'FINTEXT', jobType: 'JOB' }),
  },
  inputs: [
    ...facts.folders.map((folder) => ({ namespace: 'file', name: folder })),
    ...facts.models.map(({ id, fingerprint }) => ({
      namespace: 'fintext',
      name: `models.${id}`,
      facets: facet('version', { datasetVersion: fingerprint }),
    })),
    ...checkedOf(facts),
  ],
  outputs: facts.tables.map((table) => outputOf(table, facts)),
  producer: PRODUCER,
  schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
});

/**
 * What was checked was read for it, before it was published: the specification has assertions of an input alone. The
 * checks are of the snapshot as a whole; they stand where a row is a document.
 */
const checkedOf = ({ checks, ...facts }: LineageFacts): readonly LineageDataset[] =>
  checks.length === 0
    ? []
    : [
        {
          ...named('documents', facts),
          inputFacets: facet('dataQualityAssertions', {
            assertions: checks.map(({ name: assertion, passed }) => ({ assertion, success: passed })),
          }),
        },
      ];

const outputOf = ({ name, columns, rows, bytes }: LineageTable, facts: LineageFacts): LineageDataset => {
  const { facets, ...table } = named(name, facts);
  return {
    ...table,
    facets: {
      ...facets,
      ...facet('schema', {
        fields: columns.map(({ name: column, type, about }) => ({ name: column, type, description: about })),
      }),
    },
    outputFacets: facet('outputStatistics', { rowCount: rows, ...(bytes === undefined ? {} : { size: bytes }) }),
  };
};

const named = (table: string, { dataset, snapshot }: Pick<LineageFacts, 'dataset' | 'snapshot'>): LineageDataset => ({
  namespace: 'fintext',
  name: `${dataset}.${table}`,
  ...(snapshot === null ? {} : { facets: facet('version', { datasetVersion: snapshot }) }),
});

const facet = (name: keyof typeof FACETS, content: Readonly<Record<string, unknown>>): Facets => ({
  [name]: { _producer: PRODUCER, _schemaURL: `${SPEC}/${FACETS[name]}`, ...content },
});
