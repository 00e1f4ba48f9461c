import { hashText } from '../../src/files.js';
import type { Manifest } from '../../src/snapshot/manifest.js';

/** Of a snapshot of wcb that has files and little else. */
export const smallManifest = (id: string, publishedAt: string, files: Manifest['files']): Manifest => ({
  format: 1,
  dataset: 'wcb',
  snapshot: id,
  published_at: publishedAt,
  code_version: '0.1.0',
  stage_versions: {},
  counts: { documents: 1, sentences: 2, marked: 0, rejects: 0 },
  files,
  tables: {},
  models: [],
  metrics: [],
  inputs: { files: 1, sha256: hashText(''), folders: '' },
  checks: [],
  run: {},
});
