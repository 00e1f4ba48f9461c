import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segmentAndMark } from '../../../pipeline/2-segment/mark.js';
import { segment } from '../../../pipeline/2-segment/segment.js';
import { packagePath } from '../../../src/package-root.js';

const ENGLISH =
  'The Committee decided to keep the rate at its level for the time being. Members noted that the risks to the outlook were balanced.';

const FOREIGN: Readonly<Record<string, string>> = {
  cs: 'Bankovní rada rozhodla ponechat úrokové sazby beze změny. Inflace se v posledním čtvrtletí snížila.',
  da: 'Nationalbanken besluttede at fastholde renten på det nuværende niveau. Inflationen er aftaget i år.',
  de: 'Die Nationalbank hält ihren Leitzins unverändert. Der Inflationsdruck hat im Vergleich zum Vorquartal abgenommen.',
  es: 'La Junta de Gobierno decidió mantener la tasa de interés en su nivel. La inflación siguió disminuyendo.',
  fr: 'Le Conseil de direction a décidé de maintenir le taux directeur. Les perspectives restent incertaines.',
  hu: 'A Monetáris Tanács úgy döntött, hogy az alapkamatot változatlanul hagyja. Az infláció tovább csökkent.',
  it: 'Il Consiglio direttivo ha deciso di mantenere invariati i tassi di interesse. La domanda resta debole.',
  ms: 'Jawatankuasa memutuskan untuk mengekalkan kadar dasar. Inflasi dijangka kekal sederhana pada tahun ini.',
  nl: 'De Raad van Bestuur heeft besloten de rente ongewijzigd te laten. De inflatie is verder gedaald in juli.',
  no: 'Komiteen besluttet enstemmig å holde styringsrenten uendret. Prisveksten har avtatt, men er høyere enn målet.',
  pl: 'Rada postanowiła utrzymać stopy procentowe na niezmienionym poziomie. Inflacja obniżyła się w lipcu.',
  pt: 'O Comitê decidiu, por unanimidade, manter a taxa básica de juros. A atividade segue em desaceleração.',
  sv: 'Direktionen beslutade att lämna styrräntan oförändrad. Inflationen har fallit tillbaka under året.',
  tr: 'Kurul, politika faizinin sabit tutulmasına karar vermiştir. Enflasyon son aylarda gerilemiştir.',
  he: 'הוועדה המוניטרית החליטה להותיר את הריבית ללא שינוי. האינפלציה ירדה ברבעון האחרון.',
  ja: '政策委員会は金融市場調節方針を維持することを決定した。消費者物価の前年比は低下した。',
  ru: 'Совет директоров принял решение сохранить ключевую ставку. Инфляция замедлилась в июле.',
  zh: '货币政策委员会决定维持利率不变。三月份消费者物价指数同比上涨。',
};

const document = { kind: 'document' } as const;

/** In lines of about forty characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{36}\S*) /g, '$1\n');

/** What is marked, as text, and in which language. */
const markedOf = async (text: string, kind: 'document' | 'transcript' = 'document') =>
  (await segmentAndMark(text, { kind }))
    .filter(({ mark }) => mark !== undefined)
    .map(({ sentence, mark, language }) => [mark, language, sentence.text]);

