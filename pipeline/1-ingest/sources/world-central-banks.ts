/**
 * The public release of World Central Banks: `<bank>/<bank>_metadata.json` beside `<bank>/<year>/<file>`.
 *
 * What the release says is kept as it stands, with these exceptions, each noted on the document:
 * - a day that does not exist is null;
 * - an `end_date` before the `start_date` is null (the start is in the document's id and file name, so it stays);
 * - `year` is that of the start, whatever the metadata's key and the folder say;
 * - a `release_date` before the `start_date` is the meeting's day, and the start that of publication: of some 180 documents,
 *   most of them the Bank of England's of 1997 to 2015 and the Bank of Japan's, the two are swapped. `release_date` is the
 *   start then, as nobody may find a text at a day on which it could not be read; the start names the document and stays.
 * A `release_date` within the meeting is left alone: most banks publish on its last day.
 */
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { CENTRAL_BANKS } from '../../../data/catalog.js';
import { withoutCredentials } from '../../../src/credentials.js';
import { readTextIfThere } from '../../../src/files.js';
import { systemReason } from '../read.js';
import type { CorpusLayout, Listed, Unnamed } from '../source.js';
import { type Dimensions, findDayFirst, parseDimensions, shown } from './dimensions.js';
import { byText, type Locate, type Located, listFiles, openLocate, readNames } from './folders.js';
import { findDocumentId, toPartition } from './identity.js';

export const worldCentralBanks: CorpusLayout = {
  name: 'world-central-banks',
  about: 'World Central Banks: raw_data/<bank>/<bank>_metadata.json beside <year>/<file>',
  recognises: async (folder) => (await isBank(folder, nameOf(folder))) || (await findBanks(folder)).length > 0,
  misses: async (folder) => {
    const bank = nameOf(folder);
    return isBankName(bank) ? `it has the name of a bank and no ${metadataName(bank)}; ${MEND}` : undefined;
  },
  list: async function* (folder, name = nameOf(folder)) {
    if (await isBank(folder, name)) {
      yield* listBank(folder, name, '');
      return;
    }
    for (const name of await findBanks(folder)) yield* listBank(join(folder, name), name, `${name}/`);
  },
};

const metadataName = (bank: string): string => `${bank}_metadata.json`;
const isBankName = (name: string): boolean => CENTRAL_BANKS.some((bank) => bank === name);

/** `.` has one, too. */
const nameOf = (folder: string): string => basename(resolve(folder));

const isBank = async (folder: string, name: string): Promise<boolean> =>
  (await readNames(folder)).some((entry) => entry.name === metadataName(name));

/**
 * Folders with metadata; beside such, also those that carry a bank's name and have none: their files are rejects. A link
 * of a bank's name counts as the folder that it leads to, for who needs room moves one folder to another disk.
 */
const findBanks = async (folder: string): Promise<readonly string[]> => {
  const entries = await readNames(folder);
  const folders = entries.filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isBankName(entry.name)));
  const banks: string[] = [];
  const bare: string[] = [];
  for (const { name } of folders) {
    if (await isBank(join(folder, name), name)) banks.push(name);
    else if (isBankName(name)) bare.push(name);
  }
  return banks.length === 0 ? [] : [...banks, ...bare].sort(byText);
};

