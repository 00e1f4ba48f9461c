import { describe, expect, test } from 'vitest';
import { openEngine } from '../../../src/inference/engine.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { VARIANT_NAMES, VARIANTS } from '../../../src/inference/variants.js';
import { packagePath } from '../../../src/package-root.js';

/**
 * What nobody should have to doubt: short statements in which a direction and the thing it is said of decide. They were
 * written by hand before the networks that are held to them were made; six happen to be among what is learnt too.
 */
type Statements = Record<string, Record<string, Record<string, readonly string[]>>>;
const PLAIN: Statements = {
  'central-bank': {
    cb_stance_label: {
      Hawkish: [
        'The Committee decided to reduce its asset purchases.',
        'Unemployment fell to 3.9 percent.',
        'The Bank raised its policy rate by 25 basis points.',
        'The Governing Council will end net asset purchases in June.',
        'Reserve requirements for banks were increased.',
        'The unemployment rate has declined further since March.',
        'Inflation rose again.',
        'The Committee began to shrink its balance sheet.',
        'Wage growth has picked up markedly.',
        'The term funding scheme was closed to new drawings.',
        'Fewer firms went bankrupt than in the year before.',
        'The pace of balance sheet runoff will be increased.',
      ],
      Dovish: [
        'The Committee decided to increase its asset purchases.',
        'Unemployment rose to 6.2 percent.',
        'The Bank cut its policy rate by 50 basis points.',
        'The Bank will buy more government bonds.',
        'The required reserve ratio was lowered by half a point.',
        'The unemployment rate has increased further since March.',
        'Inflation fell again.',
        'The balance sheet will be expanded.',
        'Wage growth slowed markedly.',
        'Lending to banks at favourable rates was extended.',
        'More people were out of work than a year ago.',
        'The pace of balance sheet runoff will be slowed.',
      ],
      Neutral: ['The Board left the policy rate unchanged.', 'The size of the balance sheet did not change.'],
    },
    cb_enhanced_uncertain_label: {
      'High Uncertainty': ['Uncertainty has increased.', 'The risks to the outlook have risen.'],
      'Low Uncertainty': ['Uncertainty has diminished.', 'The risks to the outlook have receded.'],
    },
  },
  'earnings-call': {
    ec_financial_sentiment: {
      Positive: [
        'Revenue grew 8%.',
        'Churn fell again.',
        'Our costs came down in the quarter.',
        'The net loss narrowed.',
        'Bad debt declined.',
        'We reduced debt by 200 million dollars.',
        'Credit losses were lower than a year ago.',
        'Margins expanded.',
      ],
      Negative: [
        'Revenue fell 8%.',
        'Churn rose again.',
        'Our costs went up in the quarter.',
        'The net loss widened.',
        'Bad debt increased.',
        'Orders declined for the third quarter in a row.',
        'Credit losses were higher than a year ago.',
        'Margins contracted.',
      ],
    },
    ec_growth: {
      'Positive Growth': [
        'Revenue grew 8%.',
        'Shipments increased.',
        'We added to our backlog.',
        'Same-store sales rose.',
      ],
      'Negative Growth': [
        'Revenue fell 8%.',
        'Shipments decreased.',
        'Our backlog shrank.',
        'Same-store sales declined.',
      ],
    },
    ec_material_impact: {
      'Positive Impact': [
        'The acquisition increased our revenue.',
        'Lower freight rates reduced our costs.',
        'The new plant lifted margins.',
      ],
      'Negative Impact': [
        'The strike reduced our revenue.',
        'Tariffs increased our costs.',
        'The hurricane hurt volumes.',
      ],
    },
  },
};

/**
 * Statements in which the direction word is not yet the answer: denied, ruled out, bound to a condition, weighed against
 * another, counted or feared. Written by hand; four happen to be among what is learnt too.
 */
