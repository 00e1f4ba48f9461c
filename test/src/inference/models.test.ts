import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findModel } from '../../../models/catalog.js';
import { temporaryBeside } from '../../../src/files.js';
import { findFingerprints } from '../../../src/inference/fingerprints.js';
import { describeModels, loadModels, resolveModel } from '../../../src/inference/models.js';
import { PACKAGES } from './reference.js';

let modelsFolder: string;

beforeEach(async () => {
  modelsFolder = await mkdtemp(join(tmpdir(), 'fintext-models-'));
  await cp(join(PACKAGES, 'earnings-call'), join(modelsFolder, 'earnings-call'), { recursive: true });
  return () => rm(modelsFolder, { recursive: true, force: true });
});

const addOwn = (id: string): Promise<void> =>
  cp(join(PACKAGES, 'roberta'), join(modelsFolder, id), { recursive: true });

test('a model is found in the package that the catalog names', () => {
  expect(resolveModel('ec_growth', { modelsFolder })).toMatchObject({
    entry: { id: 'ec_growth' },
    folder: join(modelsFolder, 'earnings-call'),
    output: 'ec_growth',
  });
});

test('a folder of its own wins over the shared package', async () => {
  await addOwn('ec_growth');
  expect(resolveModel('ec_growth', { modelsFolder })).toMatchObject({
    folder: join(modelsFolder, 'ec_growth'),
    output: 'logits',
  });
  const models = await loadModels(['ec_growth', 'ec_financial_sentiment'], { modelsFolder });
  expect(models.get('ec_growth')?.package.kind).toBe('single');
  expect(models.get('ec_financial_sentiment')?.package.kind).toBe('shared');
});

test('a folder of its own from which something is missing is an error: the shared package does not step in', async () => {
  await addOwn('ec_growth');
  const own = join(modelsFolder, 'ec_growth');
  for (const file of ['config.json', 'tokenizer.json']) {
    await rm(join(own, file));
    await expect(loadModels(['ec_growth'], { modelsFolder })).rejects.toThrow(
      new RegExp(`The model package ec_growth has no .*Or delete ${own}, and the package earnings-call answers`),
    );
    await cp(join(PACKAGES, 'roberta'), own, { recursive: true });
  }
});

test('a link of its own that leads nowhere is an error too', async () => {
  await symlink(join(modelsFolder, 'unmounted'), join(modelsFolder, 'ec_growth'));
  await expect(loadModels(['ec_growth'], { modelsFolder })).rejects.toThrow('the folder is missing. Or delete');
});

test('of a package of a user nobody knows what it learnt from: it is from the day on which it was put there', async () => {
  await addOwn('ec_growth');
  const [own, bundled] = ['ec_growth', 'ec_financial_sentiment'].map((id) =>
    describeModels(modelsFolder).find((entry) => entry.id === id),
  );
  expect(own).toMatchObject({ training_datasets: [], updated_at: new Date().toISOString().slice(0, 10) });
  expect(bundled).toEqual(findModel('ec_financial_sentiment'));
});

test('a model whose own package an import left aside is refused, and nobody answers in its place', async () => {
  await addOwn('ec_growth');
  const own = join(modelsFolder, 'ec_growth');
  const aside = temporaryBeside(own);
  await rename(own, aside);
  expect(() => resolveModel('ec_growth', { modelsFolder })).toThrow(
    `An import of ec_growth was cut short: ${own} is not there, and the package that answered before lies in ${aside}. Rename that to ${own}`,
  );
  expect(resolveModel('ec_financial_sentiment', { modelsFolder }).output).toBe('ec_financial_sentiment');
  await rename(aside, own);
  expect(resolveModel('ec_growth', { modelsFolder }).folder).toBe(own);
});

test('a first import that is under way, or was killed, changes nothing', async () => {
  const trial = temporaryBeside(join(modelsFolder, 'ec_growth'));
  await cp(join(PACKAGES, 'roberta'), join(trial, 'ec_growth'), { recursive: true });
  expect(resolveModel('ec_growth', { modelsFolder }).folder).toBe(join(modelsFolder, 'earnings-call'));
});

test('a model that does not exist is named, with those that do', () => {
  expect(() => resolveModel('ec_weather', { modelsFolder })).toThrow(
    /There is no model ec_weather\. The models are: cb_stance_label, /,
  );
});

test('models of one package share it', async () => {
  const models = await loadModels(['ec_growth', 'ec_financial_sentiment'], { modelsFolder });
  expect(models.get('ec_growth')?.package).toBe(models.get('ec_financial_sentiment')?.package);
});

test('labels in another order and spelling are matched to those of the catalog', async () => {
  const models = await loadModels(['ec_growth', 'ec_financial_sentiment'], { modelsFolder });
  expect(models.get('ec_growth')?.toCatalog).toEqual([2, 1, 0]);
  expect(models.get('ec_financial_sentiment')?.toCatalog).toEqual([0, 1, 2]);
});

test('labels that are not those of the catalog are wrong', async () => {
  await addOwn('ec_financial_sentiment');
  await expect(loadModels(['ec_financial_sentiment'], { modelsFolder })).rejects.toThrow(
    'has the labels Positive Growth, Negative Growth, Neutral, but the model ec_financial_sentiment has Positive, Negative, Neutral: correct id2label',
  );
});

test('a model that its shared package does not answer is named', async () => {
  await expect(loadModels(['ec_price_relevancy'], { modelsFolder })).rejects.toThrow(
    /has no "outputs" entry for the model ec_price_relevancy \(it has .*ec_growth/,
  );
});

test('fingerprints come in the order asked, and name the package that models share', async () => {
  const [growth, sentiment] = await findFingerprints(['ec_growth', 'ec_financial_sentiment'], {
    modelsFolder,
    device: 'cpu',
  });
  expect([growth?.model, sentiment?.model]).toEqual(['ec_growth', 'ec_financial_sentiment']);
  expect(growth?.packageFingerprint).toBe(sentiment?.packageFingerprint);
  expect(growth?.fingerprint).not.toBe(sentiment?.fingerprint);

  const card = join(modelsFolder, 'earnings-call', 'config.json');
  await writeFile(card, `${await readFile(card, 'utf8')}\n`);
  const [changed] = await findFingerprints(['ec_growth'], { modelsFolder, device: 'cpu' });
  expect(changed?.fingerprint).not.toBe(growth?.fingerprint);
});
