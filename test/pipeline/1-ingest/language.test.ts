import { describe, expect, it } from 'vitest';
import { detectLanguage, isEnglish, nameOfLanguage } from '../../../pipeline/1-ingest/language.js';
import { readDocument } from '../../../pipeline/1-ingest/read-document.js';
import { hashText } from '../../../src/files.js';
import { openRig } from './rig.js';

const rig = openRig();

const FOREIGN: Readonly<Record<string, string>> = {
  ar: 'قررت لجنة السياسة النقدية الإبقاء على أسعار الفائدة دون تغيير. ارتفع معدل التضخم السنوي إلى 2.3 في المائة في مارس.',
  cs: 'Bankovní rada rozhodla ponechat úrokové sazby beze změny. Inflace v březnu vzrostla na 2,3 procenta.',
  de: 'Der Rat beschloss, die Leitzinsen unverändert zu belassen. Die Inflationsrate stieg im März auf 2,3 Prozent.',
  es: 'El Comité decidió mantener la tasa de interés en su nivel actual. La inflación anual aumentó 0,3 puntos en marzo.',
  fr: 'Le Conseil a décidé de laisser les taux directeurs inchangés. L’inflation a augmenté de 0,3 point en mars.',
  it: 'Il Consiglio ha deciso di lasciare invariati i tassi di interesse. L’inflazione è salita al 2,3 per cento a marzo.',
  ja: '政策委員会は金融市場調節方針を維持することを決定した。消費者物価の前年比は2.3％となった。',
  ms: 'Jawatankuasa memutuskan untuk mengekalkan Kadar Dasar Semalaman pada 3.00 peratus. Inflasi meningkat pada bulan Mac.',
  nl: 'De Raad besloot de beleidsrente ongewijzigd te laten. De inflatie is in maart gestegen tot 2,3 procent op jaarbasis.',
  pt: 'O Comitê decidiu manter a taxa básica de juros em 13,75% ao ano. A inflação permaneceu elevada em julho.',
  ru: 'Банк принял решение сохранить ключевую ставку. Годовая инфляция в марте составила 2,3%.',
  sv: 'Direktionen beslutade att lämna styrräntan oförändrad. Inflationen steg till 2,3 procent i mars.',
  tr: 'Kurul, politika faizini sabit tutmaya karar vermiştir. Tüketici enflasyonu mart ayında yüzde 2,3 arttı.',
  zh: '货币政策委员会决定维持利率不变。三月份消费者物价指数同比上涨2.3%。经济增长面临下行风险。',
};

const english =
  'The Committee decided to keep the rate at its level for the time being, as the risks to the outlook were balanced. ';

describe('the language of a text', () => {
  it.each(Object.entries(FOREIGN))('is %s where it is', async (code, text) => {
    expect(await detectLanguage(text)).toBe(code);
    expect(await detectLanguage(`${text}\n`.repeat(100))).toBe(code);
  });

  it.each([
    english,
    `CPI inflation rose by 0.3 pp to 4.5% y/y in March (Feb: 4.2%), and the core rate to 3.9%. It was the highest since 2008.`,
    `${'Present: Mario Marcel, Governor; Joaquín Vial, Vice-Governor; Pablo García, Alejandro Zurbuchen. '.repeat(8)}${english.repeat(12)}`,
    `${english.repeat(30)}${'Sales 410 420 430\nCost of sales 200 210 220\nGross profit 210 210 210\n'.repeat(30)}`,
  ])('is English with names, figures and tables in it (%#)', async (text) => {
    expect(await detectLanguage(text)).toBe('en');
  });

  it.each(['2020 0.1 2021 0.2', 'Operator', 'Sì, grazie.', ''])(
    'is left open where there is too little of it: %j',
    async (text) => {
      expect(await detectLanguage(text)).toBe('und');
    },
  );

  it('is that of the larger part, wherever it stands', async () => {
    expect(await detectLanguage(english.repeat(40) + `${FOREIGN.es} `.repeat(20))).toBe('en');
    expect(await detectLanguage(english.repeat(10) + `${FOREIGN.es} `.repeat(40))).toBe('es');
  });

  it('has a name', () => expect(['es', 'zh'].map(nameOfLanguage)).toEqual(['Spanish', 'Chinese']));

  it('is told as English at once by its function words', () => {
    expect(isEnglish(english)).toBe(true);
    expect(Object.values(FOREIGN).filter(isEnglish)).toEqual([]);
  });
});

describe('a document that is not English', () => {
  const read = (text: string) =>
    readDocument(
      {
        dataset: 'wcb',
        documentId: 'a',
        partition: 'a/2020',
        dimensions: {},
        title: null,
        sourceUrl: null,
        file: `${rig.write({ 'a.txt': text })}/a.txt`,
        path: 'a.txt',
        fileSha256: hashText(text),
        bytes: 1,
      },
      rig.open(),
    );

  it('is a reject that names the language', async () => {
    const reason = expect.stringMatching(/^The text is not in English: it looks like Czech \(cs\)\./);
    expect(await read(FOREIGN.cs ?? '')).toEqual({
      kind: 'reject',
      reject: { dataset: 'wcb', subject: 'a.txt', stage: 'ingest', reason },
      fault: 'file',
      why: reason,
    });
  });

  it('is none where only a paragraph of it is foreign', async () => {
    const found = await read(`${english.repeat(5)}\n\n${FOREIGN.es}\n\n${english.repeat(5)}`);
    expect(found).toMatchObject({ kind: 'document', row: { language: 'en' } });
  });
});
