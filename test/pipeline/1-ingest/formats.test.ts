import { Document, FootnoteReferenceRun, Packer, Paragraph, TextRun } from 'docx';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../pipeline/1-ingest/decode.js';
import { LIMITS } from '../../../pipeline/1-ingest/extract.js';
import { html } from '../../../pipeline/1-ingest/formats/html.js';
import { makeDocx, openRig } from './rig.js';

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

  it('has its typographic marks where they were converted as if they were control characters, at the same places', () => {
    const text = 'The staff\u0092s view\u0097\u0093unchanged\u0094\u0096was noted.';
    expect(decodeText(Buffer.from(text, 'utf8'))).toBe('The staff’s view—“unchanged”–was noted.');
    // A line's end, and one that windows-1252 has no mark for.
    expect(decodeText(Buffer.from('one\u0085two\u0081', 'utf8'))).toBe('one\u0085two\u0081');
  });

  it('decodes back whatever was encoded as UTF-8 or UTF-16', () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .filter((each) => !each.includes('\0') && !each.startsWith('\ufeff') && !/[\u0080-\u009f]/.test(each));
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

  it('is read without tables of figures and the references behind it, and keeps short answers', async () => {
    const text = await page(`<main><p>Growth was strong in the first half of the year.</p>
      <table><tr><th>Year</th><th>Growth</th></tr><tr><td>2019</td><td>2.1</td></tr></table>
      <p>Operator</p><p>Was it?</p><p>Yes, it was.</p>
      <h2>References</h2><p>Brown, Ann (2003). "Notes on Growth," Oslo Papers in Economics, vol. 3.</p></main>`);
    expect(text).toBe('Growth was strong in the first half of the year.\n\nOperator\n\nWas it?\n\nYes, it was.');
  });

  it('leaves out marks that lead to notes on the page, not powers', async () => {
    expect(
      await page(
        '<p>Growth<sup><a href="#fn1">1</a></sup> was 10<sup>2</sup>.</p><p>1. A note. <a href="#r1">Return to text</a></p>',
      ),
    ).toBe('Growth was 102.\n\n1. A note.');
  });

  it('of which only frames are placed is none, unless all of its text is said to those who see no frames', async () => {
    const frames = (text: string): string =>
      `<html><frameset cols="20%,80%"><frame src="menu.html"><frame src="minutes.html"><noframes><body>${text}</body></noframes></frameset></html>`;
    const prose = '<p>The Committee judged that prices would rise more slowly in the coming year than before.</p>';
    await expect(page(frames('<p>This site needs a browser that shows frames.</p>'))).rejects.toThrow(
      'only places frames',
    );
    expect(await page(frames(prose.repeat(8)))).toContain('The Committee judged');
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

  it('is read without its table and the list of those present, and keeps the headings around them', async () => {
    const names = ['Mr. A. Brown, Governor', 'Ms. B. Green, Deputy Governor', 'Mr. C. White', 'Ms. D. Black'];
    const { text } = await rig.extract(
      'a.docx',
      await makeDocx([
        'The Board met in Oslo on 4 May 2020, from 2 p.m., and again on 5 May at 9 a.m.',
        ...names,
        { heading: 'Prices and wages' },
        'Inflation rose in March. The Board noted it.',
        {
          rows: [
            ['Year', 'Rate'],
            ['2019', '1.8'],
            ['2020', '2.1'],
          ],
        },
        'It is expected to fall.',
      ]),
    );
    expect(text).toBe(
      'The Board met in Oslo on 4 May 2020, from 2 p.m., and again on 5 May at 9 a.m.\n\nPrices and wages\n\nInflation rose in March. The Board noted it.\n\nIt is expected to fall.',
    );
  });
});

it('a Word document keeps what its notes say, without the mark that leads back', async () => {
  const children = [
    new Paragraph({
      children: [new TextRun('The rate was raised by a quarter'), new FootnoteReferenceRun(1), new TextRun('.')],
    }),
  ];
  const footnotes = { 1: { children: [new Paragraph('Two members voted against it.')] } };
  const bytes = await Packer.toBuffer(new Document({ footnotes, sections: [{ children }] }));
  expect((await rig.extract('a.docx', bytes)).text).toBe(
    'The rate was raised by a quarter.\n\nTwo members voted against it.',
  );
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

  it('tells no turns where it names nobody, so that who speaks is found out in its text', async () => {
    const content = 'Operator: Good day.\nAnn Brown: Sales rose.';
    const read = async (turns: readonly unknown[]) => rig.extract('a.json', JSON.stringify(turns));
    const nobody = await read([{ symbol: 'ACME', content }]);
    expect([nobody.text, nobody.turns]).toEqual([content, undefined]);
    expect((await read([{ content, section: 'Q&A' }])).turns).toHaveLength(1);
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