describe('what a page prints around its text', () => {
  const PAGES = ['January', 'March', 'June', 'August', 'October'];
  /** Ten lines of text, each one different, then half a sentence that goes on behind the end of the page, or a whole one. */
  const paged = (goesOn: boolean, pageEnd: (page: number) => string): string =>
    PAGES.map((month, at) => {
      const lines = Array.from({ length: 10 }, (_, line) => `It met on ${line} ${month} and decided nothing at all.\n`);
      const [end, begin] = goesOn
        ? [`In ${month} growth was weaker in the north and`, `${month} had no sun.`]
        : ['', ''];
      return `${lines.join('')}${end}\n${pageEnd(at + 1)}\n${begin.toLowerCase()}\n`;
    }).join('');
  const across = PAGES.map(
    (month) => `In ${month} growth was weaker in the north and ${month.toLowerCase()} had no sun.`,
  );

  it.each<readonly [string, (page: number) => string]>([
    ['its number', (page) => `${page}`],
    ['its number in a footer', (page) => `Northern Board | ${page}`],
    ['a footer, its number and a header', (page) => `For release at 2 p.m.\n${page}\n\nMinutes, 3 June 2031`],
    [
      'a notice of several sentences',
      (page) => `Northern Board. All rights kept. Do not copy\nwithout asking.\n${page}`,
    ],
    ['a header behind a form feed', () => '\fMinutes of the Northern Board, 3 June 2031\n'],
  ])('is in no sentence that goes on across it: %s', async (_name, pageEnd) => {
    const units = await segmentAndMark(paged(true, pageEnd), document);
    const texts = units.filter(({ mark }) => mark === undefined).map(({ sentence }) => sentence.text);
    expect(texts.filter((text) => !text.startsWith('It met'))).toEqual(across);
  });

  it('is marked as furniture where a sentence ends above it', async () => {
    const marked = PAGES.flatMap((_, at) => [
      ['furniture', undefined, 'Minutes of the Northern Board'],
      ['furniture', undefined, `Page ${at + 1}`],
    ]);
    expect(await markedOf(paged(false, (page) => `Minutes of the Northern Board\nPage ${page}`))).toEqual(marked);
  });

  it('is what returns there and nothing else: figures of a table and what stands on one page stay', async () => {
    expect(await markedOf(paged(false, (page) => `The vote in ${PAGES[page - 1]} was close.\n7`))).toEqual([]);
    const numbers = PAGES.map((_, at) => ['furniture', undefined, `Page ${at + 1}`]);
    const votes = paged(false, (page) => `The vote in ${PAGES[page - 1]} was close.\nPage ${page}`);
    expect(await markedOf(votes)).toEqual(numbers);
  });

  const statement = (rate: string): string =>
    `The Board decided to raise the policy rate to ${rate} percent.\nIt stands ready to act.\nThe vote was unanimous.\n`;
  const paragraph = (number: number): string =>
    `${number}\nThe Committee noted that, since its meeting,\n${PAGES[number - 12]} had changed ${'a lot of things,\nprices and '.repeat(5)}wages.\n`;

  it.each([
    [
      'a figure that ends a sentence above a form feed',
      'The aim is inflation of\n2 percent.\n\fIt is thought to be\n3 percent.\n\f',
    ],
    [
      'a last word',
      'The Bank looks at growth and at\ninflation.\n\fThe Board asks about\ninflation.\n\fNobody knew.\n',
    ],
    ['one statement behind the other', ['5.1', '5.2', '5.3'].map(statement).join('\f')],
    ['numbered paragraphs that begin alike', [12, 13, 14, 15].map(paragraph).join('')],
    [
      'a sentence said on every page',
      PAGES.map((_, at) => `${'It met.\n'.repeat(10)}${at + 1}\nI vote for it.\n`).join(''),
    ],
    [
      'forecasts by year',
      [2031, 2032, 2033]
        .map((year) => `${year}\nGrowth will be 1.${year % 10} percent.\n${'It met.\n'.repeat(10)}`)
        .join(''),
    ],
  ])('is not %s', async (_what, text) => {
    const units = await segmentAndMark(text, document);
    expect(units.filter(({ mark }) => mark !== undefined)).toEqual([]);
    const kept = units.map(({ sentence }) => sentence.text).join(' ');
    expect(kept.replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/[\s\f]+/g, ' ').trim());
  });
});

