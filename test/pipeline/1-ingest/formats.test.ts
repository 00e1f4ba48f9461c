import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../pipeline/1-ingest/decode.js';
import { LIMITS } from '../../../pipeline/1-ingest/extract.js';
import { html } from '../../../pipeline/1-ingest/formats/html.js';
import { detectLanguage } from '../../../pipeline/1-ingest/language.js';
import { makeDocx, makePdf, openRig } from './rig.js';

const rig = openRig();
const page = async (body: string) => (await html.extract(Buffer.from(body), LIMITS)).text;

describe('a text file', () => {
  it('keeps every character, line end and space, so that offsets mean the file', async () => {
    const text = '  Inflation\r\nrose.\t\n\n\n “Indeed”\u00a0— ½ ﬁn \n';
    expect((await rig.extract('a.txt', text)).text).toBe(text);
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffZinsen für März', 'utf8')],
    ['UTF-16 little endian with a mark', Buffer.from('\ufeffZinsen für März', 'utf16le')],
    ['UTF-16 big endian with a mark', Buffer.from('\ufeffZinsen für März', 'utf16le').swap16()],
    ['windows-1252', Buffer.from('Zinsen für März', 'latin1')],
  ])('is decoded from %s', async (_name, bytes) => {
    expect((await rig.extract('a.txt', bytes)).text).toBe('Zinsen für März');
  });

  it('has its typographic marks when it comes from Windows', async () => {
    const text = 'The Committee’s view – “risks are balanced” – was that inflation would fall to 2½ per cent… '.repeat(
      3,
    );
    expect((await rig.extract('a.txt', iconv.encode(text, 'windows-1252'))).text).toBe(text);
  });

  it('is read in the encoding that its bytes look like when it is not English', () => {
    const text = 'Банк России принял решение сохранить ключевую ставку на прежнем уровне. '.repeat(5);
    expect(decodeText(iconv.encode(text, 'windows-1251'))).toBe(text);
  });

  it('keeps its other letters when a stray byte makes it no UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('Zürich, München, Genève, São Paulo: “größer” – “höher”. '.repeat(5)),
      Buffer.from([0xff]),
    ]);
    expect(decodeText(bytes)).toContain('Zürich, München, Genève, São Paulo: “größer”');
  });

  it('decodes back whatever was encoded as UTF-8 or UTF-16', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0') && !each.startsWith('\ufeff'));
    fc.assert(
      fc.property(text, (each) => {
        expect(decodeText(Buffer.from(each, 'utf8'))).toBe(each);
        expect(decodeText(Buffer.from(`\ufeff${each}`, 'utf16le'))).toBe(each);
      }),
    );
  });

  it('ends in characters or an error, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          expect(typeof decodeText(bytes)).toBe('string');
        } catch (error) {
          expect(error).toMatchObject({ name: 'ExtractError' });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('markdown', () => {
  it('keeps its text and takes its first heading as title', async () => {
    const text = '---\nauthor: x\n---\n\n```\n# no\n```\n## Minutes of *March* ##\n\n- one\n';
    expect(await rig.extract('a.md', text)).toEqual({ text, title: 'Minutes of March' });
    expect((await rig.extract('a.md', 'Statement\n=========\n\nText.')).title).toBe('Statement');
  });
});

describe('an HTML page', () => {
  it('gives its article without navigation, forms, scripts, notices and what is hidden', async () => {
    const text = await page(`<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body>
      <header><a href="/">Bank</a> Press office</header><nav><ul><li>Home</li></ul></nav>
      <div class="cookie-banner"><p>We use cookies.</p></div>
      <main><h1>Policy &amp; prices</h1><p>Inflation rose&nbsp;by 2&frac12;
      per cent.</p><script>x()</script><p hidden>Secret</p><form><p>Search</p></form><p>It fell.</p></main>
      <aside>Related</aside><footer>Contact</footer></body></html>`);
    expect(text).toBe('Policy & prices\n\nInflation rose by 2½ per cent.\n\nIt fell.');
  });

  it('parts blocks by blank lines, keeps the marks that lists show and reads tables row by row', async () => {
    const text = await page(`<main><h2>Views</h2><ul><li>Prices</li><li>Wages</li></ul><ol start="3"><li>Third</li></ol>
      <table><tr><th>Year</th><th>Rate</th></tr><tr><td>2020</td><td>0.1</td></tr></table>Loose<br>line<br><br>new</main>`);
    expect(text).toBe('Views\n\n• Prices\n\n• Wages\n\n3. Third\n\nYear | Rate\n\n2020 | 0.1\n\nLoose\nline\n\nnew');
  });

  it('finds the densest part of a page that marks nothing, through tables that only place it', async () => {
    const prose =
      '<p>The Committee judged that risks were balanced and that inflation would return to target.</p>'.repeat(6);
    const links = '<td><a href="/a">Home</a> <a href="/b">About us</a></td>';
    const text = await page(
      `<body><table><tr>${links}<td><div><p>By the Governor</p>${prose}</div></td></tr></table></body>`,
    );
    expect(text.startsWith('By the Governor\n\nThe Committee judged')).toBe(true);
    expect(text).not.toContain('|');
  });

  it('leaves out marks that lead to notes on the page, not powers', async () => {
    expect(
      await page(
        '<p>Growth<sup><a href="#fn1">1</a></sup> was 10<sup>2</sup>.</p><p>1. A note. <a href="#r1">Return to text</a></p>',
      ),
    ).toBe('Growth was 102.\n\n1. A note.');
  });

  it('keeps a page that is one form, as some servers write them', async () => {
    expect(await page('<body><form><p>The rate was raised by a quarter of a point today.</p></form></body>')).toContain(
      'raised',
    );
  });

  it('is decoded as its meta element says', async () => {
    const bytes = iconv.encode(
      '<html><head><meta charset="iso-8859-2"></head><body><p>Česká národní banka</p></body></html>',
      'iso-8859-2',
    );
    expect((await rig.extract('a.html', bytes)).text).toBe('Česká národní banka');
  });

  it('states its title', async () => {
    const { title } = await rig.extract(
      'a.htm',
      '<html><head><title>Bank: x</title></head><body><h1>Minutes <i>of</i> May</h1><p>Text</p></body></html>',
    );
    expect(title).toBe('Minutes of May');
  });
});

describe('a Word document', () => {
  it('keeps headings, paragraphs and list items as blocks, and states its title', async () => {
    expect(await rig.extract('a.docx', await makeDocx())).toEqual({
      text: 'Minutes of the meeting\n\nPrices\n\nInflation rose in March. The Board noted it.\n\n• Food became dearer\n\n• Energy became cheaper',
      title: 'Minutes of the meeting',
    });
  });
});

describe('a PDF', () => {
  const sentence = 'The Committee judged that inflation would return to the target over the medium term. ';

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
    const lines = [
      'The medium-term view and infla-',
      'tion were noted over the medium-',
      'term horizon. The infla-',
      'tionary risks faded.',
    ];
    const bytes = await makePdf([
      (pdf) => {
        for (const [index, line] of lines.entries())
          pdf.fontSize(11).text(line, 72, 90 + index * 14, { lineBreak: false });
      },
    ]);
    expect((await rig.extract('a.pdf', bytes)).text).toBe(
      'The medium-term view and inflation were noted over the medium-term horizon. The inflationary risks faded.',
    );
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

describe('a JSON transcript', () => {
  const call = {
    ticker: 'AAPL',
    company: 'Apple',
    year: 2019,
    quarter: 'Q1',
    date: '2019-01-29T22:00:00Z',
    title: 'First quarter',
    turns: [
      { speaker: 'Operator', text: 'Good day.', section: 'Prepared Remarks' },
      { speaker: 'Tim Cook', title: 'CEO', role: 'executive', text: ' Thank you.\n\nSales rose. ' },
      { speaker: 'A. Analyst', role: 'Analyst', section: 'Q&A', text: 'Why?' },
    ],
  };

  it('reads as headed turns whose offsets span what was said', async () => {
    const { text, turns, title, dimensions } = await rig.extract('a.json', JSON.stringify(call));
    expect(text).toBe('Operator\n\nGood day.\n\nTim Cook -- CEO\n\nThank you.\n\nSales rose.\n\nA. Analyst\n\nWhy?');
    expect(turns?.map((turn) => [text.slice(turn.start, turn.end), turn.speaker, turn.role, turn.section])).toEqual([
      ['Good day.', 'Operator', 'operator', 'prepared_remarks'],
      ['Thank you.\n\nSales rose.', 'Tim Cook', 'executive', null],
      ['Why?', 'A. Analyst', 'analyst', 'questions_and_answers'],
    ]);
    expect(title).toBe('First quarter');
    expect(dimensions).toEqual({ ticker: 'AAPL', company: 'Apple', year: 2019, quarter: 1, date: '2019-01-29' });
  });

  it.each([
    ['a bare list', [{ speaker_name: 'Operator', content: 'Good day.' }]],
    ['a list under transcript', { transcript: [{ speaker: 'Operator', content: 'Good day.' }] }],
  ])('is read from %s as well', async (_name, value) => {
    expect((await rig.extract('a.json', JSON.stringify(value))).text).toBe('Operator\n\nGood day.');
  });

  it.each([
    [{ ...call, turns: [{ speaker: 'A', text: 'x' }, { speaker: 'B' }] }, 'turns[1].text is missing'],
    [{ ...call, turns: [{ speaker: 5, text: 'x' }] }, 'turns[0].speaker'],
    [{ ...call, quarter: 7 }, 'quarter is 7; allowed: 1, 2, 3, 4'],
    [{ ...call, turns: undefined }, 'turns is missing'],
    ['word', 'neither an object nor a list'],
  ])('says with its place what is wrong (%#)', async (value, reason) => {
    await expect(rig.extract('a.json', JSON.stringify(value))).rejects.toThrow(reason);
  });
});

describe('the language of a text', () => {
  it('is English by its function words, and otherwise left open', () => {
    expect(detectLanguage('The Committee decided to keep the rate of interest at its level for the time being.')).toBe(
      'en',
    );
    expect(
      detectLanguage('Le Comité a décidé de maintenir le taux directeur à son niveau actuel pour le moment.'),
    ).toBe('und');
    expect(detectLanguage('2020 0.1 2021 0.2')).toBe('und');
  });
});