const Entry = z.looseObject({
  start_date: z.string().optional(),
  end_date: z.string().optional(),
  ending_date: z.string().optional(),
  release_date: z.string().nullish(),
  minutes_link: z.string().nullish(),
  meeting_url: z.string().nullish(),
  original_document_name: z.string().optional(),
  cleaned_document_name: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

/** An entry of the metadata, and the place in it for messages: `2008[4]`. */
interface Placed {
  readonly place: string;
  readonly key: string;
  readonly entry: Entry;
}

const listBank = async function* (folder: string, bank: string, prefix: string): AsyncGenerator<Listed> {
  const metadata = metadataName(bank);
  const read = await readMetadata(join(folder, metadata));
  const found: { readonly path: string; readonly listed: Listed }[] = [];
  const reject = (path: string, reason: string, more: { missing?: string; unnamed?: Unnamed } = {}): void => {
    const subject = withoutCredentials(`${prefix}${path}`);
    const facts = { dataset: 'wcb', subject, stage: 'ingest', reason: withoutCredentials(reason) } as const;
    found.push({ path, listed: { kind: 'reject', reject: facts, ...more } });
  };
  for (const [place, reason] of read.wrong) reject(place === '' ? metadata : `${metadata} ${place}`, reason);

  const named = new Map<string, Placed & { readonly file: string }>();
  const locate = openLocate(folder);
  for (const placed of read.entries) {
    const at = await findFile(locate, metadata, placed);
    if ('wrong' in at) {
      const document = at.missing === true ? toDocument(bank, { ...placed, file: '' }, at.path) : undefined;
      const missing = document !== undefined && 'document' in document && { missing: document.document.documentId };
      reject(at.path, `${metadata} names it at ${placed.place}, but ${at.wrong}`, missing || {});
      continue;
    }
    // Downloads went by file name, so the later entry's text is the one that lies there.
    const earlier = named.get(at.path);
    if (earlier !== undefined)
      reject(
        `${metadata} ${earlier.place}`,
        `names the same file, ${at.path}, as the later entry ${placed.place}, whose document is kept`,
      );
    named.set(at.path, { ...placed, file: at.file });
  }

  const unnamed: Unnamed = read.missing === undefined && read.wrong.length === 0 ? 'by the list' : 'for want of a list';
  // What is named may lie behind a link within the folder, which lists as one file.
  const ways = new Set([...named.keys()].map((path) => dirname(path)));
  const listed = (await listFiles(folder)).filter((path) => path !== metadata && !ways.has(path));
  const files = [...new Set([...listed, ...named.keys()])];
  // What is there and cannot be read is among what is wrong. Of a bank that has no files yet there is nothing to say.
  if (read.missing !== undefined && read.wrong.length === 0 && files.length > 0)
    reject(metadata, `there is no such file; ${MEND}`);
  for (const path of files) {
    const placed = named.get(path);
    const document = placed === undefined ? undefined : toDocument(bank, placed, `${prefix}${path}`);
    if (document === undefined)
      reject(path, `${read.missing ?? `${metadata} does not name it`}; so nothing says which meeting it is of`, {
        unnamed,
      });
    else if ('wrong' in document) reject(path, document.wrong);
    else found.push({ path, listed: document });
  }
  for (const { listed } of found.sort((a, b) => byText(a.path, b.path))) yield listed;
};

interface Metadata {
  readonly entries: readonly Placed[];
  /** Place and reason; place '' is the whole file. */
  readonly wrong: readonly (readonly [string, string])[];
  /** Why there are no entries at all. */
  readonly missing?: string;
}

const MEND = 'fetch it again, or restore it from a backup';

const readMetadata = async (path: string): Promise<Metadata> => {
  let years: Readonly<Record<string, unknown>>;
  try {
    const text = await readTextIfThere(path);
    if (text === undefined) return { entries: [], wrong: [], missing: `there is no ${basename(path)}` };
    years = z.record(z.string(), z.unknown()).parse(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    // What the parser of JSON says quotes the file, and with it perhaps the password of an address.
    const reason =
      error instanceof z.ZodError
        ? 'is no object of years'
        : error instanceof SyntaxError
          ? 'it is no JSON'
          : systemReason(error);
    return {
      entries: [],
      wrong: [['', `cannot be read: ${reason}; ${MEND}`]],
      missing: `${basename(path)} cannot be read`,
    };
  }

  const entries: Placed[] = [];
  const wrong: [string, string][] = [];
  for (const [key, list] of Object.entries(years)) {
    if (!Array.isArray(list)) wrong.push([key, 'is no list of documents']);
    else
      for (const [index, raw] of list.entries()) {
        const place = `${key}[${index}]`;
        const parsed = Entry.safeParse(raw);
        if (parsed.success) entries.push({ place, key, entry: parsed.data });
        else wrong.push([place, parsed.error.issues.map(issueText).join('; ')]);
      }
  }
  return { entries, wrong };
};

/** What is wrong with an entry as a whole has no path. */
const issueText = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`;

type Found = { readonly path: string } & Located;

/** The file of an entry: under its key's folder, else that of its start; by its original name, else its cleaned one. */
const findFile = async (locate: Locate, metadata: string, { key, entry, place }: Placed): Promise<Found> => {
  const names = [entry.original_document_name, entry.cleaned_document_name].filter((name) => name !== undefined);
  const startYear = findDayFirst(entry.start_date ?? '')?.slice(0, 4);
  const years = startYear === undefined || startYear === key ? [key] : [key, startYear];
  let first: Found | undefined;
  for (const path of names.flatMap((name) => years.map((year) => `${year}/${name}`))) {
    const at: Found = { path, ...(await locate(path)) };
    if ('file' in at) return at;
    if (at.missing !== true) return at;
    first ??= at;
  }
  return first ?? { path: `${metadata} ${place}`, wrong: 'it has no original_document_name' };
};

const toDocument = (
  bank: string,
  placed: Placed & { readonly file: string },
  path: string,
): Listed | { readonly wrong: string } => {
  const { dimensions: stated, notes } = readDates(placed);
  const { dimensions, wrong } = parseDimensions('wcb', { bank_name: bank, ...stated });
  if (wrong.length > 0) return { wrong: wrong.join('; ') };
  const documentId = findDocumentId('wcb', dimensions);
  if (documentId === undefined)
    return { wrong: `start_date is ${shown(placed.entry.start_date)}, so nothing tells the document from others` };

  const { entry, file } = placed;
  const link = entry.minutes_link ?? entry.meeting_url ?? null;
  const sourceUrl = link === null ? null : withoutCredentials(link);
  const facts = {
    documentId,
    partition: toPartition('wcb', dimensions),
    dimensions,
    title: null,
    sourceUrl,
    file,
    path,
  };
  return { kind: 'document', document: { dataset: 'wcb', ...facts, ...(notes.length > 0 && { notes }) } };
};

const readDates = ({ key, entry }: Placed): { readonly dimensions: Dimensions; readonly notes: readonly string[] } => {
  const notes: string[] = [];
  const day = (name: string, text: string | null | undefined): string | null => {
    const iso = findDayFirst(text ?? '');
    if (iso === undefined && (text ?? '').trim() !== '')
      notes.push(`${name} ${shown(text)} is no day written dd-mm-yyyy: null`);
    return iso ?? null;
  };
  const start = day('start_date', entry.start_date);
  let release = day('release_date', entry.release_date);
  let end = day('end_date', entry.end_date ?? entry.ending_date);
  if (start !== null && end !== null && end < start) {
    notes.push(`end_date ${end} is before start_date ${start}: null`);
    end = null;
  }
  if (start !== null && release !== null && release < start) {
    notes.push(
      `release_date ${release} is before start_date ${start}: the two are swapped, and ${start} is the release`,
    );
    release = start;
  }
  const year = start === null ? key : start.slice(0, 4);
  if (year !== key) notes.push(`the metadata holds it under ${key}; year is that of start_date ${start}`);
  const dates = { start_date: start, end_date: end, release_date: release, date: release ?? end };
  return { dimensions: { year, ...dates }, notes };
};