describe('a paragraph that is not in English', () => {
  it.each(Object.entries(FOREIGN))(
    'is marked, every sentence of it and no other, where it is in %s',
    async (code, text) => {
      const units = segment(text, document).map((sentence) => ['foreign', code, sentence.text]);
      expect(await markedOf([ENGLISH, text, ENGLISH].join('\n\n'))).toEqual(units);
      const lines = await markedOf([ENGLISH, wrapped(text), ENGLISH].join('\n\n'));
      expect(lines.map(([, , sentence]) => sentence).join(' ')).toBe(text);
    },
  );

  it('is marked in a transcript too', async () => {
    const call = `Operator\n${ENGLISH}\nMaría Soler -- Chief Executive Officer\n${FOREIGN.es}\nOperator\n${ENGLISH}\n`;
    const marked = await markedOf(call, 'transcript');
    expect(marked.map(([mark, language]) => language ?? mark)).toEqual(['speaker', 'speaker', 'es', 'es', 'speaker']);
  });

  it('takes along the heading above it and the short items below it', async () => {
    const passage = ['Decisión de política monetaria', FOREIGN.es, '- Tasa objetivo sin cambios', ENGLISH].join('\n\n');
    expect((await markedOf(`${ENGLISH}\n\n${passage}`)).map(([, , text]) => text)).toEqual([
      'Decisión de política monetaria',
      ...segment(FOREIGN.es ?? '', document).map(({ text }) => text),
      '- Tasa objetivo sin cambios',
    ]);
  });

  it('keeps its place, its span and its text', async () => {
    const text = `${ENGLISH}\n\n${FOREIGN.pt}\n\n${ENGLISH}`;
    expect((await segmentAndMark(text, document)).map(({ sentence }) => sentence)).toEqual(segment(text, document));
  });
});

describe('what is in no language for certain is not marked', () => {
  it.each([
    [
      'a roster',
      'Anthony Dickman (Secretary), Andrea Brischetto (Deputy Secretary), Jean-Claude Trichet, Mário Draghi',
    ],
    [
      'votes',
      'Votes for the proposal: Mr. KURODA Haruhiko, Mr. AMAMIYA Masayoshi, Mr. WAKATABE Masazumi, Ms. NAKAGAWA Junko',
    ],
    ['an address', 'http://www.ecb.europa.eu/press/pr/date/2015/html/pr150122_1_annex.en.html'],
    ['a name', 'Banco Central de Chile'],
    ['a heading', 'Jährliche Teuerungsrate'],
    ['a table', 'Sales 410 420 430 | Ventas netas 410 420 430 | Cost of sales 200 210 220'],
    ['a formula', 'π = β + α'],
    [
      'a foreign name within an English sentence',
      'The Sociedad Hipotecaria Federal and the Comisión Nacional Bancaria y de Valores agreed.',
    ],
    [
      'few function words',
      'Core goods inflation slowed sharply; services inflation remained elevated, reflecting rapid wage growth, buoyant demand.',
    ],
  ])('%s', async (_what, text) => {
    const marked = await markedOf([ENGLISH, text, ENGLISH].join('\n\n'));
    expect(marked.filter(([mark]) => mark === 'foreign')).toEqual([]);
  });

  it('nor is any sentence of the sample', async () => {
    const folder = packagePath('data', 'sample', 'wcb-manifest', 'files');
    const texts = readdirSync(folder).filter((name) => /\.(txt|md)$/.test(name));
    expect(texts.length).toBeGreaterThan(5);
    for (const name of texts)
      expect([name, await markedOf(readFileSync(join(folder, name), 'utf8'))]).toEqual([name, []]);
  });
});

