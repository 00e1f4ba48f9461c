import { type Case, cut, joined } from './case.js';

/** Cases in which lines, pages and turns decide. */
export const LAYOUT_CASES: Readonly<Record<string, readonly Case[]>> = {
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
  'wrapped names, brackets and numbers': [
    cut(
      'Ida Holm (Head, Markets\n\t\tDepartment), Bo Carlsen (Deputy Head,\n\t\tResearch\n\t\tDepartment)\n\nMembers met at noon.',
      'Ida Holm (Head, Markets\n\t\tDepartment), Bo Carlsen (Deputy Head,\n\t\tResearch\n\t\tDepartment)',
      'Members met at noon.',
    ),
    cut(
      'After that there will be questions. [Operator\n\nInstructions] Please go ahead.',
      'After that there will be questions.',
      '[Operator\n\nInstructions]',
      'Please go ahead.',
    ),
    cut(
      'Vice President, Investor Relations, Northwind Bearings\nCorp.\nIda Holm',
      'Vice President, Investor Relations, Northwind Bearings\nCorp.',
      'Ida Holm',
    ),
    cut(
      'We have rarely seen a better year for Halden\n& Sons, and the next will be better. Thank you.',
      'We have rarely seen a better year for Halden\n& Sons, and the next will be better.',
      'Thank you.',
    ),
    cut(
      'Those who wanted a cut at the meeting were Mr. A. Tanaka, and Ms.\nC. Vogel. Nobody else spoke.',
      'Those who wanted a cut at the meeting were Mr. A. Tanaka, and Ms.\nC. Vogel.',
      'Nobody else spoke.',
    ),
    cut(
      'The decision was unanimous. Voting for the action:\nIda Holm, Bo Carlsen, and Lars Modin.',
      'The decision was unanimous.',
      'Voting for the action:\nIda Holm, Bo Carlsen, and Lars Modin.',
    ),
    cut('Votes for this proposal:\nMr. A. Tanaka', 'Votes for this proposal:', 'Mr. A. Tanaka'),
    cut(
      'The decline of private consumption was a good deal steeper than in\nQ1. It ended in the summer.',
      'The decline of private consumption was a good deal steeper than in\nQ1.',
      'It ended in the summer.',
    ),
    cut(
      'The guideline for the coming months had been agreed at the meeting on\nApril 3 and 4, 2013.',
      'The guideline for the coming months had been agreed at the meeting on\nApril 3 and 4, 2013.',
    ),
    cut(
      'The board will hold its next meeting on\n15 June 2015\n. The minutes follow.',
      'The board will hold its next meeting on\n15 June 2015\n.',
      'The minutes follow.',
    ),
    cut(
      'But what would it take for you to reconsider\nNordic plans to slow down openings and to focus on the stores that exist?\nNothing.',
      'But what would it take for you to reconsider\nNordic plans to slow down openings and to focus on the stores that exist?',
      'Nothing.',
    ),
  ],
  'paragraphs in capitals': [
    cut(
      'THE INFORMATION IS PROVIDED "AS IS," AND TO THE EXTENT PERMITTED BY LAW, Halden Transcripts, LLC AND ITS LICENSORS,\nBUSINESS ASSOCIATES AND SUPPLIERS DISCLAIM ALL WARRANTIES, INCLUDING WITHOUT LIMITATION EVERY WARRANTY OF ANY IMPLIED\nFITNESS FOR A PURPOSE. NEITHER SHALL THEY BE LIABLE.',
      'THE INFORMATION IS PROVIDED "AS IS," AND TO THE EXTENT PERMITTED BY LAW, Halden Transcripts, LLC AND ITS LICENSORS,\nBUSINESS ASSOCIATES AND SUPPLIERS DISCLAIM ALL WARRANTIES, INCLUDING WITHOUT LIMITATION EVERY WARRANTY OF ANY IMPLIED\nFITNESS FOR A PURPOSE.',
      'NEITHER SHALL THEY BE LIABLE.',
    ),
  ],
  'headings in capitals': [
    cut(
      'NORTHWIND 3Q21 EARNINGS\nCONFERENCE CALL SCRIPT\nMay 4, 2021',
      'NORTHWIND 3Q21 EARNINGS\nCONFERENCE CALL SCRIPT',
      'May 4, 2021',
    ),
    cut('MINUTES OF THE\nNORTHERN BOARD\nPrices rose.', 'MINUTES OF THE\nNORTHERN BOARD', 'Prices rose.'),
    cut('PRESENTATION\nQUESTIONS AND ANSWERS', 'PRESENTATION', 'QUESTIONS AND ANSWERS'),
    cut('May\n19 (Tue.)\n21 (Thu.)', 'May', '19 (Tue.)', '21 (Thu.)'),
  ],
  'pages in the middle of a sentence': [
    cut(
      'Demand came from one customer and one\nNorthwind Bearings, Inc. (NWB)\nQ1 2021 Earnings Call\nCorrected Transcript\n11\nCopyright © 2001-2021 Halden Transcripts, LLC\nregion, which surprised us.',
      'Demand came from one customer and one',
      'Northwind Bearings, Inc. (NWB)',
      'Q1 2021 Earnings Call',
      'Corrected Transcript',
      '11',
      'Copyright © 2001-2021 Halden Transcripts, LLC',
      'region, which surprised us.',
    ),
    cut(
      'We would like\nMAY 26, 2021 / 9:00PM GMT, Q1 2022 Northwind Inc Earnings Call\nto thank you.',
      'We would like',
      'MAY 26, 2021 / 9:00PM GMT, Q1 2022 Northwind Inc Earnings Call',
      'to thank you.',
    ),
    cut(
      'All rights reserved.\nhalden.com/transcripts 12\neasier access to films would help.',
      'All rights reserved.',
      'halden.com/transcripts 12',
      'easier access to films would help.',
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
      'Presentation ............................ 3\nQuestions ............................ 5',
      'Presentation ............................ 3',
      'Questions ............................ 5',
    ),
    cut('CPI-All Items inflation rose. It was 2%.', 'CPI-All Items inflation rose.', 'It was 2%.'),
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
      'Operator: Go ahead.\nIda Holm, CEO Northwind and Halden: Thanks, Bo. We are\npleased. It was a good year.',
      'Operator: Go ahead.',
      'Ida Holm, CEO Northwind and Halden: Thanks, Bo.',
      'We are\npleased.',
      'It was a good year.',
    ),
    cut(
      'Ida Holm\nChairman & Chief Executive Officer, Northwind Bearings, Inc. A\nYeah, Bo. Let me try.',
      'Ida Holm',
      'Chairman & Chief Executive Officer, Northwind Bearings, Inc. A',
      'Yeah, Bo.',
      'Let me try.',
    ),
    cut(
      'Ida Holm Halden Bank, Research Division - MD and Head of the Northern Team\nLars Modin Nordic Bank, Research Division - Analyst',
      'Ida Holm Halden Bank, Research Division - MD and Head of the Northern Team',
      'Lars Modin Nordic Bank, Research Division - Analyst',
    ),
    cut(
      'Operator: Go ahead.\nIda Holm: Thanks. One question.',
      'Operator: Go ahead.',
      'Ida Holm: Thanks.',
      'One question.',
    ),
    cut('Questions and Answers:\nOperator\n\nWelcome.', 'Questions and Answers:', 'Operator', 'Welcome.'),
  ],
};
