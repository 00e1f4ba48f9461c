import { describe, expect, test } from 'vitest';
import { openEngine } from '../../../src/inference/engine.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { VARIANT_NAMES, VARIANTS } from '../../../src/inference/variants.js';
import { packagePath } from '../../../src/package-root.js';

/**
 * What nobody should have to doubt: short statements in which a direction and the thing it is said of decide. They were
 * written by hand before the networks that are held to them were made; six happen to be among what is learnt too.
 */
const CASES: Record<string, Record<string, Record<string, readonly string[]>>> = {
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

/** Of the statements of one package, how many may be read otherwise. */
const MOST_WRONG = 2;

describe.each(Object.entries(CASES))('%s, of plain statements', (name, models) => {
  test.each(VARIANT_NAMES)('%s reads all but a few as anybody would', async (variant) => {
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
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(MOST_WRONG);
  });
});