describe('furniture', () => {
  const furnitureOf = async (lines: readonly string[], kind: 'document' | 'transcript' = 'document') =>
    (await markedOf(lines.join('\n\n'), kind)).flatMap(([mark, , text]) =>
      mark === 'furniture' ? [[mark, text]] : [],
    );

  const MENU = [
    'Skip to main content',
    'Home',
    'About the Bank',
    'About the Bank',
    'Our Board',
    'Museum of Coins',
    'Research Papers',
    'Speeches',
    'Exchange of Torn Notes',
    'Research Papers',
    'Home > Policy > Minutes of May',
  ];
  const FOOT = [
    'Tel: +12-3-4567-8901',
    'Exchange of Torn Notes',
    'Other Links',
    'Help',
    'Contact',
    'Links',
    'Site Map',
  ];
  const ROSTER = [
    'Present:',
    'Ms. A. Harbour, Chair',
    'Mr. B. Quay',
    'Ms. C. Pier, Deputy Governor',
    'Secretary: Mr. D. Mole',
  ];

  it('is a menu at the top and at the end, from its first entry to its last, and nothing beside it', async () => {
    const copyright = 'Copyright Bank of Fiction All Rights Reserved.';
    const page = [
      'Minutes of May',
      ...MENU,
      'Minutes of the Meeting in May',
      ...ROSTER,
      ENGLISH,
      'Votes',
      ENGLISH,
      ...FOOT,
      copyright,
    ];
    expect(await furnitureOf(page)).toEqual([...MENU, ...FOOT, copyright].map((text) => ['furniture', text]));
  });

  it.each([
    'Back to top',
    'Copyright 2024, European Central Bank',
    '© 2021 Northwind Bearings.',
    'All rights reserved.',
    'We are always working to improve this website for our users.',
    'This website requires JavaScript for some content and functionality.',
  ])('is what no author writes, wherever it stands: %s', async (line) => {
    expect(await furnitureOf([ENGLISH, line, ENGLISH])).toEqual([['furniture', line]]);
  });

  it.each(['Return to text', 'Duration: 64 minutes', 'Questions from the Floor .................... 12'])(
    'is what stands on a line of its own around a text: %s',
    async (line) => {
      expect(await furnitureOf([ENGLISH, line, ENGLISH])).toEqual([['furniture', line]]);
    },
  );

  it.each([
    '[Operator Closing Remarks]',
    'Operator: [Operator Instructions]',
    '[indiscernible] (00:26:45).',
    '(Multiple Speakers).',
    '(55:56-57:13)',
    '[LONG PAUSE]',
  ])('is a direction that stands alone, since nobody said it: %s', async (direction) => {
    const call = ['Ida Holm: Revenue rose.', direction, 'Ann Quay: It rose [Indecipherable]. [ph] Sure (00:53:51).'];
    expect(await furnitureOf(call, 'transcript')).toEqual([['furniture', direction]]);
  });

  it('is the link back behind a note, which the next note does not begin with', async () => {
    const notes = ['Titles are those of the day of the meeting.', 'Ms. Quay left at noon.', 'It was as follows:'];
    const units = await segmentAndMark(notes.map((note) => `${note}  Return to text\n`).join(''), document);
    expect(units.map(({ sentence, mark }) => [mark, sentence.text])).toEqual(
      notes.flatMap((note) => [
        [undefined, note],
        ['furniture', 'Return to text'],
      ]),
    );
  });

  it('is not joined to the sentence that stands beside it', async () => {
    const teaser = 'In-depth studies and expert analyses covering diverse topics and fields';
    const account = 'Mr Quay reviewed recent developments. Prices rose.';
    expect(await furnitureOf([teaser, account])).toEqual([['furniture', teaser]]);
  });

  it.each([
    'PRESENTATION',
    'P R E S E N T A T I O N',
    'Prepared Remarks:',
    'MANAGEMENT DISCUSSION SECTION',
    'QUESTION AND ANSWER SECTION',
    'Questions & Answers:',
  ])('is what is printed above a part of a call, and not what is in a document: %s', async (heading) => {
    const call = [heading, 'Operator', 'Good day. Revenue rose.', 'The presentation is on our site.'];
    expect(await furnitureOf(call, 'transcript')).toEqual([['furniture', heading]]);
    expect(await furnitureOf([ENGLISH, heading, ENGLISH])).toEqual([]);
  });

  it('is what stands at the head and foot of each page of a call', async () => {
    const page = [
      'Northwind Bearings, Inc. (NWB)',
      'Q3 2021 Earnings Call',
      'Corrected Transcript',
      '28-Oct-2021',
      '1-877-FACTSET www.callstreet.com',
      '4',
      'Copyright © 2001-2021 FactSet CallStreet, LLC',
    ];
    const speech = 'Operator: Good afternoon. Our first question comes from Ann Quay.';
    const call = [
      speech,
      ...page,
      'Ann Quay',
      'Analyst, Harbour Securities, Inc. (HSI)',
      'Thanks. On 28-Oct-2021 you said 4.',
    ];
    expect(await furnitureOf(call, 'transcript')).toEqual(page.map((text) => ['furniture', text]));
  });

  it('is what pages of a call print that lost its line breaks, and the sentences around it are whole', async () => {
    const name = 'REFINITIV STREETEVENTS | www.refinitiv.com | Contact Us';
    const notice =
      "©2031 Refinitiv. All rights reserved. Republication or redistribution of Refinitiv content, including by framing or similar means, is prohibited without the prior written consent of Refinitiv. 'Refinitiv' and the Refinitiv logo are registered trademarks of Refinitiv and its affiliated companies.";
    const header = 'MAY 22, 2031 / 9:00PM, NWB.OQ - Q1 2031 Northwind Bearings Inc Earnings Call';
    const pages = ['timber', 'grain', 'salt', 'wool'];
    const sentences = pages.flatMap((goods) => [
      `We sold more ${goods} than in the quarter before.`,
      `The price of ${goods} rose in all of the 12 markets that we serve today.`,
    ]);
    const call = pages.map((_, page) => {
      const [sold = '', price = ''] = sentences.slice(page * 2);
      const number = page + 1;
      // The page ends between two sentences, or within one; its number is read before the footer, or stands before the header.
      if (page % 2 === 0) return `${sold} ${price} ${number} ${name} ${notice}${header} `;
      return `${sold} ${price.replace(' markets', ` ${name} ${notice} ${number}${header} markets`)} `;
    });
    const marked = await segmentAndMark(call.join(''), { kind: 'transcript' });
    expect(marked.flatMap(({ sentence, mark }) => (mark === undefined ? [sentence.text] : []))).toEqual(sentences);
    const between = pages.flatMap((_, page) => (page % 2 === 0 ? [`${page + 1}`, name, notice, header] : []));
    expect(marked.flatMap(({ sentence, mark }) => (mark === 'furniture' ? [sentence.text] : []))).toEqual(between);
  });

  it('is what the publisher of a call does not answer for, up to the end', async () => {
    const tail = [
      'Disclaimer',
      'The information herein is based on sources we believe to be reliable. Companies may make projections.',
      'All other trademarks are those of their owners.',
    ];
    const call = ['Operator: This concludes the call. You may now disconnect.', ...tail];
    expect((await furnitureOf(call, 'transcript')).map(([, text]) => text).join(' ')).toBe(tail.join(' '));
    const spoken = [
      'Operator: Good day.',
      'Disclaimer',
      'We may make forward-looking statements today.',
      'Revenue rose.',
    ];
    expect(await furnitureOf(spoken, 'transcript')).toEqual([]);
  });

  it('is what a publisher says of its materials below a call, up to the end', async () => {
    const tail = [
      'These materials have been prepared solely for information purposes based upon information generally available to all.',
      'No content may be copied.',
      'Direct investment in a basket is not possible.',
    ];
    const call = ['Operator: This concludes the call. You may now disconnect.', ...tail];
    expect((await furnitureOf(call, 'transcript')).map(([, text]) => text)).toEqual(tail);
  });

  const month = (at: number): string =>
    `In month ${at} members saw prices rise in the north and wages fall in the south of the country.`;

  it('is a passage that a text holds once more, directly behind it or of thirty sentences, and no shorter one, which is quoted', async () => {
    const said = Array.from({ length: 34 }, (_, at) => month(at));
    const page = ['Minutes of May.', ...said];
    const behind = await furnitureOf([...page, ...said.slice(-12), 'Nobody voted against it.', ...said.slice(0, 9)]);
    expect(behind.map(([, text]) => text)).toEqual(said.slice(-12));
    // Page after page, each with what follows it.
    const pages = [...said.slice(2, 20), ...said.slice(8, 20)];
    const apart = await furnitureOf([...page, 'The meeting was closed.', ...pages, 'Nobody voted against it.']);
    expect(apart.map(([, text]) => text)).toEqual(pages);
  });

  it('is not what two meetings of one file decided in the same words', async () => {
    const decided = Array.from({ length: 14 }, (_, at) => month(at));
    const meeting = (name: string): string[] => [`Meeting of ${name}.`, ...decided, `All of ${name} voted for it.`];
    expect(await furnitureOf([...meeting('May'), ...meeting('June')])).toEqual([]);
  });

  it('is an advertisement within what somebody says, and no more than that', async () => {
    const advertisement = [
      '10 stocks we like better than Northwind Bearings',
      'When our team has a stock tip, it can pay to listen.',
      '*Stock Advisor returns as of March 8, 2023',
    ];
    const call = ['Operator: Good day.', ...advertisement, 'Revenue rose by 4%.'];
    expect((await furnitureOf(call, 'transcript')).map(([, text]) => text)).toEqual(advertisement);
    expect(await furnitureOf(call.slice(0, 3), 'transcript')).toEqual([]);
  });

  it.each([
    [
      'headings',
      ['Prices', 'Wages', 'Research', 'Money and Credit', 'Publications', 'Exports', 'Prices', 'Statistics of Trade'],
    ],
    ['a roster', [...ROSTER, ...ROSTER, 'Media', 'Mr. E. Jetty']],
    ['rows of a table', ['2', '1 day', '3 months', '2', '1 day', '6 months', '8.25', '2']],
    ['a company with its ticker', ['Northwind Bearings, Inc. (NWB)', '28-Oct-2021', '4', 'Q3 2021 Earnings Call']],
    [
      'a copyright that is spoken of',
      ['Copyright law matters to us.', 'We reserve all rights.', 'Go to the top of the range.'],
    ],
  ])('is none where there are only %s', async (_what, lines) => {
    expect(await furnitureOf([ENGLISH, ...lines, ENGLISH])).toEqual([]);
  });
});

