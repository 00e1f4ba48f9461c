/**
 * The public release of numerical claim detection: one text a call, and all that is known of it is in its name,
 * `data/raw_earning_calls/TICKER_YEAR_Qn.txt`. One name of the release has `-` for the first `_`.
 */
import { basename } from 'node:path';
import type { CorpusLayout, Listed } from '../source.js';
import { parseDimensions } from './dimensions.js';
import { type Locate, listFiles, openLocate, readNames } from './folders.js';
import { findDocumentId, toPartition } from './identity.js';

const CALL = /^([A-Za-z][A-Za-z0-9.]*)[_-](\d{4})[_-][Qq](\d)\.[A-Za-z0-9]+$/;

export const numericalClaims: CorpusLayout = {
  name: 'numerical-claims',
  about: 'earnings calls of numerical claim detection: raw_earning_calls/TICKER_YEAR_Qn.txt',
  recognises: async (folder) =>
    (await readNames(folder)).some((entry) => CALL.test(entry.name) && !entry.isDirectory()),
  list: async function* (folder) {
    const locate = openLocate(folder);
    for (const path of await listFiles(folder)) yield await toListed(locate, path);
  },
};

const toListed = async (locate: Locate, path: string): Promise<Listed> => {
  const reject = (reason: string): Listed => ({
    kind: 'reject',
    reject: { dataset: 'earnings', subject: path, stage: 'ingest', reason },
  });
  const name = CALL.exec(basename(path));
  if (name === null) return reject('the file is not named TICKER_YEAR_Qn, so nothing says which call it is');

  const stated = { ticker: name[1]?.toUpperCase(), year: name[2], quarter: name[3] };
  const { dimensions, wrong } = parseDimensions('earnings', stated);
  const documentId = wrong.length === 0 ? findDocumentId('earnings', dimensions) : undefined;
  if (documentId === undefined) return reject(`the file's name cannot be so: ${wrong.join('; ')}`);

  const located = await locate(path);
  if ('wrong' in located) return reject(located.wrong);
  const partition = toPartition('earnings', dimensions);
  const facts = { dataset: 'earnings', documentId, partition, dimensions, title: null, sourceUrl: null } as const;
  return { kind: 'document', document: { ...facts, file: located.file, path } };
};
