/** What is printed for Kubernetes: held to the published types, and each pod's command run here, without a cluster. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packagePath } from '../../../src/package-root.js';
import { fintext } from '../../support/fintext.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
const mount = join(root, 'data');
const corpora = join(mount, 'corpora');

const listSchema = z.object({
  apiVersion: z.literal('v1'),
  kind: z.literal('List'),
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string() }),
      spec: z.looseObject({
        completionMode: z.literal('Indexed').optional(),
        completions: z.int().optional(),
        parallelism: z.int().optional(),
        backoffLimit: z.int().optional(),
        backoffLimitPerIndex: z.int().optional(),
        podFailurePolicy: z.object({ rules: z.array(z.looseObject({ action: z.string() })) }),
        template: z.looseObject({
          spec: z.looseObject({
            restartPolicy: z.string(),
            containers: z.tuple([
              z.looseObject({
                command: z.array(z.string()),
                args: z.array(z.string()),
                env: z.array(z.looseObject({ name: z.string() })),
                resources: z.object({
                  requests: z.record(z.string(), z.string()),
                  limits: z.record(z.string(), z.string()),
                }),
                volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
              }),
            ]),
            volumes: z.array(z.looseObject({ name: z.string() })),
          }),
        }),
      }),
    }),
  ),
});

const plan = async (...more: readonly string[]): Promise<z.infer<typeof listSchema>> => {
  const args = [
    'plan',
    '--format',
    'kubernetes',
    '--dataset',
    'wcb',
    '--input',
    corpora,
    '--mount',
    mount,
    '--tasks',
    '2',
  ];
  const ended = await fintext([...args, '--outputs', join(mount, 'outputs'), '--log', 'quiet', ...more]);
  if (ended.code !== 0) throw new Error(ended.stderr);
  return listSchema.parse(JSON.parse(ended.stdout));
};

/** What the compiler says of a List as TypeScript, with the types of the Kubernetes API; nothing where it fits. */
const typeFaults = (list: object): readonly string[] => {
  const file = join(root, 'manifest.ts');
  const types = packagePath('node_modules', 'kubernetes-types', 'batch', 'v1.js');
  writeFileSync(
    file,
    `import type { JobList } from ${JSON.stringify(types)};
export const jobs: Pick<JobList, 'items'>['items'] = ${JSON.stringify((list as { items: unknown }).items, null, 1)};
`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--ignoreConfig', '--types', ''];
  const tsc = spawnSync(process.execPath, [packagePath('node_modules', 'typescript', 'bin', 'tsc'), ...flags, file], {
    encoding: 'utf8',
    cwd: root,
  });
  return tsc.status === 0 ? [] : tsc.stdout.split('\n').filter((line) => line.includes('error'));
};

let list: z.infer<typeof listSchema>;

beforeAll(async () => {
  cpSync(packagePath('data', 'sample'), corpora, { recursive: true });
  list = await plan('--gpus', '1');
});

describe('the Jobs that are printed for Kubernetes', () => {
  it('are what the published types of its API allow', () => {
    expect(typeFaults(list)).toEqual([]);
  });

  it('are held to types that refuse a slip of the pen', () => {
    const [read, ...others] = list.items;
    const faulty = { ...list, items: [{ ...read, spec: { ...read?.spec, backoffLimitPerIndx: 2 } }, ...others] };
    expect(typeFaults(faulty).join()).toContain('backoffLimitPerIndx');
    const wrongKind = { ...list, items: [{ ...read, spec: { ...read?.spec, completions: '2' } }] };
    expect(typeFaults(wrongKind).join()).toContain("'string' is not assignable to type 'number'");
  });

  it('are an Indexed Job for each array and one Job for the steps before and after', () => {
    const steps = list.items.map(({ metadata }) => metadata.name.replace(/^fintext-wcb-\d{14}-[0-9a-f]{6}-/, ''));
    expect(steps).toEqual(['read', 'cut', 'answer', 'finalize']);
    const [read, cut, answer, finalize] = list.items.map(({ spec }) => spec);
    for (const indexed of [read, answer]) {
      expect(indexed).toMatchObject({
        completionMode: 'Indexed',
        completions: 2,
        parallelism: 2,
        backoffLimitPerIndex: 2,
      });
    }
    for (const one of [cut, finalize]) {
      expect(one?.backoffLimit).toBe(2);
      expect(one?.completions).toBeUndefined();
    }
  });

  it('keep the rules that the types do not know', () => {
    for (const { metadata, spec } of list.items) {
      // The name of a pod is that of its Job with an index and five letters, and a label has at most 63.
      expect(`${metadata.name}-999-xxxxx`).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])$/);
      expect(spec.template.spec.restartPolicy).toBe('Never');
      const perIndex = spec.backoffLimitPerIndex !== undefined;
      expect(spec.completionMode === 'Indexed').toBe(perIndex);
      expect(spec.podFailurePolicy.rules.some(({ action }) => action === 'FailIndex')).toBe(perIndex);
      const [container] = spec.template.spec.containers;
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(
        spec.template.spec.volumes.map(({ name }) => name),
      );
      expect(container.volumeMounts[0]?.mountPath).toBe(mount);
    }
  });

  it('ask for GPUs where the models are needed, and nowhere else', async () => {
    const gpus = ({ items }: typeof list): readonly (string | undefined)[] =>
      items.map(({ spec }) => spec.template.spec.containers[0].resources.limits['nvidia.com/gpu']);
    expect(gpus(list)).toEqual([undefined, '1', '1', '1']);
    expect(gpus(await plan())).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('refuse a folder that the pods would not see', async () => {
    await expect(plan('--mount', join(root, 'elsewhere'))).rejects.toThrow();
    const args = ['plan', '--format', 'kubernetes', '--input', corpora, '--mount', mount, '--log', 'quiet'];
    const ended = await fintext([...args, '--outputs', join(root, 'outside')]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('not below');
  });

  it('hold commands that, run one by one, end in the snapshot of a local run', { timeout: 300_000 }, async () => {
    const local = join(root, 'local');
    const input = ['--dataset', 'wcb', '--input', corpora, '--log', 'quiet'];
    expect((await fintext(['rebuild', ...input, '--outputs', local])).code).toBe(0);
    const { items } = await plan();
    for (const { spec } of items) {
      const [{ args, env }] = spec.template.spec.containers;
      for (let index = 0; index < (spec.completions ?? 1); index += 1) {
        const words = args.map((word) => word.replace('$(ELEMENT)', String(index)));
        expect(words.join(' ')).not.toContain('$(');
        expect(env.some(({ name }) => name === 'ELEMENT')).toBe(spec.completions !== undefined);
        const ended = await fintext(words, { env: { FINTEXT_LOG: 'json' } });
        expect([ended.code, ended.stderr.split('\n').filter((line) => line.startsWith('fintext:'))]).toEqual([0, []]);
      }
    }
    const current = (outputs: string): string => readFileSync(join(outputs, 'published', 'wcb', 'CURRENT'), 'utf8');
    expect(current(join(mount, 'outputs'))).toBe(current(local));
  });
});

describe('a task of a job', () => {
  it('says that it may be tried again where the step before is not done, and does nothing', async () => {
    const { items } = await plan();
    const args = items[3]?.spec.template.spec.containers[0].args ?? [];
    const now = args.map((word, at) => (args[at - 1] === '--wait' ? '0' : word));
    const ended = await fintext(now);
    expect(ended.code).toBe(75);
    expect(ended.stderr).toContain('The step answer is not done: 2 of 2 elements are missing.');
  });

  it('is wrong use where there is no such job, step or element', async () => {
    const { items } = await plan();
    const args = items[0]?.spec.template.spec.containers[0].args ?? [];
    const job = args[args.indexOf('--job') + 1] ?? '';
    for (const [words, said] of [
      [['work', '--job', root, '--step', 'read'], 'There is no job in'],
      [['work', '--job', job, '--step', 'dance'], 'dance'],
      [['work', '--job', job, '--step', 'read', '--element', '2'], 'has the elements 0 to 1; not 2'],
      [['work', '--job', job, '--step', 'read', '--element', 'x'], '--element is a whole number'],
    ] as const) {
      const ended = await fintext(words);
      expect([ended.code, ended.stderr.includes(said)]).toEqual([2, true]);
    }
  });
});