describe('what only names who speaks or takes part', () => {
  const namingOf = async (lines: readonly string[], kind: 'document' | 'transcript' = 'transcript') =>
    (await markedOf(lines.join('\n'), kind)).flatMap(([mark, , text]) => (mark === 'speaker' ? [text] : []));

  it('is speaker lines, titles below names, letters that say who asks, and who is not known', async () => {
    const call = [
      'Operator',
      'Good day. Our first question comes from Ann Quay of Harbour Securities.',
      'Ann Quay -- Harbour Securities -- Analyst',
      'Thanks. Will you reach the Chief Executive Officer of Eastmere?',
      'Ida Holm',
      'Chief Executive Officer & Director, Northwind, Inc. A',
      'We will. Yes, sir.',
      'Unknown speaker',
      'Thank you. That is all from us.',
      'Bo Carlsen:',
      'Three things: price, cost and time.',
    ];
    expect(await namingOf(call)).toEqual([call[0], call[2], call[4], call[5], call[7], call[9]]);
  });

  it('is the list of participants', async () => {
    const list = [
      'Ida Holm Northwind, Inc. - CEO & President',
      'Bo Carlsen',
      'Senior Vice President, Investor Relations, Northwind, Inc.',
      'Ann Quay - Harbour Securities LLC, Research Division - Senior Analyst',
      'Peter Dahl - Harbour Bank',
    ];
    const call = ['CORPORATE PARTICIPANTS', ...list, 'PRESENTATION', 'Operator', 'Good day, and welcome to the call.'];
    const asked = ['Our first question comes from Peter Dahl.', 'Peter Dahl', 'Thank you. How are margins?'];
    expect(await namingOf([...call, ...asked])).toEqual(['CORPORATE PARTICIPANTS', ...list, 'Operator', 'Peter Dahl']);
  });

  it('is the letter of one who asks or answers unnamed', async () => {
    expect(await namingOf(['Operator', 'Please go ahead.', 'Q', 'How are margins?'])).toEqual(['Operator', 'Q']);
  });

  it.each([
    ['speech behind a name', ['Operator: Good day. We begin.', 'Ann Quay: Thanks, Chief.', 'Ida Holm: Revenue rose.']],
    [
      'a sentence about officers',
      ['Operator', 'With me are Ida Holm, CEO, and Bo Carlsen, our Chief Financial Officer.'],
    ],
    ['a heading', ['Operator', 'Second Quarter Highlights', 'Revenue rose by 4% in the quarter.']],
    [
      'speech without a stop',
      ['Operator', 'Thank You, Chairman Dahl', 'and now we start with our Series A', 'Revenue rose.'],
    ],
  ])('is not %s', async (_what, lines) => {
    expect(await namingOf(lines)).toEqual(lines.filter((line) => line === 'Operator'));
  });

  it('is the list of those present in minutes, with the headings inside', async () => {
    const present = [
      'Ms. I. Holm, Chair, Governor of the Northern Bank',
      'Mr. B. Carlsen',
      'Government Representatives Present',
      'Mr. A. de Quay, Director-General of the Markets Bureau, Ministry of Finance 2',
      'Mr Rimšēvičs*',
      'OLDFIELD Marta, Director-General, Secretariat of the Policy Board',
    ];
    const minutes = ['Members Present', ...present, 'I. Approval of the Minutes', ENGLISH, 'Mr. B. Carlsen dissented.'];
    expect(await namingOf(minutes, 'document')).toEqual(present);
  });

  it('is a line of them, each with what he or she is or not', async () => {
    const list = 'Ida Holm (Governor and Chair), Bo Carlsen AO, Ann de Quay, Peter Dahl (Secretary to the Treasury)';
    const voted = 'Ida Holm (Governor) and Bo Carlsen (Secretary) voted for it.';
    expect(await namingOf(['Members present', list, voted, 'Growth (Annex), Prices'], 'document')).toEqual([list]);
  });

  it.each([
    ['two of them', ['Ms. I. Holm', 'Mr. B. Carlsen', 'The Board met in the morning.']],
    ['headings', ['Prices', 'Wages', 'Mr. Carlsen on Wages and Prices, a Dissent of His', 'Trade', 'Money']],
    [
      'statements without a stop',
      ['GDP Growth', 'Weaker than it was', 'CPI Inflation', 'Rising on food', 'FX Reserves'],
    ],
    ['numbered headings', ['II Inflation', 'III Growth', 'IV Outlook', 'VI Trade, by Minister']],
    ['rows of votes', ['Dr. I. Holm, Member Yes', 'Dr. B. Carlsen, Member No', 'Dr. A. Quay, Member Yes']],
    ['votes', ['Votes for: Ms. I. Holm, Mr. B. Carlsen', 'Votes against: Mr. A. Quay', 'None abstained.']],
  ])('is in a document not %s', async (_what, lines) => {
    expect(await namingOf(lines, 'document')).toEqual([]);
  });
});