const TURNED: Statements = {
  'central-bank': {
    cb_stance_label: {
      Hawkish: [
        'In the view of all members, this would not be the last increase.',
        'Should inflation refuse to fall, we will raise it again.',
        'It is too early to talk about rate cuts.',
        'There is no reason to lower the policy rate at this stage.',
        'Inflation has still not come down.',
        'Unemployment has stopped rising.',
        'The Board saw no need for further asset purchases.',
        'Although growth has slowed, the Committee decided to raise the policy rate.',
        'Rates will not be cut until inflation is back at target.',
        'Fewer people are looking for work than a year ago.',
        'More firms intend to raise their prices.',
        'Upside risks to inflation have increased.',
        'Unless inflation falls quickly, the Bank will have to tighten further.',
        'The fall in prices came to an end.',
        'Unemployment fell and wages rose.',
        'The danger of a recession has receded.',
      ],
      Dovish: [
        'This was probably the last increase in the policy rate.',
        'Should growth fail to pick up, we will lower rates again.',
        'It is too early to talk about rate increases.',
        'There is no reason to raise the policy rate at this stage.',
        'Growth has still not picked up.',
        'Unemployment has stopped falling.',
        'The Board saw no need to shrink the balance sheet.',
        'Although inflation has risen, the Committee decided to cut the policy rate.',
        'Rates will not be raised until unemployment has fallen.',
        'Fewer vacancies were posted than a year ago.',
        'More firms intend to lay off workers.',
        'Upside risks to inflation have diminished.',
        'Unless demand recovers soon, the Bank will have to ease further.',
        'The rise in prices came to an end.',
        'Unemployment rose and wages fell.',
        'The danger of a recession has grown.',
      ],
      Neutral: ['Inflation rose while output fell.', 'Output recovered, but inflation declined.'],
    },
    cb_enhanced_uncertain_label: {
      'High Uncertainty': ['Uncertainty has not gone away.', 'The decline in uncertainty did not last.'],
      'Low Uncertainty': ['Uncertainty did not increase any further.', 'The rise in uncertainty has ended.'],
    },
  },
  'earnings-call': {
    ec_financial_sentiment: {
      Positive: [
        'We lost fewer customers than we did a year ago.',
        'Headwinds eased.',
        'Costs rose less than we had expected.',
        'Revenue grew faster than costs.',
        'Churn has stopped rising.',
        'Far fewer orders were cancelled.',
        'The decline in margins has ended.',
        'Pressure on prices has abated.',
        'Bad debt did not increase.',
        'More customers renewed their contracts.',
      ],
      Negative: [
        'Tailwinds faded.',
        'We won fewer contracts than we did a year ago.',
        'Revenue grew less than we had expected.',
        'Costs grew faster than revenue.',
        'We failed to bring down costs.',
        'Far fewer orders came in.',
        'The growth in subscribers has come to an end.',
        'Our momentum has waned.',
        'Margins did not improve.',
        'More customers left us.',
      ],
    },
    ec_growth: {
      'Positive Growth': ['Revenue grew, but costs grew faster.', 'While expenses rose, so did sales.'],
      'Negative Growth': ['Revenue fell, but costs fell faster.', 'While expenses fell, sales fell too.'],
    },
    ec_material_impact: {
      'Positive Impact': [
        'Without the acquisition, revenue would have declined.',
        'But for our cost programme, expenses would have risen.',
        'Price increases kept margins from falling.',
      ],
      'Negative Impact': [
        'Without the strike, revenue would have grown.',
        'But for the hurricane, volumes would have risen.',
        'Component shortages kept deliveries from rising.',
      ],
    },
  },
};

/**
 * Statements in everyday words, in pairs that a modal verb, a denied adjective, a level or an idiom turns. Written by hand
 * when it was seen that the networks of then misread 22 of 34 and 28 of 46, whatever such a phrase was said of
 * (models/training/probes.py); 13 happen to be among what is learnt since, and 18 are near to some of it.
 */
