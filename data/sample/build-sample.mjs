// Builds the PDF and docx files of the bundled sample from the texts in sources/.
//
//   node data/sample/build-sample.mjs            write the files
//   node data/sample/build-sample.mjs --check    exit 1 if a committed file differs from what would be written
//
// A source starts with a header between two lines of ---: out (where the file goes, the suffix says
// which format), title, date (the only date that gets into a file), running (the page header).
// Its body knows: # title, ## heading, ### subheading, **bold line**, "- " list items,
// "| a | b |" table rows, [^1] footnote marks and "[^1]: text" footnotes; the rest are paragraphs.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const PDFDocument = require('pdfkit');
const docxPath = require.resolve('docx');
const docx = require(docxPath);
const { unzipSync, zipSync } = createRequire(pathToFileURL(docxPath))('fflate'); // the copy that docx itself uses

export function parse(source) {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replace(/\r\n/g, '\n'));
  const meta = Object.fromEntries(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const blocks = [];
  const footnotes = new Map();
  for (const chunk of body.trim().split(/\n{2,}/)) {
    const lines = chunk.split('\n');
    const heading = /^(#{1,3}) (.*)$/.exec(chunk);
    const footnote = /^\[\^(\d+)\]: ([\s\S]*)$/.exec(chunk);
    const bold = /^\*\*(.*)\*\*$/.exec(chunk);
    if (footnote) footnotes.set(footnote[1], footnote[2].replace(/\n/g, ' '));
    else if (heading) blocks.push({ kind: 'heading', level: heading[1].length, text: heading[2] });
    else if (bold) blocks.push({ kind: 'bold', text: bold[1] });
    else if (lines.every((l) => l.startsWith('- '))) blocks.push({ kind: 'list', items: lines.map((l) => l.slice(2)) });
    else if (lines.every((l) => l.startsWith('|')))
      blocks.push({
        kind: 'table',
        rows: lines.map((l) =>
          l
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ),
      });
    else blocks.push({ kind: 'paragraph', text: lines.join(' ') });
  }
  return { meta, blocks, footnotes };
}

/** "a[^1] b" -> [{text:'a'},{mark:'1'},{text:' b'}] */
function runs(text) {
  return text
    .split(/(\[\^\d+\])/)
    .filter(Boolean)
    .map((part) => {
      const mark = /^\[\^(\d+)\]$/.exec(part);
      return mark ? { mark: mark[1] } : { text: part };
    });
}

export async function toPdf({ meta, blocks, footnotes }) {
  const date = new Date(`${meta.date}T09:00:00Z`);
  const margins = { top: 92, bottom: 120, left: 72, right: 72 }; // the foot has room for footnotes and the page number
  const pdf = new PDFDocument({
    size: 'A4',
    margins,
    bufferPages: true,
    lang: 'en',
    info: {
      Title: meta.title,
      Author: 'Sample text',
      Producer: 'build-sample',
      Creator: 'build-sample',
      CreationDate: date,
      ModDate: date,
    },
  });
  const parts = [];
  pdf.on('data', (part) => parts.push(part));
  const done = new Promise((resolve, reject) => pdf.on('end', resolve).on('error', reject));

  const width = pdf.page.width - margins.left - margins.right;
  const floor = () => pdf.page.height - margins.bottom;
  const pageNow = () => pdf.bufferedPageRange().count - 1;
  const room = (height) => {
    if (pdf.y + height > floor()) pdf.addPage();
  };
  const notesOn = new Map(); // page -> numbers of the footnotes referred to there

  const write = (text, options) => {
    const pieces = runs(text);
    pieces.forEach((piece, i) => {
      const continued = i < pieces.length - 1;
      const size = piece.mark ? 6.5 : 11.5;
      if (piece.mark) notesOn.set(pageNow(), [...(notesOn.get(pageNow()) ?? []), piece.mark]);
      pdf
        .fontSize(size)
        .text(piece.mark ?? piece.text, { ...options, continued, baseline: piece.mark ? 'hanging' : 'top' });
      pdf.fontSize(11.5);
    });
  };

  for (const block of blocks) {
    pdf.x = margins.left;
    if (block.kind === 'heading') {
      room(70);
      pdf.font('Helvetica-Bold').fontSize([0, 16, 13, 12][block.level]).text(block.text, { width });
      pdf.moveDown(0.5);
    } else if (block.kind === 'bold') {
      room(40);
      pdf.font('Times-Bold').fontSize(11.5).text(block.text, { width });
      pdf.moveDown(0.3);
    } else if (block.kind === 'list') {
      pdf.font('Times-Roman').fontSize(11.5).list(block.items, { width, bulletRadius: 1.8, textIndent: 14 });
      pdf.moveDown(0.8);
    } else if (block.kind === 'table') {
      const columns = block.rows[0].length;
      room(block.rows.length * 16 + 10);
      block.rows.forEach((row, r) => {
        const y = pdf.y;
        pdf.font(r === 0 ? 'Helvetica-Bold' : 'Helvetica').fontSize(9);
        const first = width * 0.4;
        const rest = (width - first) / (columns - 1);
        row.forEach((cell, c) => {
          pdf.text(cell, c === 0 ? margins.left : margins.left + first + (c - 1) * rest, y, {
            width: c === 0 ? first : rest,
            align: c === 0 ? 'left' : 'right',
            lineBreak: false,
          });
        });
        pdf.y = y + (r === 0 ? 18 : 15);
        if (r === 0)
          pdf
            .moveTo(margins.left, y + 12)
            .lineTo(margins.left + width, y + 12)
            .lineWidth(0.5)
            .stroke();
      });
      pdf.y += 10;
    } else {
      room(30);
      pdf.font('Times-Roman').fontSize(11.5);
      write(block.text, { width, align: runs(block.text).length > 1 ? 'left' : 'justify', lineGap: 2.5 }); // justified runs would lose their first space
      pdf.moveDown(0.8);
    }
  }

  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    pdf.page.margins.bottom = 0; // what follows stands in the margins and must not start a new page
    pdf.font('Helvetica').fontSize(8).text(meta.running, margins.left, 46, { width, lineBreak: false });
    pdf
      .moveTo(margins.left, 60)
      .lineTo(margins.left + width, 60)
      .lineWidth(0.4)
      .stroke();
    const notes = notesOn.get(page) ?? [];
    if (notes.length) {
      let y = pdf.page.height - 108;
      pdf
        .moveTo(margins.left, y - 5)
        .lineTo(margins.left + 120, y - 5)
        .lineWidth(0.4)
        .stroke();
      for (const number of notes) {
        pdf
          .font('Times-Roman')
          .fontSize(8)
          .text(`${number} ${footnotes.get(number)}`, margins.left, y, { width });
        y = pdf.y + 2;
      }
    }
    pdf
      .font('Helvetica')
      .fontSize(8)
      .text(`Page ${page + 1} of ${count}`, margins.left, pdf.page.height - 46, {
        width,
        align: 'center',
        lineBreak: false,
      });
  }
  pdf.end();
  await done;
  return Buffer.concat(parts);
}

