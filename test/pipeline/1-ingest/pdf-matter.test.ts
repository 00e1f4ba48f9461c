import { describe, expect, it } from 'vitest';
import { lines, makePdf, openRig, type Page } from './rig.js';

const rig = openRig();
const sentence = 'The Committee judged that inflation would return to the target over the medium term. ';
const prose = sentence.repeat(4).trim();

const read = async (...pages: readonly Page[]) => rig.extract('a.pdf', await makePdf(pages));

const body =
  (text: string, y: number, x = 72, width = 450): Page =>
  (pdf) =>
    pdf.fontSize(11).text(text, x, y, { width });

const row =
  (cells: readonly string[], y: number): Page =>
  (pdf) => {
    for (const [index, cell] of cells.entries()) pdf.fontSize(11).text(cell, 72 + index * 130, y, { lineBreak: false });
  };

const all =
  (...parts: readonly Page[]): Page =>
  (pdf) => {
    for (const part of parts) part(pdf);
  };

describe('the text of a PDF', () => {
  it('begins behind letterhead, title and date, and ends before the addresses; the title is kept as such', async () => {
    const { text, title } = await read(
      all(
        lines(['Bank of Examples', 'P.O. Box 12, Telephone +41 44 000 00 00'], 72, 60, 9),
        lines(['Policy rate stays as it is'], 72, 110, 18),
        lines(['Berne, 4 May 2020'], 72, 150),
        body(prose, 180),
        lines(['Ms. A. Brown', 'Telephone number: 000 00 00', 'E-mail: press@bank.example'], 72, 320),
      ),
    );
    expect({ text, title }).toEqual({ text: prose, title: 'Policy rate stays as it is' });
  });

  it('has no cover and no page of contents in it', async () => {
    const { text, title } = await read(
      lines(['Minutes of the Policy Meeting', 'held in May 2020'], 150, 300, 20),
      lines(['Contents', 'I. Markets ........ 3', 'II. Prices ........ 9', 'III. Decision ........ 14'], 72, 90),
      body(`First of all: ${sentence.repeat(12)}The first ended.`, 90),
      body(`Secondly: ${sentence.repeat(12)}The second ended.`, 90),
    );
    expect(text).toBe(
      `First of all: ${sentence.repeat(12)}The first ended.\n\nSecondly: ${sentence.repeat(12)}The second ended.`,
    );
    expect(title).toBe('Minutes of the Policy Meeting held in May 2020');
  });

  it('has a roster left out, and keeps the sentence before it, the heading behind it and the votes', async () => {
    const present = [
      'Members Present',
      'Mr. A. Brown, Chairman, Governor',
      'Ms. B. Green',
      'Mr. C. White',
      'Ms. D. Black',
    ];
    const { text } = await read(
      all(
        body('The Board met in the Head Office of the Bank on 4 May 2020, from two to five.', 72),
        lines(present, 90, 120),
        lines(['II. Staff Reports on Markets'], 72, 220),
        body(prose, 250),
        body('Votes for the proposal: Mr. A. Brown, Ms. B. Green, Mr. C. White, and Ms. D. Black.', 360),
      ),
    );
    expect(text.split('\n\n')).toEqual([
      'The Board met in the Head Office of the Bank on 4 May 2020, from two to five.',
      'II. Staff Reports on Markets',
      prose,
      'Votes for the proposal: Mr. A. Brown, Ms. B. Green, Mr. C. White, and Ms. D. Black.',
    ]);
  });

  it('has tables left out with what names them, and joins the sentence that one cut in two', async () => {
    const { text } = await read(
      all(
        body(`${prose} In their view the risks to the outlook for growth in the coming quarters, which had risen,`, 72),
        lines(['Table 1'], 72, 180),
        row(['Year', 'Growth', 'Prices'], 200),
        row(['2019', '1.8', '2.0'], 216),
        row(['2020', '2.1', '1.9'], 232),
        lines(['Source: the Bank.'], 72, 250, 8),
        body('were now judged to be balanced. Nothing else was said.', 280),
      ),
    );
    expect(text).toBe(
      `${prose} In their view the risks to the outlook for growth in the coming quarters, which had risen, were now judged to be balanced. Nothing else was said.`,
    );
  });

  it('is kept whole where a document is nothing but a table', async () => {
    const { text } = await read(all(row(['Year', 'Growth', 'Prices'], 200), row(['2019', '1.8', '2.0'], 216)));
    expect(text).toBe('Year | Growth | Prices\n2019 | 1.8 | 2.0');
  });

  it('is read column by column where a chart stands above one of them, without the chart', async () => {
    const chart = all(
      lines(['Chart 1', 'Prices and Wages'], 330, 72, 10),
      lines(['8', '6', '4', '2', '0', '-2'], 330, 110, 6, 20),
      lines(['2018 2019 2020'], 345, 230, 6),
      lines(['Source: the Bank.'], 330, 250, 7),
    );
    const column = (word: string) => `${word} begins. ${sentence.repeat(9)}${word} ends.`;
    const { text } = await read(all(body(column('Left'), 72, 60, 220), chart, body(column('Right'), 280, 330, 220)));
    expect(text).toBe(`${column('Left')}\n\n${column('Right')}`);
  });

  it('keeps who speaks, and short answers', async () => {
    const { text } = await read(
      all(
        body(prose, 72),
        lines(['Operator'], 72, 180),
        body('Our next question comes from Jane Doe of the Example Bank.', 200),
        lines(['Jane Doe -- Example Bank -- Analyst'], 72, 230),
        body('Thank you.', 250),
        lines(['John Roe -- Chief Financial Officer'], 72, 280),
        body('Yes, of course.', 300),
      ),
    );
    expect(text.split('\n\n').slice(1)).toEqual([
      'Operator',
      'Our next question comes from Jane Doe of the Example Bank.',
      'Jane Doe -- Example Bank -- Analyst',
      'Thank you.',
      'John Roe -- Chief Financial Officer',
      'Yes, of course.',
    ]);
  });

  it('has raised endings of ordinals in their words, and the names of files at its foot left out', async () => {
    const { text } = await read(
      all(
        body(prose, 72),
        lines(['The Board met on January 18'], 72, 200),
        (pdf) => pdf.fontSize(6).text('th', 72 + pdf.fontSize(11).widthOfString('The Board met on January 18'), 198),
        lines(['to discuss the outlook for prices and growth.'], 72, 214),
        lines(['H:\\minutes\\Board 18-01-2020.doc'], 72, 700, 7),
      ),
    );
    expect(text).toBe(`${prose}\n\nThe Board met on January 18th to discuss the outlook for prices and growth.`);
  });

  it('has bullets drawn with letters of a font of signs as bullets', async () => {
    const { text } = await read(
      all(body(prose, 72), (pdf) => {
        for (const [index, item] of ['food became dearer', 'energy became cheaper'].entries()) {
          pdf
            .font('ZapfDingbats')
            .fontSize(11)
            .text('n', 72, 200 + index * 30, { lineBreak: false, baseline: 'alphabetic' });
          pdf
            .font('Helvetica')
            .fontSize(11)
            .text(`In March ${item} than before.`, 100, 200 + index * 30, { lineBreak: false, baseline: 'alphabetic' });
        }
      }),
    );
    expect(text.split('\n\n').slice(1)).toEqual([
      '• In March food became dearer than before.',
      '• In March energy became cheaper than before.',
    ]);
  });

  it('begins behind a title page whose title stands again above the text, also where that says at length what it is', async () => {
    const imprint =
      'The Act gives the Board responsibility for setting rates of interest. The Board meets every month. ';
    const { text, title } = await read(
      all(
        lines(['MINUTES OF', 'MONETARY POLICY', 'BOARD MEETING'], 150, 90, 26),
        lines(['6 May 2005'], 220, 200, 24),
        body(`These are the minutes of the meeting of May. ${imprint.repeat(3)}`.trim(), 320),
      ),
      all(
        lines(['MINUTES OF THE MONETARY POLICY BOARD MEETING HELD ON 6 MAY'], 72, 72, 13),
        body(prose.repeat(5), 110),
      ),
      body(prose.repeat(5), 90),
    );
    expect(text.startsWith(prose)).toBe(true);
    expect(text).not.toContain('The Act gives');
    expect(title).toBe('MINUTES OF MONETARY POLICY BOARD MEETING');
  });

  it('has a figure that a sentence ends with, alone on the last line of a page', async () => {
    const page = (number: number, last: readonly string[]): Page =>
      all(body(prose, 90), lines(last, 72, 200), lines([String(number)], 300, 720));
    const { text } = await read(
      page(1, ['The minutes will be released after the meeting to be held on June 14 and 15,', '2010.']),
      page(2, ['Nothing else was said on that day.']),
    );
    expect(text).toContain('to be held on June 14 and 15, 2010.');
    expect(text).not.toMatch(/\n1\n|\n2$/);
  });

  it('has a running head left out also where its parts stand in one line', async () => {
    const half = (word: string, x: number): Page =>
      body(`${word} begins. ${sentence.repeat(6)}${word} ends.`, 90, x, 220);
    const inColumns: Page = all(
      lines(['BANK OF EXAMPLES'], 40, 40, 6),
      lines(['Policy Meeting'], 500, 40, 6),
      half('Left', 60),
      half('Right', 330),
    );
    const inOne: Page = all(
      lines(['BANK OF EXAMPLES'], 40, 40, 6),
      lines(['Policy Meeting'], 500, 40, 6),
      body('Nothing else was said on that day.', 90),
    );
    const { text } = await read(inColumns, inColumns, inColumns, inOne);
    expect(text).not.toMatch(/BANK OF|Policy Meeting/);
    expect(text.endsWith('Nothing else was said on that day.')).toBe(true);
  });
});
