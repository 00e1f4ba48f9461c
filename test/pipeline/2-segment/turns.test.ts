import { describe, expect, it } from 'vitest';
import { segment } from '../../../pipeline/2-segment/segment.js';
import type { Sentence } from '../../../pipeline/2-segment/sentence.js';

const REMARKS = 'We grew in every region this quarter and expect to do so again. '.repeat(30).trim();

const find = (sentences: readonly Sentence[], text: string): Sentence => {
  const found = sentences.find((sentence) => sentence.text.includes(text));
  if (found === undefined) throw new Error(`No sentence has ${text}`);
  return found;
};

const spoken = ({ speaker, role, section }: Sentence): unknown => ({ speaker, role, section });

const DASHED = `Operator

Welcome to the call of Northwind Bearings. After the remarks there will be a question-and-answer session.

Ida Holm -- Vice President, Investor Relations

${REMARKS}

Operator

[Operator Instructions] Our first question comes from Lars Modin.

Lars Modin -- Halden Securities -- Analyst

How are margins?

Ida Holm -- Vice President, Investor Relations

They are fine.`;

const COLONS = `Operator: Welcome to the call. I hand over to Ida Holm.
Ida Holm: ${REMARKS}
Operator: Our first question comes from Lars Modin of Halden Securities.
Lars Modin: How are margins?
Ida Holm: They are fine.`;

const PAIRS = `CORPORATE PARTICIPANTS
Ida Holm
Chief Financial Officer, Northwind Bearings, Inc.
Bo Carlsen
Chief Executive Officer, Northwind Bearings, Inc.
OTHER PARTICIPANTS
Lars Modin
Analyst, Halden Securities LLC
MANAGEMENT DISCUSSION SECTION
Operator: Welcome to the call.
.....................................
Ida Holm
Chief Financial Officer, Northwind Bearings, Inc.
${REMARKS}
QUESTION AND ANSWER SECTION
Operator: Our first question comes from Lars Modin.
.....................................
Lars Modin
Analyst, Halden Securities LLC Q
How are margins?
.....................................
Ida Holm
Chief Financial Officer, Northwind Bearings, Inc. A
They are fine.`;

/** Names alone on their lines, above paragraphs that are lines as long as they are. */
const LISTED = `Northwind Bearings, Inc. (NWB) Q2 2031 Earnings Conference Call

Company Participants

Ida Holm - Head of Investor Relations

Conference Call Participants

Lars Modin - Halden Bank

Operator

Welcome to the call. I turn it over to Ida Holm.

Ida Holm

${REMARKS}

Question-and-Answer Session

Operator

Our first question comes from Lars Modin with Halden Bank.

Lars Modin

How are margins?

Ida Holm

They are fine. ${REMARKS.replaceAll('grew', 'sold')}`;

const LETTERED = LISTED.replace('\nLars Modin\n', '\nQ - Lars Modin\n').replace(
  '\nIda Holm\n\nThey',
  '\nA - Ida Holm\n\nThey',
);

/** Nobody lists them: who is introduced is known. */
const INTRODUCED = LISTED.replace(/Lars Modin - Halden Bank\n\n/, '').replace(/Ida Holm - .*\n/, '');

const TIMED = `Operator (00:00):
Welcome to the call.
Ida Holm, CFO: (00:12)
${REMARKS}
Operator (14:02):
Our first question comes from Lars Modin.
Lars Modin [14:10]
How are margins?
Ida Holm, CFO: (1:14:15)
They are fine.`;

const BRACKETED = `Operator: Welcome to the call. I hand over to Ida Holm.
<A - Ida Holm>: ${REMARKS}
Operator: Our first question comes from Lars Modin of Halden Securities.
<Q - Lars Modin, Halden Securities>: How are margins?
<A - Ida Holm>: They are fine.`;

const EMPHASISED = DASHED.replaceAll(/^(Ida Holm|Lars Modin) -- (.*)$/gm, '**$1** -- *$2*').replaceAll(
  /^Operator$/gm,
  '**Operator**',
);

