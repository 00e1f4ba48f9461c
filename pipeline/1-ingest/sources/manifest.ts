/**
 * A list of documents that a person wrote: `manifest.csv` or `manifest.jsonl`, one row a document. `path` is from the
 * manifest's folder; `dataset` is told, else seen by `bank_name` or `ticker`; then optionally `document_id`, `title`,
 * `source_url` and the dataset's dimensions. Other columns are ignored, and said so once, in a note on the first
 * document. Files that no row names are no part of the list.
 */
import { basename, dirname, join } from 'node:path';
import type { DatasetId } from '../../../data/catalog.js';
import { messageOf } from '../../../src/errors.js';
import { decodeText } from '../decode.js';
import { readBounded } from '../read.js';
import type { CorpusLayout, Listed } from '../source.js';
import { shown } from './dimensions.js';
import { locate, readNames } from './folders.js';
import { KNOWN_COLUMNS, toDataset, toFacts } from './manifest-row.js';
import { type ManifestRow, readCsvRows, readJsonRows } from './manifest-rows.js';

const NAMES = ['manifest.csv', 'manifest.jsonl'];
const MAX_BYTES = 256 * 1024 * 1024;

export const manifest: CorpusLayout = {
  name: 'manifest',
  about: 'manifest.csv or manifest.jsonl: one row a document, path and dimensions',
  recognises: async (folder) => (await readNames(folder)).some((entry) => NAMES.includes(entry.name)),
  list: async function* (folder) {
    for (const entry of await readNames(folder))
      if (NAMES.includes(entry.name)) yield* listManifest(join(folder, entry.name));
  },
};

/** The documents of one list, whatever its name; paths are from the list's folder. */
export const listManifest = async function* (file: string): AsyncGenerator<Listed> {
  const name = basename(file);
  let text: string;
  try {
    text = decodeText(await readBounded(file, MAX_BYTES));
  } catch (error) {
    yield toReject('wcb', name, `the list cannot be read: ${messageOf(error)}`);
    return;
  }

  const rows = name.endsWith('.csv') ? readCsvRows(text) : readJsonRows(text);
  let dataset: DatasetId = 'wcb';
  let noted = false;
  for await (const row of rows) {
    dataset = ('fields' in row ? toDataset(row.fields) : undefined) ?? dataset;
    const listed = await toListed(dirname(file), name, row, dataset);
    const unknown = 'fields' in row ? Object.keys(row.fields).filter((column) => !KNOWN_COLUMNS.has(column)) : [];
    if (listed.kind === 'document' && unknown.length > 0 && !noted) {
      const note = `${name}: columns that mean nothing here are ignored: ${unknown.join(', ')}`;
      yield { kind: 'document', document: { ...listed.document, notes: [note] } };
      noted = true;
    } else yield listed;
  }
};

/** `dataset` is the one that the row, or the last row before it that told, belongs to. */
const toListed = async (folder: string, name: string, row: ManifestRow, dataset: DatasetId): Promise<Listed> => {
  const place = `${name} ${row.place}`;
  if ('wrong' in row) return toReject(dataset, place, `${place}: ${row.wrong}`);
  const { path, url } = row.fields;
  if (typeof path !== 'string' || path.trim() === '') {
    const reason = isFilled(url)
      ? `names only a url, ${shown(url)}; documents are not fetched: download it and write its path`
      : 'path is missing';
    return toReject(dataset, place, `${place}: ${reason}`);
  }

  const subject = path.trim().replaceAll('\\', '/');
  const facts = toFacts(row.fields);
  if ('wrong' in facts) return toReject(dataset, subject, `${place}: ${facts.wrong}`);
  const located = await locate(folder, subject);
  if ('wrong' in located) return toReject(facts.dataset, subject, `${place}: path ${shown(path)}: ${located.wrong}`);
  return { kind: 'document', document: { ...facts, file: located.file, path: subject.replace(/^(\.\/)+/, '') } };
};

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const toReject = (dataset: DatasetId, subject: string, reason: string): Listed => ({
  kind: 'reject',
  reject: { dataset, subject, stage: 'ingest', reason },
});
