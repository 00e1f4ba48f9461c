/**
 * Hard cases by kind, written for this project: each is the units of a text, and the text itself where it is not the units
 * joined by a space.
 */
export interface Case {
  readonly units: readonly string[];
  readonly text?: string;
}

const joined = (...units: string[]): Case => ({ units });
const cut = (text: string, ...units: string[]): Case => ({ text, units });

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  'ordinary stops': [
    joined('The committee met on Tuesday.', 'It left the rate unchanged.'),
    joined('Was demand weaker than thought?', 'Most members doubted it.', 'What a quarter!', 'Thank you.'),
    joined('Growth was 2.4%.', '2.1 million jobs were added.', '70% of them were part-time.'),
    joined('Orders fell to 14.', '"That is a poor number," one member said.'),
    joined('We are pleased with how it stands.', 'with the plant we can do more.'),
    joined('Wages rose by 3.5%, i.e. faster than prices, in the U.K. and elsewhere.'),
  ],
  'acronyms at the end of a sentence': [
    joined('Demand slowed in the U.S. in spring.', 'We see it recover.'),
    joined('Shipments fell outside the U.S.', 'We expect them to recover.'),
    joined('They raised yields on U.S. Treasury notes and U.S. Government bonds.'),
    joined('Sales doubled in the U.K.', 'Margins were flat.'),
    joined('Most plants are in the U.S.', 'Deliveries from there grew.'),
  ],
  'companies and titles': [
    joined('I welcome you to the call of Northwind Bearings, Inc.', 'Please go ahead.'),
    joined('Welcome to the Northwind Bearings, Inc. Third Quarter Earnings Conference Call.'),
    joined("Northwind Bearings, Inc.'s margins were flat."),
    joined('We sold the unit to Halden & Co. in March.', 'It closed in May.'),
    joined('Voting for: Mr. Aldous, Ms. Brannigan, Messrs. Cole and Dunmore, and Dr. Eberle.', 'Voting against: None.'),
    joined('Prof. Lindqvist and Gov. Marsh dissented.', 'They preferred a cut.'),
  ],
  'initials and labels': [
    joined('The motion of J. R. Halvorsen was seconded by K. Oduya.', 'It passed.'),
    joined('Deliveries of the Model Q.', 'And then those of the Model R.'),
    joined('The plan is for vitamin K.', 'Sunlight provides another.'),
    joined('Nobody saw it coming, least of all you and I.', 'That was the lesson.'),
    joined('The reasons were these: A. To steady prices; and B. To steady demand.'),
  ],
  'times, dates and numbers': [
    joined('The meeting began at 9:00 a.m. and was adjourned at 11:35 a.m.', 'The chairman reopened it after lunch.'),
    joined('The call starts at 5 p.m. Eastern Time.', 'A replay follows.'),
    joined('At 8 a.m. Mr. Okafor opened the session.', 'He closed it at 2 p.m.', 'Mr. Okafor then left.'),
    joined('The minutes will be out on Jan. 14 and Feb. 11.'),
    joined('Our No. 1 aim is safety, see p. 12 and Sec. 4.', 'Our second is growth.'),
    joined('Will you raise it again?', 'No.', 'No.', 'We are done.'),
    joined('Revenue was approx. $40 million vs. $38 million a year ago.'),
    joined('We carry cables, relays, etc.', 'These sell well.'),
    joined('We carry cables, relays, etc., and sell them.'),
  ],
  'quotations and brackets': [
    joined('He said, "We did not vote for it.', 'We will not defend it."', 'Nobody answered.'),
    joined('"It is enough." she said.'),
    joined('The desk will buy bills at a steady pace."', 'The vote also covered the statement below.'),
    joined('The rate (it had been cut twice. Nobody minded.) stayed put.'),
    joined('Exports fell.', '(Imports did as well.)', 'The balance was unchanged.'),
    joined('[Operator Instructions]', 'Our first question comes from Ines Karlsson.', 'Your line is open.'),
    joined('I thank you all [Indecipherable].', 'We can begin.'),
    joined('Operator: [Operator Instructions]', 'Our next question comes from Lars Modin.'),
  ],
  'ellipses and exclamations': [
    joined('We thought... well, we hoped for more.'),
    joined('I never said that....', 'You did.'),
    joined('Sales at Hurrah! stores rose.', 'They fell elsewhere.'),
    joined('We tried . . . and tried again.'),
  ],
  'footnote marks': [
    joined('The policy was approved.3', 'Members then turned to the outlook.'),
    joined('The meeting was set for June 4, 2019.2', 'It was moved later.'),
    joined('The bank bought bonds.[7]', 'Yields fell.'),
    joined('Inflation was 2.1 in May and 2.4 in June.'),
    joined('It beat the market.*', 'That surprised us.'),
  ],
  'stops without a space': [
    cut('Prices fell in the north.The south was spared.', 'Prices fell in the north.', 'The south was spared.'),
    cut('Is it over?Thanks for asking.', 'Is it over?', 'Thanks for asking.'),
    cut('They sold 4,000.That was less than before.', 'They sold 4,000.', 'That was less than before.'),
    joined('Write to Ada.Berg@example.org or see www.example.org/Prices.Html today.'),
    cut('RATE DECISIONThe board raised the rate.', 'RATE DECISION', 'The board raised the rate.'),
  ],
  'wrapped lines': [
    cut(
      'Members noted that growth in the euro area had been weaker than in\nSpain and that trade had suffered. The outlook for the coming\nquarters was unchanged.',
      'Members noted that growth in the euro area had been weaker than in\nSpain and that trade had suffered.',
      'The outlook for the coming\nquarters was unchanged.',
    ),
    cut(
      'Members noted that growth abroad had been\n\nweaker than expected and that trade had\n\nsuffered. They were concerned about\n\nGermany.',
      'Members noted that growth abroad had been\n\nweaker than expected and that trade had\n\nsuffered.',
      'They were concerned about\n\nGermany.',
    ),
    cut(
      'The minutes of the meeting held on\n8 and 9 May were approved. They run to\n2021. The next follows.',
      'The minutes of the meeting held on\n8 and 9 May were approved.',
      'They run to\n2021.',
      'The next follows.',
    ),
    cut('It was a short-\nterm rise in prices.', 'It was a short-\nterm rise in prices.'),
    cut(
      'The replay opens at about 4 p.m.\n\neastern time on the same page. It stays for a week.',
      'The replay opens at about 4 p.m.\n\neastern time on the same page.',
      'It stays for a week.',
    ),
    cut(
      'Support came from Mr. A. Tanaka, Mr. B. Ueda, and Ms. C.\nVogel, who had argued for a cut before the meeting began.',
      'Support came from Mr. A. Tanaka, Mr. B. Ueda, and Ms. C.\nVogel, who had argued for a cut before the meeting began.',
    ),
  ],
  'breaks between wrapped lines': [
    cut(
      'Members noted that growth abroad had been weaker than\nexpected. The northern provinces fared better in 2019\nThe southern ones did not. Wages in all of them were\nflat.',
      'Members noted that growth abroad had been weaker than\nexpected.',
      'The northern provinces fared better in 2019',
      'The southern ones did not.',
      'Wages in all of them were\nflat.',
    ),
    cut(
      'The staff expected that prices would rise by about\n\n12. The board expected less, and some of its\n\nmembers nothing.',
      'The staff expected that prices would rise by about\n\n12.',
      'The board expected less, and some of its\n\nmembers nothing.',
    ),
    cut(
      'We hope to see many of you again in the coming weeks at one of the\nevents in Oslo and\n4\nin Bergen.',
      'We hope to see many of you again in the coming weeks at one of the\nevents in Oslo and',
      '4',
      'in Bergen.',
    ),
  ],
  'headings, lists and rows': [
    cut(
      'Financial markets\n4 Yields had risen. Spreads were flat.',
      'Financial markets',
      '4 Yields had risen.',
      'Spreads were flat.',
    ),
    cut('# Summary\n\nThe rate was cut.', '# Summary', 'The rate was cut.'),
    cut('**Outlook**\nPrices will ease.', '**Outlook**', 'Prices will ease.'),
    cut(
      'The board decided:\n(a) to cut the rate;\n(b) to say so.',
      'The board decided:',
      '(a) to cut the rate;',
      '(b) to say so.',
    ),
    joined('They weighed (i) prices; (ii) wages; and (iii) trade.'),
    cut('12. Prices rose.\n13. Wages fell.', '12. Prices rose.', '13. Wages fell.'),
    cut('A7 Retail sales rose.\n\nA8 Car sales fell.', 'A7 Retail sales rose.', 'A8 Car sales fell.'),
    cut('- Oil prices rose.\n- Food prices fell.', '- Oil prices rose.', '- Food prices fell.'),
    cut('7.\nThe economy grew at a slower pace.', '7.\nThe economy grew at a slower pace.'),
    cut('|Year|Rate|\n|---|---|\n|2020|0.5|', '|Year|Rate|', '|2020|0.5|'),
    cut('1) The first point 2) The second point', '1) The first point', '2) The second point'),
    cut('Chart 4. Prices and wages', 'Chart 4. Prices and wages'),
    cut(
      'Ada Berg – Research\nBo Carlsen – Markets\nCai Dahl – Statistics',
      'Ada Berg – Research',
      'Bo Carlsen – Markets',
      'Cai Dahl – Statistics',
    ),
    cut('The rate was cut.\n\n12\n\n-----\n\n5 Wages rose.', 'The rate was cut.', '12', '5 Wages rose.'),
    cut('Source: Statistics office.\nNote: Monthly data.', 'Source: Statistics office.', 'Note: Monthly data.'),
    cut('PAYROLL CALL | MAY 4, 2022\nThank you all.', 'PAYROLL CALL | MAY 4, 2022', 'Thank you all.'),
  ],
  turns: [
    cut(
      'We are done.\n\nIda Holm -- Chief Financial Officer\n\nThank you.',
      'We are done.',
      'Ida Holm -- Chief Financial Officer',
      'Thank you.',
    ),
    cut('Operator\n\nThank you. Go ahead.', 'Operator', 'Thank you.', 'Go ahead.'),
    cut(
      'Operator: Go ahead.\nIda Holm: Thanks. One question.',
      'Operator: Go ahead.',
      'Ida Holm: Thanks.',
      'One question.',
    ),
    cut('Questions and Answers:\nOperator\n\nWelcome.', 'Questions and Answers:', 'Operator', 'Welcome.'),
  ],
};
