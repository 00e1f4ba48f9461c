/**
 * A list of documents that a person wrote: `manifest.csv` or `manifest.jsonl`, one row a document. `path` is from the
 * manifest's folder; instead of it `url` may stand, which is fetched; `dataset` is told, else seen by `bank_name` or `ticker`; then optionally `document_id`, `title`,
 * `source_url` and the dataset's dimensions. Other columns are ignored, and said so once, in a note on the first
 * document. Files that no row names are no part of the list.
 */
import { basename, dirname, join } from 'node:path';
import type { DatasetId } from '../../../data/catalog.js';
import { shownAddress, withoutCredentials } from '../../../src/credentials.js';
import { messageOf } from '../../../src/errors.js';
import { decodeText } from '../decode.js';
import { parseUrl } from '../fetch/url.js';
import { readBounded } from '../read.js';
import type { CorpusLayout, Listed } from '../source.js';
import { shown } from './dimensions.js';
import { type Locate, openLocate, readNames } from './folders.js';
import { type Fields, KNOWN_COLUMNS, toDataset, toFacts } from './manifest-row.js';
import { type ManifestRow, readCsvRows, readJsonRows } from './manifest-rows.js';

const NAMES = ['manifest.csv', 'manifest.jsonl'];
const MAX_BYTES = 256 * 1024 * 1024;

export const manifest: CorpusLayout = {
  name: 'manifest',
  about: 'manifest.csv or manifest.jsonl: one row a document, path or url and dimensions',
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
  const locate = openLocate(dirname(file));
  let dataset: DatasetId = 'wcb';
  let noted = false;
  for await (const row of rows) {
    dataset = ('fields' in row ? toDataset(row.fields) : undefined) ?? dataset;
    const listed = await toListed(locate, name, row, dataset);
    const unknown = 'fields' in row ? Object.keys(row.fields).filter((column) => !KNOWN_COLUMNS.has(column)) : [];
    if (listed.kind !== 'reject' && unknown.length > 0 && !noted) {
      const columns = withoutCredentials(unknown.join(', '));
      yield withNote(listed, `${name}: columns that mean nothing here are ignored: ${columns}`);
      noted = true;
    } else yield listed;
  }
};

/** `dataset` is the one that the row, or the last row before it that told, belongs to. */
const toListed = async (locate: Locate, name: string, row: ManifestRow, dataset: DatasetId): Promise<Listed> => {
  const place = `${name} ${row.place}`;
  if ('wrong' in row) return toReject(dataset, place, row.wrong);
  const { path, url } = row.fields;
  const fields = withoutSecrets(row.fields);
  if (typeof path !== 'string' || path.trim() === '') {
    if (typeof url === 'string' && url.trim() !== '') return toRemote(place, url.trim(), fields, dataset);
    return toReject(dataset, place, 'path is missing, and no url stands in its place');
  }

  const from = path.trim().replaceAll('\\', '/');
  const subject = withoutCredentials(from);
  const facts = toFacts(fields);
  if ('wrong' in facts) return toReject(dataset, subject, `${place}: ${facts.wrong}`);
  const located = await locate(from);
  if ('wrong' in located) {
    const reject = toReject(facts.dataset, subject, `${place}: path ${shown(path)}: ${located.wrong}`);
    return located.missing === true ? { ...reject, missing: facts.documentId } : reject;
  }
  return { kind: 'document', document: { ...facts, file: located.file, path: subject.replace(/^(\.\/)+/, '') } };
};

const toRemote = (place: string, url: string, fields: Fields, dataset: DatasetId): Listed => {
  const parsed = parseUrl(url);
  if ('wrong' in parsed) return toReject(dataset, place, `url ${shown(shownAddress(url))}: ${parsed.wrong}`);
  const facts = toFacts(fields);
  if ('wrong' in facts) return toReject(dataset, parsed.url.href, `${place}: ${facts.wrong}`);
  return { kind: 'remote', document: { ...facts, url: parsed.url, path: parsed.url.href } };
};

/** An address may stand in any column, by a slip too. */
const withoutSecrets = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([column, value]) => [
      column,
      typeof value === 'string' ? withoutCredentials(value) : value,
    ]),
  );

const withNote = (listed: Exclude<Listed, { kind: 'reject' }>, note: string): Listed =>
  listed.kind === 'document'
    ? { kind: 'document', document: { ...listed.document, notes: [note] } }
    : { kind: 'remote', document: { ...listed.document, notes: [note] } };

/** A reason names the row unless that is the subject. */
const toReject = (dataset: DatasetId, subject: string, reason: string) =>
  ({
    kind: 'reject',
    reject: { dataset, subject, stage: 'ingest', reason: withoutCredentials(reason) },
  }) as const satisfies Listed;