const EVERYDAY: Statements = {
  'central-bank': {
    cb_stance_label: {
      Hawkish: [
        'Policy is too loose.',
        'Monetary policy is not tight enough.',
        'We cannot cut rates yet.',
        'The Bank is unable to lower its rate this year.',
        'Inflation has not been beaten.',
        'The fight against inflation is not over.',
        'We must bring inflation down.',
        'The Board is worried about inflation.',
        'Inflation is no longer low.',
        'There is no room to ease.',
        'Rates are too low.',
        'Inflation fell less than expected.',
        'One member would have preferred a smaller cut.',
      ],
      Dovish: [
        'Policy is too tight.',
        'Monetary policy is not loose enough.',
        'We cannot raise rates yet.',
        'The Bank is unable to raise its rate this year.',
        'Inflation has been beaten.',
        'The fight against inflation is over.',
        'We must support the economy.',
        'The Board is no longer worried about inflation.',
        'Inflation is no longer high.',
        'There is no room to tighten.',
        'Rates are too high.',
        'Inflation rose less than expected.',
        'One member would have preferred a smaller increase.',
      ],
    },
    cb_enhanced_uncertain_label: {
      'High Uncertainty': [
        'Nothing about the outlook is certain.',
        'The path ahead cannot be predicted.',
        'We are not sure how strong demand is.',
      ],
      'Low Uncertainty': [
        'The outlook is certain.',
        'The path ahead is easy to predict.',
        'We are sure of our forecast.',
        'The picture is no longer unclear.',
      ],
      Neutral: ['Certain banks pay a lower fee.'],
    },
  },
  'earnings-call': {
    ec_financial_sentiment: {
      Positive: [
        'Demand is not weak.',
        'Business could not be better.',
        'There is nothing wrong with our balance sheet.',
        'We are out of the woods.',
        'Margins did not suffer.',
        'Our costs are not up.',
        'Revenue fell less than expected.',
        'We are in the black.',
        'The business is on the mend.',
      ],
      Negative: [
        'Demand is not strong.',
        'Business could be better.',
        'There is something wrong with our pricing.',
        'We are not out of the woods.',
        'Margins suffered.',
        'Our costs are not down.',
        'Results left much to be desired.',
        'We are in the red.',
        'The business is on the slide.',
        'We are behind schedule.',
      ],
    },
    ec_growth: {
      'Positive Growth': [
        'We went from nine stores to twelve.',
        'Bookings have never been larger.',
        'More people use our app.',
      ],
      'Negative Growth': [
        'We went from twelve stores to nine.',
        'Our user base is smaller than it was.',
        'We gave up some volume.',
        'Fewer people use our app.',
        'We closed ten stores.',
      ],
      Neutral: ['Revenue did not grow.', 'Our user base is not growing.', 'Orders are not shrinking.'],
    },
    ec_material_impact: {
      'Positive Impact': [
        'The new system made our work easier.',
        'The cold winter did us good.',
        'The merger worked in our favor.',
        'The tax cut adds to our profit.',
      ],
      'Negative Impact': [
        'The new system made our work harder.',
        'The cold winter did us harm.',
        'The merger set us back.',
        'The weather did us no favors.',
        'The strike at our plant sent customers away.',
      ],
      Neutral: ['The cold winter did us no harm.', 'The merger left results unchanged.', 'The weather was mild.'],
    },
    ec_forward_looking: {
      'Not Forward Looking': ['Last year we expected sales to fall.', 'Sales were expected to fall, but they rose.'],
      'Forward Looking': ['We expect sales to fall.', 'Sales are expected to rise.'],
    },
  },
};

/** A statement of a figure of now, in place of x, and of one before, in place of y, either way round. */
type Compared = readonly [statement: string, larger: string, smaller: string];
const eitherWay = (compared: readonly Compared[], rose: string, fell: string): Record<string, readonly string[]> => {
  const told = (x: number, y: number): string[] =>
    compared.map((row) => row[0].replace('{x}', row[x] ?? '').replace('{y}', row[y] ?? ''));
  return { [rose]: told(1, 2), [fell]: told(2, 1) };
};