export async function toDocx({ meta, blocks, footnotes }) {
  const {
    AlignmentType,
    Document,
    Footer,
    FootnoteReferenceRun,
    Header,
    HeadingLevel,
    LevelFormat,
    Packer,
    PageNumber,
    Paragraph,
    Table,
    TableCell,
    TableRow,
    TextRun,
    WidthType,
  } = docx;
  const levels = [null, HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];
  const children = blocks.flatMap((block) => {
    if (block.kind === 'heading') return [new Paragraph({ text: block.text, heading: levels[block.level] })];
    if (block.kind === 'bold') return [new Paragraph({ children: [new TextRun({ text: block.text, bold: true })] })];
    if (block.kind === 'list')
      return block.items.map((text) => new Paragraph({ text, numbering: { reference: 'points', level: 0 } }));
    if (block.kind === 'table')
      return [
        new Table({
          width: { size: 100, type: WidthType.PERCENTAGE },
          rows: block.rows.map(
            (row) => new TableRow({ children: row.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }),
          ),
        }),
        new Paragraph(''),
      ];
    return [
      new Paragraph({
        spacing: { after: 160 },
        children: runs(block.text).map((piece) =>
          piece.mark ? new FootnoteReferenceRun(Number(piece.mark)) : new TextRun(piece.text),
        ),
      }),
    ];
  });
  const file = new Document({
    title: meta.title,
    creator: 'Sample text',
    lastModifiedBy: 'build-sample',
    numbering: {
      config: [
        {
          reference: 'points',
          levels: [
            {
              level: 0,
              format: LevelFormat.DECIMAL,
              text: '%1.',
              alignment: AlignmentType.START,
              style: { paragraph: { indent: { left: 720, hanging: 360 } } },
            },
          ],
        },
      ],
    },
    footnotes: Object.fromEntries(
      [...footnotes].map(([number, text]) => [number, { children: [new Paragraph(text)] }]),
    ),
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph(meta.running)] }) },
        footers: {
          default: new Footer({
            children: [new Paragraph({ children: [new TextRun({ children: ['Page ', PageNumber.CURRENT] })] })],
          }),
        },
        children,
      },
    ],
  });
  return fixDates(await Packer.toBuffer(file), new Date(`${meta.date}T09:00:00Z`));
}

/** docx stamps the hour of writing into the properties and every zip entry; the sample must not change with the clock. */
function fixDates(buffer, date) {
  const entries = unzipSync(buffer);
  const core = Buffer.from(entries['docProps/core.xml']).toString('utf8');
  entries['docProps/core.xml'] = Buffer.from(
    core.replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, `$1${date.toISOString().slice(0, 19)}Z`),
  );
  // a zip entry's time is local, without a zone: the same wall clock everywhere
  const mtime = new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 9);
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.keys(entries)
          .sort()
          .map((name) => [name, entries[name]]),
      ),
      { mtime, level: 6, os: 0 },
    ),
  );
}

const check = process.argv.includes('--check');
let different = 0;
for (const name of (await readdir(path.join(here, 'sources'))).filter((n) => n.endsWith('.source')).sort()) {
  const parsed = parse(await readFile(path.join(here, 'sources', name), 'utf8'));
  const { out } = parsed.meta;
  const bytes = await (out.endsWith('.pdf') ? toPdf(parsed) : toDocx(parsed));
  const target = path.join(here, out);
  const before = await readFile(target).catch(() => undefined);
  const same = before?.equals(bytes) ?? false;
  if (!same) different++;
  if (!same && !check) {
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
  process.stderr.write(`${same ? 'same   ' : check ? 'DIFFERS' : 'written'} ${out} (${bytes.length} bytes)\n`);
}
if (check && different) process.exitCode = 1;
