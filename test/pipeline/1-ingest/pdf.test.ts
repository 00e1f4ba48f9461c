import { describe, expect, it } from 'vitest';
import { lines, makePdf, openRig } from './rig.js';

const rig = openRig();
const sentence = 'The Committee judged that inflation would return to the target over the medium term. ';

describe('a PDF', () => {
  it('gives paragraphs without running heads and page numbers, joined over page ends', async () => {
    const bytes = await makePdf(
      [1, 2, 3].map((number) => (pdf) => {
        pdf.fontSize(8).text(`Minutes of the Board ${number} May 2020`, 72, 40, { lineBreak: false });
        pdf.fontSize(8).text(`Page ${number}`, 280, 700, { lineBreak: false });
        pdf
          .fontSize(11)
          .text(`${'In first,in second,in third'.split(',')[number - 1]} part: ${sentence.repeat(5).trim()}`, 72, 90, {
            width: 450,
          });
        pdf
          .moveDown(1)
          .text(
            number === 3
              ? 'It closed.'
              : `The members of the Board who were there on day ${'one two'.split(' ')[number - 1]}, all of them from the first hour on, then turned on day ${'one two'.split(' ')[number - 1]} to the outlook for`,
            { width: 450 },
          );
      }),
    );
    const { text } = await rig.extract('a.pdf', bytes);
    expect(text).not.toMatch(/Minutes|Page \d/);
    expect(text.split('\n\n')[0]).toBe(`In first part: ${sentence.repeat(5).trim()}`);
    expect(text).toContain('the outlook for in second part');
    expect(text.endsWith('\n\nIt closed.')).toBe(true);
  });

  it('joins words that a line end cut, as the document writes them elsewhere', async () => {
    const texts = [
      'The medium-term view and infla-',
      'tion were noted over the medium-',
      'term horizon. The infla-',
      'tionary risks faded.',
    ];
    const bytes = await makePdf([lines(texts, 72, 90, 11, 14)]);
    expect((await rig.extract('a.pdf', bytes)).text).toBe(
      'The medium-term view and inflation were noted over the medium-term horizon. The inflationary risks faded.',
    );
  });

  it('keeps the hyphens at line ends where the document cuts no word', async () => {
    const texts = [
      'The short-term rate did well, and non-food and short-',
      'term costs were higher than in May. A well-',
      'timed rise in non-',
      'monetary costs was stronger-',
      'than-expected in Guinea-',
      'Bissau over the 10-',
      'year and the 2-year horizon, in the short-',
      'and the long-term.',
    ];
    const bytes = await makePdf([lines(texts, 72, 90, 11, 14)]);
    expect((await rig.extract('a.pdf', bytes)).text).toBe(
      'The short-term rate did well, and non-food and short-term costs were higher than in May. A well-timed rise in ' +
        'non-monetary costs was stronger-than-expected in Guinea-Bissau over the 10-year and the 2-year horizon, in the short- and the long-term.',
    );
  });

  it('keeps words whole that are set in two pieces, and words apart that are set without a space', async () => {
    const size = 11;
    const bytes = await makePdf([
      (pdf) => {
        pdf.fontSize(size);
        let x = 72;
        for (const [text, gap] of [
          ['This is the assessm', 0.11],
          ['ent of the Board', 0.3],
          ['on prices, a', 0.13],
          ['lthough costs fell.', 0],
        ] as const) {
          pdf.text(text, x, 90, { lineBreak: false });
          x += pdf.widthOfString(text) + gap * size;
        }
      },
    ]);
    expect((await rig.extract('a.pdf', bytes)).text).toBe(
      'This is the assessment of the Board on prices, although costs fell.',
    );
  });

  it.each(['https://bank.example/minutes', 'mpc_minutes_2020'])('has no title where it states %s', async (Title) => {
    const draw = (pdf: PDFKit.PDFDocument) => pdf.fontSize(11).text(sentence, 72, 90, { width: 450 });
    expect((await rig.extract('a.pdf', await makePdf([draw], { info: { Title } }))).title).toBeNull();
    const named = await makePdf([draw], { info: { Title: 'Minutes of May' } });
    expect((await rig.extract('a.pdf', named)).title).toBe('Minutes of May');
  });

  it('reads two columns one after the other', async () => {
    const bytes = await makePdf([
      (pdf) => {
        pdf.fontSize(10).text(`Left begins. ${sentence.repeat(8)}Left ends.`, 60, 90, { width: 220 });
        pdf.fontSize(10).text(`Right begins. ${sentence.repeat(8)}Right ends.`, 330, 90, { width: 220 });
      },
    ]);
    const { text } = await rig.extract('a.pdf', bytes);
    expect(text.indexOf('Left ends')).toBeLessThan(text.indexOf('Right begins'));
    expect(text).toContain(sentence.trim());
  });

  it('moves notes at a page’s foot behind the paragraph that goes on over the page', async () => {
    const bytes = await makePdf([
      (pdf) => {
        pdf
          .fontSize(11)
          .text(`${sentence.repeat(4)}The Governor then said that on balance the risks to growth were`, 72, 90, {
            width: 450,
          });
        pdf.fontSize(7).text('1 As measured by the survey of households.', 72, 650, { lineBreak: false });
      },
      (pdf) => pdf.fontSize(11).text('smaller than before.', 72, 90, { width: 450 }),
    ]);
    const { text } = await rig.extract('a.pdf', bytes);
    expect(text).toContain('risks to growth were smaller than before.\n\n1 As measured by the survey');
  });
});
