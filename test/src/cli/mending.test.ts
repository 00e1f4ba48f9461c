import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { mendInStore } from '../../../src/cli/mending.js';
import { outputsIn } from '../../../src/outputs.js';
import type { Served } from '../../../src/snapshot/history.js';
import { temporaryFolder } from '../../support/rig.js';

const SNAPSHOT = 'a'.repeat(16);
const SERVED: Served = { snapshot: SNAPSHOT, at: '2026-01-01T00:00:00.000Z', by: 'publish' };

it('what mends a store names the outputs folder here only where its snapshot was published from it', async () => {
  const outputs = outputsIn(join(temporaryFolder(), 'outputs'));
  const say = (): Promise<string> =>
    mendInStore({ address: 's3://bucket' }, outputs, [SERVED], { dataset: 'wcb', current: SNAPSHOT, whole: [] });
  const then = `once the damaged objects of ${SNAPSHOT} are deleted, publishes ${SNAPSHOT} again, or what has changed since`;
  expect(await say()).toBe(
    `fintext rebuild --dataset wcb --publish s3://bucket, with the --outputs and --input folders and the settings of the last run, ${then}`,
  );
  mkdirSync(dirname(outputs.history('wcb')), { recursive: true });
  writeFileSync(outputs.history('wcb'), `${JSON.stringify(SERVED)}\n`);
  expect(await say()).toBe(
    `fintext rebuild --dataset wcb --outputs ${outputs.folder} --publish s3://bucket, with the --input folders and the settings of the last run, ${then}`,
  );
});