/** Statements in which nothing but two figures tells what rose and what fell. */
const COMPARED: Statements = {
  'central-bank': {
    cb_stance_label: eitherWay(
      [
        ['Inflation was {x} in May, compared with {y} in April.', '2.6 percent', '2.3 percent'],
        ['Core inflation stood at {x} after {y} in the month before.', '3.1%', '2.9%'],
        ['GDP growth was {x} in the second quarter, against {y} in the first.', '0.7 percent', '0.2 percent'],
        ['In June annual wage growth was {x}, following {y} in March.', '4.25 percent', '3.8 percent'],
      ],
      'Hawkish',
      'Dovish',
    ),
  },
  'earnings-call': {
    ec_growth: eitherWay(
      [
        ['Diluted earnings per share were {x}, compared to {y} a year ago.', '$0.92', '$0.53'],
        ['Revenue was {x}, compared to {y} in the prior year.', '$1.2 billion', '$950 million'],
        ['Non-GAAP operating margin was {x} compared to {y} last year.', '24%', '18%'],
        ['Net sales in the quarter were {x} versus {y} in Q3 2019.', '$1,204.5 million', '$1,196.2 million'],
        ['Subscribers stood at {x} against {y} at the end of June.', '1,450,000', '1,380,000'],
        ['Free cash flow went from {y} to {x}.', '$410 million', '$180 million'],
      ],
      'Positive Growth',
      'Negative Growth',
    ),
    ec_financial_sentiment: eitherWay(
      [
        ['Operating income was {x}, compared with {y} in the same quarter last year.', '$89 million', '$69 million'],
        ['Gross margin was {x} for the quarter versus {y} a year ago.', '43.2%', '40.5%'],
      ],
      'Positive',
      'Negative',
    ),
  },
};

/**
 * Of the statements of one package, how many may be read otherwise: what the shipped networks get wrong today (of the
 * turned ones, before they had learnt any, 18 and 16 of 38 and 30; of those of two figures, before any network could tell
 * figures apart, 6 and 8 of 8 and 16). A network that is to ship may get no more wrong.
 */
const GROUPS = [
  { of: 'plain', statements: PLAIN, mostWrong: { 'central-bank': 0, 'earnings-call': 0 } },
  { of: 'turned', statements: TURNED, mostWrong: { 'central-bank': 1, 'earnings-call': 1 } },
  { of: 'everyday', statements: EVERYDAY, mostWrong: { 'central-bank': 8, 'earnings-call': 13 } },
  { of: 'compared', statements: COMPARED, mostWrong: { 'central-bank': 0, 'earnings-call': 0 } },
] as const;
const CASES = GROUPS.flatMap(({ of, statements, mostWrong }) =>
  Object.entries(statements).map(([name, models]) => ({
    name,
    of,
    models,
    mostWrong: mostWrong[name as keyof typeof mostWrong],
  })),
);

describe.each(CASES)('$name, of $of statements', ({ name, models, mostWrong }) => {
  test.each(VARIANT_NAMES)('%s reads no more of them otherwise than may be', async (variant) => {
    const { folder, maxLength, padId, joined, outputs } = await loadModelPackage(packagePath('models', name), variant);
    const opened = { folder, file: VARIANTS[variant], maxLength, padId, joined };
    const engine = await openEngine(opened, { provider: 'cpu', threads: 1, microBatch: 32 });
    const wrong: string[] = [];
    for (const [model, statements] of Object.entries(models)) {
      const output = outputs.get(model);
      const cases = Object.entries(statements).flatMap(([label, texts]) => texts.map((text) => ({ text, label })));
      const { outputs: answers } = await engine.classify({
        texts: cases.map(({ text }) => text),
        outputs: [output?.name ?? ''],
      });
      cases.forEach(({ text, label }, at) => {
        const said = output?.labels[answers[0]?.labels[at] ?? Number.NaN];
        if (said !== label) wrong.push(`${model}: ${text} ${said}, not ${label}`);
      });
    }
    await engine.close();
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostWrong);
  });
});
