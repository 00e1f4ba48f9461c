/** Two datasets whose models come from one package, by `models import`, built at the same time. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelId } from '../../models/catalog.js';
import { openPredictionStore } from '../../pipeline/3-classify/store.js';
import { openDatabase } from '../../src/database.js';
import { textHash } from '../../src/files.js';
import { findFingerprints } from '../../src/inference/fingerprints.js';
import { importPackage } from '../../src/inference/import.js';
import { VARIANTS } from '../../src/inference/variants.js';
import { outputsIn } from '../../src/outputs.js';
import { packagePath } from '../../src/package-root.js';
import { readManifest } from '../../src/snapshot/manifest.js';
import { type Ended, openRig, type Rig } from '../support/fintext.js';

const MODELS: readonly [ModelId, ModelId] = ['cb_labor_market_relevancy', 'ec_labor_market_relevancy'];
const DATASETS = ['wcb', 'earnings'] as const;
const MINUTES = 6 * 60_000;

/** The bundled package with one of its outputs under a name of as many letters, so that it answers for both datasets. */
const writeShared = (folder: string): void => {
  cpSync(packagePath('models', 'central-bank'), folder, { recursive: true });
  for (const file of Object.values(VARIANTS)) {
    const graph = join(folder, file);
    const renamed = readFileSync(graph, 'latin1').replaceAll('cb_claim_projection_label', MODELS[1]);
    writeFileSync(graph, renamed, 'latin1');
  }
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as {
    outputs: Record<string, unknown>;
    sha256?: unknown;
  };
  // The hashes are those of the graphs as they were.
  delete config.sha256;
  const { [MODELS[0]]: relevancy } = config.outputs;
  config.outputs = Object.fromEntries(MODELS.map((model) => [model, relevancy]));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
};

describe('two datasets with one package', () => {
  let rig: Rig;
  let models: string;
  beforeAll(async () => {
    rig = await openRig();
    models = join(rig.folder, 'models');
    for (const name of ['central-bank', 'earnings-call']) {
      cpSync(packagePath('models', name), join(models, name), { recursive: true });
    }
    const mine = join(rig.folder, 'mine');
    writeShared(mine);
    for (const model of MODELS) await importPackage(mine, model, models);
  });
  afterAll(() => rig.close());

  const rebuild = (dataset: (typeof DATASETS)[number]): Promise<Ended> => {
    const input = join(rig.input, `${dataset}-manifest`);
    const args = ['rebuild', '--dataset', dataset, '--models', models, '--workers', '1', '--log', 'quiet'];
    return rig.run([...args, '--input', input]);
  };

  it(
    'end, run at once and with many small parts to join, in what they end in one after the other',
    async () => {
      for (const dataset of DATASETS) expect(await rebuild(dataset)).toMatchObject({ code: 0 });
      const ids = await Promise.all(DATASETS.map((dataset) => rig.current(dataset)));

      const fingerprints = await findFingerprints(MODELS, { modelsFolder: models, device: 'cpu' });
      const [shared = '', same] = fingerprints.map(({ packageFingerprint }) => packageFingerprint);
      expect(same).toBe(shared);
      const { predictions, published, work } = outputsIn(rig.outputs);
      // What is published says which models are a user's own.
      for (const [at, dataset] of DATASETS.entries()) {
        const snapshot = join(published(dataset), 'snapshots', ids[at] ?? '');
        const manifest = await readManifest(snapshot);
        expect(manifest.models.filter(({ own }) => own).map(({ id }) => id)).toEqual([MODELS[at]]);
        const report = readFileSync(join(snapshot, 'report.html'), 'utf8');
        expect(report.match(/>your own</g)).toHaveLength(1);
      }
      const database = await openDatabase({ memoryMb: 128, temporaryFolder: rig.folder, threads: 1 });
      const store = openPredictionStore(predictions, database, (_path, act) => act());
      for (const model of MODELS) {
        for (let n = 0; n < 60; n += 1) {
          await store.add(shared, [model], [[textHash(`${model} ${n}`), [{ label: 'Relevant', score: 0.5 }]]]);
        }
      }
      database.close();
      const home = join(predictions, shared.slice(0, 32));
      expect(readdirSync(home).length).toBeGreaterThan(120);
      for (const dataset of DATASETS) {
        // All but the predictions is made again.
        for (const folder of [work(dataset), published(dataset)]) rmSync(folder, { recursive: true });
      }
      const ended = await Promise.all(DATASETS.map((dataset) => rebuild(dataset)));
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      expect(await Promise.all(DATASETS.map((dataset) => rig.current(dataset)))).toEqual(ids);
      expect(readdirSync(home).filter((name) => !/^part-[0-9a-f]+\.parquet$/.test(name))).toEqual([]);
      expect(readdirSync(home).length).toBeLessThan(60);
    },
    MINUTES,
  );
});
