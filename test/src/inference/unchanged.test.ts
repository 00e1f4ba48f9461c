import { appendFileSync, cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RunError } from '../../../src/errors.js';
import { findFingerprints, type ModelFingerprint } from '../../../src/inference/fingerprints.js';
import { type Classifier, type ClassifierOptions, openClassifier } from '../../../src/inference/pool.js';
import { openUnchanged } from '../../../src/inference/unchanged.js';
import { packagePath } from '../../../src/package-root.js';
import { PACKAGES } from './reference.js';

const models = ['ec_growth', 'ec_financial_sentiment'] as const;
const stub = packagePath('test', 'src', 'inference', 'stub-worker.mjs');

let modelsFolder: string;
let fingerprints: readonly ModelFingerprint[];
const shared = (): string => join(modelsFolder, 'earnings-call');
const own = (): string => join(modelsFolder, 'ec_financial_sentiment');

beforeEach(async () => {
  modelsFolder = mkdtempSync(join(tmpdir(), 'fintext-replaced-'));
  cpSync(join(PACKAGES, 'earnings-call'), shared(), { recursive: true });
  fingerprints = await findFingerprints(models, { modelsFolder, device: 'cpu' });
});
afterEach(() => rmSync(modelsFolder, { recursive: true }));

/** Another file of the same meaning. */
const replaceShared = (): void => appendFileSync(join(shared(), 'config.json'), '\n');
const importOwn = (): void => cpSync(join(PACKAGES, 'bert'), own(), { recursive: true });

const open = (more: Partial<ClassifierOptions> = {}): Promise<Classifier> =>
  openClassifier({ models, modelsFolder, fingerprints, workers: 1, device: 'cpu', ...more });

const failureOf = async (act: Promise<unknown>): Promise<string> => {
  const error: unknown = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RunError);
  return error instanceof Error ? error.message : '';
};

describe('models that a run knows by their fingerprints', () => {
  test('are opened where their packages are the same', async () => {
    const classifier = await open();
    expect((await classifier.classify(models, ['Sales rose.'])).get('ec_growth')?.labels).toHaveLength(1);
    await classifier.close();
  });

  test('are not opened where a package is another one, which is named with its folder', async () => {
    replaceShared();
    expect(await failureOf(open())).toBe(
      `The model package of ec_growth, ec_financial_sentiment (now ${shared()}) was replaced while the run was under way. Nothing that the new one said was kept, and what was published before stays: run it again, and the new one answers.`,
    );
  });

  test('are not opened where another package answers for one of them', async () => {
    importOwn();
    expect(await failureOf(open())).toContain(`of ec_financial_sentiment (now ${own()}) was replaced`);
    await (await open({ models: ['ec_growth'] })).close();
  });

  test.each([
    ['is gone', () => rmSync(shared(), { recursive: true })],
    ['lacks a file', () => rmSync(join(shared(), 'tokenizer.json'))],
    ['has other labels', () => cpSync(join(PACKAGES, 'roberta'), own(), { recursive: true })],
  ])('end the run, not as wrong use, where a package %s by now', async (_how, replace) => {
    replace();
    expect(await failureOf(open())).toMatch(
      /^A model package was replaced while the run was under way, and what is there now cannot answer: .*; run it again when it can\.$/,
    );
  });

  test('are closed again where a package was replaced while it was opened', async () => {
    let closed = 0;
    const opening = openUnchanged({ models, modelsFolder, fingerprints, device: 'cpu' }, async () => {
      replaceShared();
      return {
        close: async () => {
          closed += 1;
        },
      };
    });
    expect(await failureOf(opening)).toContain('was replaced while the run was under way');
    expect(closed).toBe(1);
  });

  test('say that a package was replaced where for that reason it does not open', async () => {
    const opening = openUnchanged({ models, modelsFolder, fingerprints, device: 'cpu' }, async () => {
      replaceShared();
      throw new Error('half a file');
    });
    expect(await failureOf(opening)).toContain('was replaced while the run was under way');
    fingerprints = await findFingerprints(models, { modelsFolder, device: 'cpu' });
    const broken = openUnchanged({ models, modelsFolder, fingerprints, device: 'cpu' }, () =>
      Promise.reject(new Error('no memory')),
    );
    await expect(broken).rejects.toThrow('no memory');
  });
});

describe('a worker that dies', () => {
  const growth = ['ec_growth'] as const;

  test('gets no other in its place where the package was replaced since', async () => {
    const classifier = await open({ entry: stub });
    // As an import does: the old folder aside, the new one in its place.
    const finished = `${shared()}.new`;
    cpSync(shared(), finished, { recursive: true });
    appendFileSync(join(finished, 'config.json'), '\n');
    renameSync(shared(), `${shared()}.old`);
    renameSync(finished, shared());
    const [died, behind] = [classifier.classify(growth, ['exit']), classifier.classify(growth, ['fine'])];
    await expect(died).rejects.toThrow('ended in the middle of its work');
    expect(await failureOf(behind)).toContain(`(now ${shared()}) was replaced while the run was under way`);
    await classifier.close();
  });

  test('leaves what is asked to those that have the package of before', async () => {
    const classifier = await open({ entry: stub, workers: 2 });
    replaceShared();
    await expect(classifier.classify(growth, ['exit'])).rejects.toThrow('ended in the middle of its work');
    expect((await classifier.classify(growth, ['fine'])).get('ec_growth')?.labels).toHaveLength(1);
    await classifier.close();
  });

  test('gets another in its place where whatever is there may answer', async () => {
    const classifier = await openClassifier({ models, modelsFolder, workers: 1, device: 'cpu', entry: stub });
    replaceShared();
    await expect(classifier.classify(growth, ['exit'])).rejects.toThrow('ended in the middle of its work');
    expect((await classifier.classify(growth, ['fine'])).get('ec_growth')?.labels).toHaveLength(1);
    await classifier.close();
  });
});
