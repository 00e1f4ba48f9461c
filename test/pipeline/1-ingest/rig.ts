/** Small folders and files for tests of ingest, made where they are used. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import PDFDocument from 'pdfkit';
import { afterAll } from 'vitest';
import { type Extractor, LIMITS, openExtractor } from '../../../pipeline/1-ingest/extract.js';
import type {
  Extracted,
  ExtractLimits,
  Listed,
  RemoteDocument,
  SourceDocument,
  Unnamed,
} from '../../../pipeline/1-ingest/source.js';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Rig {
  readonly folder: string;
  readonly write: (files: Files) => string;
  /** An extractor that ends with the tests. */
  readonly open: (limits?: Partial<ExtractLimits>) => Extractor;
  /** The same, with a process of its own that has not started yet. */
  readonly fresh: () => Extractor;
  /** The text of one file with these bytes. */
  readonly extract: (name: string, bytes: string | Uint8Array, limits?: Partial<ExtractLimits>) => Promise<Extracted>;
}

export const openRig = (): Rig => {
  const folder = mkdtempSync(join(tmpdir(), 'fintext-ingest-'));
  const opened = new Map<string, Extractor>();
  afterAll(async () => {
    for (const extractor of opened.values()) await extractor.close();
    await rm(folder, { recursive: true, force: true });
  });
  let count = 0;

  const write = (files: Files): string => {
    count += 1;
    const root = join(folder, String(count));
    mkdirSync(root);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return root;
  };
  const open = (limits: Partial<ExtractLimits> = {}): Extractor => {
    const key = JSON.stringify(limits);
    const found = opened.get(key);
    if (found !== undefined) return found;
    const made = openExtractor({
      limits: { ...LIMITS, ...limits },
      processes: 1,
      signal: new AbortController().signal,
    });
    opened.set(key, made);
    return made;
  };
  const fresh = (): Extractor => {
    const made = openExtractor({ limits: LIMITS, processes: 1, signal: new AbortController().signal });
    opened.set(`fresh ${opened.size}`, made);
    return made;
  };
  const extract: Rig['extract'] = async (name, bytes, limits) => {
    const file = join(write({ [name]: bytes }), name);
    const { fileSha256: _ofBytes, ...extracted } = await open(limits).extract(file, name);
    return extracted;
  };
  return { folder, write, open, fresh, extract };
};

export const collect = async (listed: AsyncIterable<Listed>) => {
  const documents: SourceDocument[] = [];
  const remote: RemoteDocument[] = [];
  const rejects: { subject: string; reason: string; missing?: string; unnamed?: Unnamed }[] = [];
  for await (const each of listed)
    if (each.kind === 'document') documents.push(each.document);
    else if (each.kind === 'remote') remote.push(each.document);
    else {
      const { subject, reason } = each.reject;
      rejects.push({
        subject,
        reason,
        ...(each.missing !== undefined && { missing: each.missing }),
        ...(each.unnamed !== undefined && { unnamed: each.unnamed }),
      });
    }
  return { documents, remote, rejects, ids: documents.map(({ documentId }) => documentId) };
};

export interface PdfOptions {
  readonly userPassword?: string;
  readonly info?: { readonly Title: string };
}

export type Page = (pdf: PDFKit.PDFDocument) => void;

/** Lines of one size, each where it is put. */
export const lines =
  (texts: readonly string[], x: number, y: number, size = 11, step = size * 1.3): Page =>
  (pdf) => {
    for (const [index, text] of texts.entries())
      pdf.fontSize(size).text(text, x, y + index * step, { lineBreak: false });
  };

/** A PDF of pages, each drawn by a function. */
export const makePdf = (pages: readonly Page[], options: PdfOptions = {}): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const pdf = new PDFDocument({ autoFirstPage: false, margin: 72, ...options });
    const pieces: Buffer[] = [];
    pdf
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => resolve(Buffer.concat(pieces)))
      .on('error', reject);
    for (const draw of pages) {
      pdf.addPage();
      draw(pdf);
    }
    pdf.end();
  });

export type DocxBlock = string | { readonly heading: string } | { readonly rows: readonly (readonly string[])[] };

/** A Word document of these blocks, or one with a title, a heading and a list. */
export const makeDocx = (blocks?: readonly DocxBlock[]): Promise<Buffer> =>
  Packer.toBuffer(new Document({ sections: [{ children: blocks === undefined ? MINUTES : blocks.map(toBlock) }] }));

const MINUTES = [
  new Paragraph({ text: 'Minutes of the meeting', heading: HeadingLevel.TITLE }),
  new Paragraph({ text: 'Prices', heading: HeadingLevel.HEADING_1 }),
  new Paragraph('Inflation rose in March. The Board noted it.'),
  new Paragraph({ text: 'Food became dearer', bullet: { level: 0 } }),
  new Paragraph({ text: 'Energy became cheaper', bullet: { level: 0 } }),
];

const toBlock = (block: DocxBlock): Paragraph | Table => {
  if (typeof block === 'string') return new Paragraph(block);
  if ('heading' in block) return new Paragraph({ text: block.heading, heading: HeadingLevel.HEADING_1 });
  const toCell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  return new Table({ rows: block.rows.map((cells) => new TableRow({ children: cells.map(toCell) })) });
};

/** A zip archive whose members are stored, with the sizes that it is to claim. */
export const makeZip = (members: Readonly<Record<string, string>>, claimed?: number): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const data = Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(claimed ?? data.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(claimed ?? data.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
};
