/** A run as OpenLineage tells it (https://openlineage.io): an event when it begins and one when it ends. */
import { writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';
import type { Manifest } from '../../../src/snapshot/manifest.js';
import { lineageFile, type RunRecord } from './record.js';

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
  readonly outputFacets?: Facets;
}

export interface LineageEvent {
  readonly eventType: 'START' | 'COMPLETE' | 'FAIL' | 'ABORT';
  readonly eventTime: string;
  readonly run: { readonly runId: string; readonly facets: Facets };
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: Facets };
  readonly inputs: readonly LineageDataset[];
  readonly outputs: readonly LineageDataset[];
  readonly producer: string;
  readonly schemaURL: string;
}

/**
 * @param manifest of the snapshot that the run left: its tables are the outputs, its models inputs beside the folders
 */
export const lineageEvent = (
  eventType: LineageEvent['eventType'],
  record: RunRecord,
  manifest: Manifest | undefined,
  at: Date,
): LineageEvent => ({
  eventType,
  eventTime: at.toISOString(),
  run: {
    runId: record.id,
    facets: {
      ...(manifest === undefined
        ? {}
        : facet('processing_engine', { name: 'fintext', version: manifest.code_version })),
      ...(record.error === null
        ? {}
        : facet('errorMessage', { message: record.error, programmingLanguage: 'TypeScript' })),
    },
  },
  job: {
    namespace: 'fintext',
    name: `${record.job}.${record.dataset}`,
    facets: facet('jobType', { processingType: 'BATCH', integration: 'FINTEXT', jobType: 'JOB' }),
  },
  inputs: [
    ...record.inputs.map((folder) => ({ namespace: 'file', name: folder })),
    ...(manifest?.models ?? []).map(({ id, fingerprint }) => ({
      namespace: 'fintext',
      name: `models.${id}`,
      facets: facet('version', { datasetVersion: fingerprint }),
    })),
  ],
  outputs: manifest === undefined ? [] : outputsOf(record, manifest),
  producer: PRODUCER,
  schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
});

/** Replaces the file of the run by these events, as a list. */
export const writeLineage = (outputs: Outputs, record: RunRecord, events: readonly LineageEvent[]): Promise<void> =>
  writeFileWhole(lineageFile(outputs, record.dataset, record.id), `${JSON.stringify(events, null, 1)}\n`);

const outputsOf = (record: RunRecord, manifest: Manifest): readonly LineageDataset[] =>
  Object.entries(manifest.tables).map(([name, { columns }]) => {
    const file = manifest.files[`${name}.parquet`];
    return {
      namespace: 'fintext',
      name: `${manifest.dataset}.${name}`,
      facets: {
        ...facet('version', { datasetVersion: manifest.snapshot }),
        ...facet('schema', {
          fields: columns.map(({ name: column, type, about }) => ({ name: column, type, description: about })),
        }),
        // The checks are of the snapshot as a whole; they stand where a row is a document.
        ...(name === 'documents'
          ? facet('dataQualityAssertions', {
              assertions: record.checks.map(({ name: assertion, passed }) => ({ assertion, success: passed })),
            })
          : {}),
      },
      outputFacets: facet('outputStatistics', { rowCount: file?.rows ?? 0, size: file?.bytes ?? 0 }),
    };
  });

const facet = (name: keyof typeof FACETS, content: Readonly<Record<string, unknown>>): Facets => ({
  [name]: { _producer: PRODUCER, _schemaURL: `${SPEC}/${FACETS[name]}`, ...content },
});
