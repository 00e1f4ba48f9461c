/** `models import` in the middle of a run: the run ends, and the next one asks the new package. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../pipeline/events.js';
import { RunError } from '../../src/errors.js';
import { findFingerprints } from '../../src/inference/fingerprints.js';
import { packagePath } from '../../src/package-root.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { manifestOf, openNights, textOf } from '../support/nightly.js';

const MODEL = 'cb_enhanced_uncertain_label';
const MINUTES = 3 * 60_000;

describe('a package that is replaced while a run is under way', () => {
  const nights = openNights();
  const models = nights.input('models');
  const settings = { ...nights.settings, models };
  const pointer = (): string => readFileSync(nights.outputs.pointer('wcb'), 'utf8');
  const stored = (): readonly string[] =>
    readdirSync(nights.outputs.predictions, { recursive: true }).map(String).sort();
  const write = (documents: number): void => {
    const files = Array.from({ length: documents }, (_none, at) => `${at + 1}.txt`);
    for (const [at, file] of files.entries()) nights.write(`corpus/${file}`, textOf(at + 1));
    nights.write('corpus/manifest.csv', manifestOf(files));
  };
  const ofModel = async (snapshot: string) =>
    (await readManifest(nights.outputs.snapshot('wcb', snapshot))).models.find(({ id }) => id === MODEL);

  beforeAll(async () => {
    cpSync(packagePath('models', 'central-bank'), join(models, 'central-bank'), { recursive: true });
    write(1);
    await nights.rebuild(['corpus'], { settings });
  }, MINUTES);

  it(
    'ends the run; the last snapshot is served, nothing of the new one is kept, and the next run asks it',
    async () => {
      write(2);
      const before = [pointer(), stored()];
      const own = join(models, MODEL);
      const importInTheMiddle = (event: RunEvent): void => {
        if (event.type !== 'stage-done' || event.stage !== 'ingest' || existsSync(own)) return;
        cpSync(packagePath('test', 'support', 'packages', 'deberta-v2'), own, { recursive: true });
      };
      const error: unknown = await nights
        .rebuild(['corpus'], { settings, log: importInTheMiddle })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RunError);
      expect(String(error)).toContain(`of ${MODEL} (now ${own}) was replaced while the run was under way`);
      expect([pointer(), stored()]).toEqual(before);

      const allowedChecks = new Map([['label_shares_steady', 'another model']]);
      const next = await nights.rebuild(['corpus'], { settings, allowedChecks });
      const [now] = await findFingerprints([MODEL], { modelsFolder: models, device: 'cpu' });
      expect(await ofModel(next.snapshot)).toMatchObject({ own: true, fingerprint: now?.fingerprint });
    },
    MINUTES,
  );
});