describe('cells and rows of a table', () => {
  it('do not take along what stands above and below them', async () => {
    const text = [
      'Rates as of 3 May',
      'Loans',
      '8.25',
      '9.00',
      'Deposits',
      '1 week',
      '7.00',
      '6.50',
      'The Economy',
    ].join('\n');
    expect((await markedOf(`${ENGLISH}\n${text}`)).map(([, , unit]) => unit)).toEqual(text.split('\n').slice(2, -1));
  });

  const cellsOf = async (lines: readonly string[], kind: 'document' | 'transcript' = 'document') =>
    (await markedOf([ENGLISH, ...lines, ENGLISH].join('\n'), kind)).map(([mark, , text]) => [mark, text]);
  const TABLE = ['8.00', 'Overnight loans', '8.25', '9.00', 'Deposit auctions', '1 week', '7.00'];
  const ROWS = [
    'Revenue 140,012 154,675 177,531',
    'Cost of revenue 28,878 33,984 40,856',
    'Plus: costs of',
    'employees 121 132 133',
    'Operating expenses:',
    'Net income per share 0.02 0.03 0.04',
  ];

  const HEAD = [
    '(% a year)',
    'Aim',
    'Facility (kind)',
    'Term',
    'Since 4 May 2031',
    'Lending',
    'Loans against timber; loans against grain; loans against guarantees and other assets that no market trades;',
    '1 night',
  ];

  it('take along the names of the columns and the labels above the first figure, but for the title', async () => {
    const title = 'Rates of the Northern Board';
    const wanted = [...HEAD, ...TABLE, ...TABLE].map((line) => ['table', line]);
    expect(await cellsOf([title, ...HEAD, ...TABLE, ...TABLE])).toEqual(wanted);
    // A title may say itself what is measured.
    expect(await cellsOf([`${title} (% p.a.)`, ...HEAD, ...TABLE, ...TABLE])).toEqual(wanted);
  });

  it('have notes below them, whose numbers stand alone as cells do', async () => {
    const notes = ['Of the Northern Board.', '2', 'Since 4 May.', 'Lent on Mondays.', '3', 'Where asked for.'];
    expect(await cellsOf([...TABLE, ...notes, 'It met.', 'It voted.', '4'])).toEqual(
      [...TABLE, '2', '3'].map((line) => ['table', line]),
    );
  });

  it('are the days of a calendar, the months among them too', async () => {
    const days = [
      '9 (Thur.), 10 (Fri.)',
      '14 (Tue.)',
      'Nov. 27 (Thur.)',
      'Nov.',
      '20 (Thur.)',
      '--',
      'To be told',
      'May 2 (Fri)',
    ];
    expect(await cellsOf(['Days of Meetings', ...days, 'It met on 9 May.'])).toEqual(days.map((day) => ['table', day]));
    expect(await cellsOf(['Annex 1', '26 March 2031', 'The Bank', 'Annex 2', '27 March 2031', 'May', 'June'])).toEqual(
      [],
    );
  });

  const MESSAGES = [
    'Growth slows in the north and in the west',
    'Wages rise faster again',
    'Prices of timber fall back to their level of 2029',
    'Exports of machines recover',
    'Banks lend less to builders and traders',
    'More spent on roads and schools',
    'Debts of the towns reach a peak in May',
    'Risks: weather and freight',
  ];

  it.each([
    ['a few labels, which may be headings', ['Rates of the Northern Board', ...HEAD.slice(-5)]],
    ['messages', MESSAGES],
    ['points of a list', ['Topics', ...HEAD.slice(1).map((label) => `• ${label}`)]],
    ['a sentence', ['Rates', ...HEAD.slice(1), 'The Board lent more.']],
    ['a longer list than the table', ['Rates', ...HEAD, ...HEAD]],
  ])('do not take along what stands above the first figure where it is %s', async (_what, lines) => {
    expect(await cellsOf([...lines, ...TABLE])).toEqual(TABLE.map((line) => ['table', line]));
  });

  it('do not take along headings above rows, which have their labels beside their figures', async () => {
    const headings = ['Northwind', 'Accounts', 'Quarter', 'Region', 'North', 'In millions', 'Income', 'Sales'];
    expect(await cellsOf([...headings, ...ROWS, ...ROWS])).toEqual([...ROWS, ...ROWS].map((line) => ['table', line]));
  });

  it.each([
    ['cells that stand on lines of their own', TABLE],
    ['rows', ROWS],
  ])('are marked, labels among figures too: %s', async (_what, lines) => {
    expect(await cellsOf(lines)).toEqual(lines.map((line) => ['table', line]));
  });

  it.each([
    ['fewer of them', TABLE.slice(1, 6)],
    [
      'what is expected',
      [
        'For the third quarter we expect:',
        'Revenue of $1.2 to $1.3 billion',
        'Gross margin 45% to 46%',
        'Operating expenses $300 - $310 million',
        'Tax rate 15% to 16%',
        'EPS $1.10 to $1.15',
        'We raise our outlook for the full year',
      ],
    ],
    ['messages above figures', ['Inflation is above target', 'Growth slows', 'Risks: wages', '3.1', '2.9', '2.4']],
    ['captions', ['[00:00:01]', 'good morning', '[00:00:04]', 'and thanks', '[00:00:09]', 'here is our chair']],
    [
      'a letterhead',
      [
        'Press relations',
        'Telephone 44 631 31 11',
        'Telefax 44 631 39 10',
        'Zurich',
        '3 June 2031',
        'The Bank lowers its rate',
      ],
    ],
    ['headings', ['Prices', 'Wages', 'Research', 'Money and credit', 'Exports', 'Trade in 2031', 'Annex 1']],
    ['answers', ['10%.', '12%.', '8%?', 'About 9%.', '7%.', '15%, 16%.']],
    [
      'highlights',
      ['Revenue up 4%', 'Margin of 45%', 'Cash of $6 million', 'Debt repaid', 'Stores opened: 12', 'Staff up 3%'],
    ],
  ])('are not %s', async (_what, lines) => {
    expect(await cellsOf(lines)).toEqual([]);
  });
});