describe('the speakers of a transcript', () => {
  for (const [shape, text] of Object.entries({
    'Name -- Title': DASHED,
    'Name: text': COLONS,
    'a name above a title': PAIRS,
    'a name that is listed': LISTED,
    'a letter and a name': LETTERED,
    'a name and a time': TIMED,
    'a letter and a name in brackets': BRACKETED,
    'emphasised names': EMPHASISED,
    'a name that is introduced': INTRODUCED,
  })) {
    it(`are read from ${shape}`, () => {
      const sentences = segment(text, { kind: 'detect' });
      expect(spoken(find(sentences, 'Welcome to the call'))).toEqual({
        speaker: 'Operator',
        role: 'operator',
        section: 'prepared_remarks',
      });
      expect(spoken(find(sentences, 'We grew in every region'))).toEqual({
        speaker: 'Ida Holm',
        role: 'executive',
        section: 'prepared_remarks',
      });
      expect(spoken(find(sentences, 'Our first question'))).toEqual({
        speaker: 'Operator',
        role: 'operator',
        section: 'questions_and_answers',
      });
      expect(spoken(find(sentences, 'How are margins'))).toEqual({
        speaker: 'Lars Modin',
        role: 'analyst',
        section: 'questions_and_answers',
      });
      expect(spoken(find(sentences, 'They are fine'))).toEqual({
        speaker: 'Ida Holm',
        role: 'executive',
        section: 'questions_and_answers',
      });
    });
  }

  it('are units of their own that carry the name', () => {
    const line = find(segment(DASHED, { kind: 'detect' }), 'Ida Holm -- Vice');
    expect(line.text).toBe('Ida Holm -- Vice President, Investor Relations');
    expect(line.speaker).toBe('Ida Holm');
  });

  it('come from the format where it states them, with the line that names them', () => {
    const parts = [
      'Bo Carlsen -- Chief Executive Officer',
      'Welcome. It was a year of',
      'Ida Holm',
      'growth, Bo: a good year.',
    ];
    const text = parts.join('\n\n');
    const [, welcome = '', , growth = ''] = parts;
    const sentences = segment(text, {
      kind: 'transcript',
      turns: [
        {
          start: text.indexOf(welcome),
          end: text.indexOf(welcome) + welcome.length,
          speaker: 'Bo Carlsen',
          role: null,
          section: null,
        },
        {
          start: text.indexOf(growth),
          end: text.length,
          speaker: 'Ida Holm',
          role: 'analyst',
          section: 'questions_and_answers',
        },
      ],
    });
    const bo = { speaker: 'Bo Carlsen', role: 'executive', section: 'prepared_remarks' };
    const ida = { speaker: 'Ida Holm', role: 'analyst', section: 'questions_and_answers' };
    expect(sentences.map((sentence) => [sentence.text, spoken(sentence)])).toEqual([
      ['Bo Carlsen -- Chief Executive Officer', bo],
      ['Welcome.', bo],
      ['It was a year of', bo],
      ['Ida Holm', ida],
      ['growth, Bo: a good year.', ida],
    ]);
  });

  it('are what the list of participants says, whatever their titles', () => {
    const text = `EXECUTIVES
Ida Holm
Chief Executive Officer
ANALYSTS
Lars Modin
Halden Securities, LLC, Research Division
Presentation
Ida Holm
Chief Executive Officer
Welcome to the call of Northwind Bearings.
Question and Answer
Lars Modin
Halden Securities, LLC, Research Division
How are margins?
Ida Holm
Chief Executive Officer
They are fine.
Lars Modin
Halden Securities, LLC, Research Division
And sales?
Ida Holm
Chief Executive Officer
They grew.`;
    const sentences = segment(text, { kind: 'transcript' });
    expect(find(sentences, 'And sales').role).toBe('analyst');
    expect(find(sentences, 'They grew').role).toBe('executive');
  });

  it('are operators and analysts too where the name says nothing of it', () => {
    const text = `Candice (Operator): Welcome to the call. I hand over to Ida Holm.
Ida Holm, CEO Northwind and Halden: ${REMARKS}
Candice (Operator): Our first question comes from Lars Modin.
Lars Modin (Halden): How are margins?`;
    const sentences = segment(text, { kind: 'transcript' });
    expect(spoken(find(sentences, 'Our first question'))).toEqual({
      speaker: 'Candice',
      role: 'operator',
      section: 'questions_and_answers',
    });
    expect(find(sentences, 'How are margins').role).toBe('analyst');
    expect(find(sentences, 'We grew in every region').role).toBe('executive');
  });

  it('ask where their title ends in Q and answer where it ends in A', () => {
    const text = `Operator: Welcome to the call.
Lars Modin
Halden Securities LLC Q
How are margins?
Ida Holm
Northwind Bearings, Inc. A
They are fine.`;
    const sentences = segment(text, { kind: 'transcript' });
    expect(find(sentences, 'How are margins').role).toBe('analyst');
    expect(find(sentences, 'They are fine').role).toBe('executive');
  });

  it('speak with the analysts when they head a team at a bank', () => {
    const text = DASHED.replace(
      'Halden Securities -- Analyst',
      'Robert W. Halden and Company Securities -- MD, Head of Bearings',
    );
    expect(find(segment(text, { kind: 'detect' }), 'How are margins').role).toBe('analyst');
  });

  it('may be called as a company would be', () => {
    const sentences = segment(DASHED.replaceAll('Lars Modin', 'Lars Group'), { kind: 'detect' });
    expect(find(sentences, 'How are margins').speaker).toBe('Lars Group');
  });

  it('are named alone on a line in a script, above their greeting', () => {
    const text = `Northwind reports sales of 2.8 million\nIda Holm\nGood morning, ladies and gentlemen.\nBo Carlsen\nThank you Ida. Sales rose.`;
    const sentences = segment(text, { kind: 'transcript' });
    expect(find(sentences, 'Good morning').speaker).toBe('Ida Holm');
    expect(find(sentences, 'Sales rose').speaker).toBe('Bo Carlsen');
    expect(find(segment(text, { kind: 'detect' }), 'Sales rose').speaker).toBeUndefined();
  });

  it('are neither rows of a statement nor words before a dash nor headers', () => {
    const text = `CASH AND\nRESTRICTED CASH — Beginning of\nperiod 198,158 209,012 118,001`;
    for (const sentence of segment(text, { kind: 'transcript' })) expect(sentence.speaker).toBeUndefined();
    const call = DASHED.replace('They are fine.', 'They are fine.\n\nSo -- Vice Chair\n\nFormatted Report\n\nMore.');
    for (const { speaker } of segment(call, { kind: 'transcript' }))
      expect(['Operator', 'Ida Holm', 'Lars Modin']).toContain(speaker);
  });

  it('are no headings that return above paragraphs, of things that are spoken of', () => {
    const said = (heading: string, more: string): string =>
      [1, 2, 3].map((n) => `${heading}\n${more} ${n}.`).join('\n\n');
    const call = `${DASHED}\n\n${said('Global Coffee Alliance', 'We are pleased with the Global Coffee Alliance in region')}\n\n${said('Non-GAAP Operating Margin', 'Our non-GAAP operating margin rose in quarter')}`;
    const sentences = segment(call, { kind: 'transcript' });
    for (const { speaker } of sentences) expect(['Operator', 'Ida Holm', 'Lars Modin']).toContain(speaker);
    const unlisted = segment(`${DASHED}\n\n${said('Mark Long', 'It took long to mark in quarter')}`, {
      kind: 'transcript',
    });
    expect(unlisted.filter(({ speaker }) => speaker === 'Mark Long').length).toBeGreaterThanOrEqual(3);
  });

  it('stand in the questions from their heading on', () => {
    const heading = 'QUESTION AND ANSWER SECTION';
    const sentences = segment(PAIRS, { kind: 'detect' });
    expect(find(sentences, heading).section).toBe('questions_and_answers');
    expect(find(sentences, 'We grew in every region').section).toBe('prepared_remarks');
  });

  it('are not looked for in a document', () => {
    for (const sentence of segment(DASHED, { kind: 'document' })) expect(sentence.speaker).toBeUndefined();
  });

  it('are not found in minutes with a roster and labels', () => {
    const text = `Members present:
Ida Holm, Governor
Bo Carlsen, Deputy Governor
Place: Board room
Voting against: None.
The board met twice.`;
    for (const sentence of segment(text, { kind: 'detect' })) expect(sentence.speaker).toBeUndefined();
  });
});
