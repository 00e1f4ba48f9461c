/** The schedules to copy, held to what can be known of them without their hosts. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { DATASET_IDS, type DatasetId } from '../../data/catalog.js';
import { outputsIn } from '../../src/outputs.js';
import { packagePath } from '../../src/package-root.js';
import { SETTINGS } from '../../src/settings.js';
import { fintext } from '../support/fintext.js';
import { temporaryFolder } from '../support/rig.js';

const folder = packagePath('pipeline', 'schedule');
const here = existsSync(folder);
const FILES = here ? readdirSync(folder).sort() : [];
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const documentsOf = (name: string): readonly unknown[] =>
  parseAllDocuments(read(name)).map((document) => {
    expect(document.errors).toEqual([]);
    expect(document.warnings).toEqual([]);
    return document.toJS() as unknown;
  });

/** A field of a crontab: lists, ranges and steps of numbers in its bounds. */
const isField = (text: string, [least, most]: readonly [number, number]): boolean =>
  text.split(',').every((part) => {
    const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? ['', 'wrong'];
    const numbers = [from, to].filter((value) => value !== undefined).map(Number);
    return numbers.every((value) => value >= least && value <= most) && (step === undefined || Number(step) > 0);
  });
const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const isSchedule = (text: string): boolean => {
  const fields = text.trim().split(/\s+/);
  return fields.length === 5 && BOUNDS.every((bounds, at) => isField(fields[at] ?? '', bounds));
};

const containerSchema = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string().optional() }).loose()).optional(),
  resources: z.object({ limits: z.object({ memory: z.string() }) }).loose(),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }).loose(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() }).loose()),
});

const cronJobSchema = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('CronJob'),
  metadata: z.object({ name: z.string() }),
  spec: z.strictObject({
    schedule: z.string(),
    timeZone: z.string(),
    concurrencyPolicy: z.literal('Forbid'),
    startingDeadlineSeconds: z.int().min(10),
    successfulJobsHistoryLimit: z.int(),
    failedJobsHistoryLimit: z.int(),
    jobTemplate: z.object({
      spec: z.strictObject({
        backoffLimit: z.int(),
        activeDeadlineSeconds: z.int(),
        template: z.object({
          spec: z.strictObject({
            restartPolicy: z.enum(['Never', 'OnFailure']),
            terminationGracePeriodSeconds: z.int(),
            automountServiceAccountToken: z.literal(false),
            securityContext: z.object({ runAsNonRoot: z.literal(true) }).loose(),
            initContainers: z.array(containerSchema).optional(),
            containers: z.tuple([containerSchema]),
            volumes: z.array(z.object({ name: z.string() }).loose()),
          }),
        }),
      }),
    }),
  }),
});

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.object({ schedule: z.array(z.strictObject({ cron: z.string() })), workflow_dispatch: z.unknown() }),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.literal(false) }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      'runs-on': z.string(),
      'timeout-minutes': z.int().max(360),
      env: z.record(z.string(), z.string()),
      steps: z.array(
        z
          .strictObject({
            name: z.string(),
            uses: z.string().regex(/^actions\/[\w/-]+@v\d+$/),
            with: z.record(z.string(), z.unknown()),
            run: z.string(),
            env: z.record(z.string(), z.string()),
            if: z.string(),
          })
          .partial()
          .refine(({ uses, run }) => (uses === undefined) !== (run === undefined)),
      ),
    }),
  ),
});

type CronJob = z.infer<typeof cronJobSchema>;
const cronJobs = (): readonly CronJob[] =>
  documentsOf('kubernetes-cronjob.yaml')
    .filter((found) => typeof found === 'object' && found !== null && 'kind' in found && found.kind === 'CronJob')
    .map((found) => cronJobSchema.parse(found));
const cronJob = (): CronJob => {
  const [rebuild] = cronJobs();
  if (rebuild === undefined) throw new Error('There is no CronJob.');
  return rebuild;
};
type Container = z.infer<typeof containerSchema>;
const containersOf = ({ spec }: CronJob): readonly Container[] => {
  const { initContainers = [], containers } = spec.jobTemplate.spec.template.spec;
  return [...initContainers, ...containers];
};
const workflow = (): z.infer<typeof workflowSchema> => workflowSchema.parse(documentsOf('github-actions.yml')[0]);
const cronLines = (): readonly string[] =>
  read('crontab')
    .split('\n')
    .filter((line) => /^[\d*]/.test(line));

/** Every call of fintext in a file, from its verb on. */
const callsIn = (name: string): readonly string[] => {
  const text =
    name === 'kubernetes-cronjob.yaml'
      ? cronJobs()
          .flatMap(containersOf)
          .map(({ command, args }) => [...command, ...args].join(' '))
          .join('\n')
      : read(name).replaceAll(/^\s*#.*$/gm, '');
  return [...text.matchAll(/(?:npx fintext|fintext\.js) ([a-z][^\n|&>]*)/g)].map(([, call = '']) => call.trim());
};

describe.runIf(here)('the schedules', () => {
  it('are those for cron, systemd, Kubernetes and GitHub Actions, with the image', () => {
    expect(FILES).toEqual([
      'Dockerfile',
      'Dockerfile.dockerignore',
      'crontab',
      'fintext.service',
      'fintext.timer',
      'github-actions.yml',
      'kubernetes-cronjob.yaml',
    ]);
  });

  it('call commands that exist, with flags that these have', async () => {
    const calls = FILES.flatMap(callsIn);
    expect(calls.length).toBeGreaterThanOrEqual(8);
    for (const name of ['crontab', 'fintext.service', 'github-actions.yml', 'kubernetes-cronjob.yaml']) {
      expect(callsIn(name)[0]?.split(' ')[0], name).toBe('rebuild');
    }
    const verbs = [...new Set(calls.map((call) => call.split(' ')[0] ?? ''))].sort();
    expect(verbs).toEqual(['rebuild', 'snapshots', 'status']);
    for (const verb of verbs) {
      const help = await fintext([verb, '--help']);
      expect(help.code).toBe(0);
      const flags = calls.filter((call) => call.startsWith(verb)).flatMap((call) => call.match(/--[a-z-]+/g) ?? []);
      for (const flag of flags) expect(help.stdout, `${verb} ${flag}`).toContain(`${flag} `);
    }
  });

  it('delete old snapshots of every dataset, after the rebuild', () => {
    for (const name of ['crontab', 'fintext.service', 'github-actions.yml', 'kubernetes-cronjob.yaml']) {
      const calls = callsIn(name);
      const pruned = calls.filter((call) => call.startsWith('snapshots prune '));
      const datasets = pruned.map((call) => /--dataset (\S+) --keep \d+/.exec(call)?.[1]);
      expect([name, datasets.sort()]).toEqual([name, [...DATASET_IDS].sort()]);
      expect(calls.findIndex((call) => call.startsWith('rebuild'))).toBe(0);
    }
  });

  it('set variables that are settings', () => {
    const known = new Set<string>([...Object.values(SETTINGS).map(({ env }) => env), 'FINTEXT_INPUT']);
    const named = FILES.flatMap((name) => read(name).match(/FINTEXT_[A-Z_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('keep, of a run on GitHub, what is published and why something was not', () => {
    const { published, lastRun, failedReport, failedReportData } = outputsIn('outputs');
    const everyDataset = '*' as DatasetId;
    const steps = Object.values(workflow().jobs).flatMap(({ steps }) => steps);
    const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))?.with?.path;
    expect(String(kept).trim().split('\n')).toEqual([
      dirname(published(everyDataset)),
      lastRun(everyDataset),
      failedReport(everyDataset),
      failedReportData(everyDataset),
    ]);
  });

  it('run the file that the package names as its command', () => {
    const { bin } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { bin: { fintext: string } };
    for (const name of ['crontab', 'fintext.service', 'kubernetes-cronjob.yaml', 'Dockerfile'])
      expect(read(name)).toContain(bin.fintext);
  });
});

describe.runIf(here)('the crontab', () => {
  it('has lines of five fields that are in bounds, and a command', () => {
    expect(cronLines().length).toBeGreaterThanOrEqual(3);
    for (const line of cronLines()) {
      const [, schedule = '', command = ''] = /^((?:\S+\s+){5})(.+)$/.exec(line) ?? [];
      expect(isSchedule(schedule), line).toBe(true);
      // What npx says of its own on stderr would be mailed every day.
      expect(command).toMatch(/^cd \S+ && \/usr\/bin\/node dist\/src\/cli\/fintext\.js /);
      // To cron a percent sign is a line break.
      expect(command).not.toContain('%');
    }
  });

  it('has no other lines than comments and variables', () => {
    const others = read('crontab')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !/^[A-Z_]+=\S*$/.test(line));
    expect(others).toEqual(cronLines());
    expect(read('crontab').endsWith('\n')).toBe(true);
  });

  it.each(['60 2 * * *', '* 24 * * *', '15 2 * *', '15 2 0 * *', 'x 2 * * *', '*/0 2 * * *', '15 2 * * 7'])(
    'is held to rules that refuse %s',
    (line) => {
      expect(isSchedule(line)).toBe(false);
    },
  );
});

describe.runIf(here)('the systemd units', () => {
  const root = temporaryFolder();
  const analyze = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync('systemd-analyze', [...args], { encoding: 'utf8' });
  const hasSystemd = analyze('--version').status === 0;

  it('name one another, and a time', () => {
    expect(read('fintext.timer')).toContain('[Timer]\nOnCalendar=*-*-* 02:15:00\n');
    expect(read('fintext.timer')).toContain('WantedBy=timers.target');
    expect(read('fintext.service')).toMatch(/^Type=oneshot$/m);
    for (const name of ['fintext.service', 'fintext.timer']) {
      for (const line of read(name).split('\n')) {
        expect(line === '' || /^(#.*|\[(Unit|Service|Timer|Install)\]|[A-Z]\w+=.+)$/.test(line), line).toBe(true);
      }
    }
  });

  it('write below a folder that systemd makes, for nothing else may be written', () => {
    const settingOf = (key: string): string | undefined =>
      new RegExp(`^${key}=(.+)$`, 'm').exec(read('fintext.service'))?.[1];
    expect(settingOf('ProtectSystem')).toBe('strict');
    expect(settingOf('ReadWritePaths')).toBeUndefined();
    expect(read('fintext.service')).toContain(`Environment=FINTEXT_OUTPUTS=/var/lib/${settingOf('StateDirectory')}\n`);
    // Whoever sets the other thing that a run writes finds how beside it.
    const [, metrics] = /^# Environment=FINTEXT_PROMETHEUS=(.+)\/[^/]+$/m.exec(read('fintext.service')) ?? [];
    expect(read('fintext.service')).toContain(`# ReadWritePaths=${metrics}\n`);
  });

  it.skipIf(!hasSystemd)('are what systemd-analyze verify accepts (skipped where it is not installed)', () => {
    // The program and the user of the example are not on this machine.
    const service = read('fintext.service')
      .replaceAll('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
      .replace('User=fintext', 'User=root');
    writeFileSync(join(root, 'fintext.service'), service);
    writeFileSync(join(root, 'fintext.timer'), read('fintext.timer'));
    const checked = analyze('verify', '--man=no', join(root, 'fintext.service'), join(root, 'fintext.timer'));
    const ours = String(checked.stderr)
      .split('\n')
      .filter((line) => line.includes('fintext.'));
    expect(ours).toEqual([]);
  });

  it.skipIf(!hasSystemd)(
    'have a calendar that comes every night (skipped where systemd-analyze is not installed)',
    () => {
      const calendar = /^OnCalendar=(.+)$/m.exec(read('fintext.timer'))?.[1] ?? '';
      const checked = analyze('calendar', '--iterations=2', calendar);
      expect(checked.status, String(checked.stderr)).toBe(0);
      expect(String(checked.stdout)).toMatch(/Normalized form: \*-\*-\* 02:15:00/);
    },
  );
});

describe.runIf(here)('the Kubernetes CronJob', () => {
  it('has the fields of a CronJob, and no other', () => {
    const { spec } = cronJob();
    expect(isSchedule(spec.schedule)).toBe(true);
    expect(spec.schedule).toBe(workflow().on.schedule[0]?.cron);
    expect(cronLines()[0]?.startsWith(spec.schedule)).toBe(true);
    const pod = spec.jobTemplate.spec.template.spec;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60);
  });

  it('names the attempts of a night after its Job, so that a second one takes over from a killed pod, and no other Job does', () => {
    const [container] = cronJob().spec.jobTemplate.spec.template.spec.containers;
    expect(container.args.slice(container.args.indexOf('--attempts'))).toEqual(['--attempts', '$(JOB_NAME)']);
    expect(container.env?.find(({ name }) => name === 'JOB_NAME')).toEqual({
      name: 'JOB_NAME',
      valueFrom: { fieldRef: { fieldPath: "metadata.labels['job-name']" } },
    });
  });

  it('deletes old snapshots when the night’s rebuild is over', () => {
    const [, prune, ...others] = cronJobs();
    expect(others).toEqual([]);
    const minuteOf = ({ spec }: CronJob): number => {
      const [minute, hour] = spec.schedule.split(' ').map(Number);
      return (hour ?? 0) * 60 + (minute ?? 0);
    };
    const { startingDeadlineSeconds, jobTemplate } = cronJob().spec;
    const latest = minuteOf(cronJob()) + (startingDeadlineSeconds + jobTemplate.spec.activeDeadlineSeconds) / 60;
    expect(prune === undefined ? 0 : minuteOf(prune)).toBeGreaterThan(latest);
  });

  it('mounts every volume that it declares, and declares every claim but that of the corpora', () => {
    for (const job of cronJobs()) {
      const declared = job.spec.jobTemplate.spec.template.spec.volumes.map(({ name }) => name).sort();
      for (const { volumeMounts, args } of containersOf(job)) {
        expect(volumeMounts.map(({ name }) => name).sort()).toEqual(declared);
        const written = volumeMounts.filter((mount) => !('readOnly' in mount)).map(({ mountPath }) => mountPath);
        expect(written).toContain(args[args.indexOf('--outputs') + 1]);
      }
    }
    expect(documentsOf('kubernetes-cronjob.yaml')).toContainEqual(
      expect.objectContaining({ kind: 'PersistentVolumeClaim', metadata: { name: 'fintext-outputs' } }),
    );
  });

  it('uses the image that the Dockerfile says how to build, which copies what is there', () => {
    for (const { image } of cronJobs().flatMap(containersOf)) expect(read('Dockerfile')).toContain(`-t ${image} `);
    const copied = [...read('Dockerfile').matchAll(/^COPY --from=build \/srv\/fintext\/(\S+) /gm)].map(
      ([, path]) => path,
    );
    expect(copied.filter((path = '') => path !== 'dist' && !existsSync(packagePath(path)))).toEqual([]);
    // An image that lacks what the package holds runs some commands and not others.
    const { files } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { files: string[] };
    const held = files.filter((path) => !path.startsWith('!')).map((path) => path.replace(/\/\*.*$/, ''));
    expect(held.filter((path) => !copied.includes(path))).toEqual([]);
  });
});

describe.runIf(here)('the GitHub Actions workflow', () => {
  it('has the fields of a workflow, runs one at a time, and keeps what it made', () => {
    const { on, jobs } = workflow();
    expect(isSchedule(on.schedule[0]?.cron ?? '')).toBe(true);
    const [job] = Object.values(jobs);
    const steps = job?.steps ?? [];
    const uses = steps.flatMap((step) => step.uses ?? []).map((name) => name.replace(/@.*/, ''));
    expect(uses).toEqual([
      'actions/checkout',
      'actions/setup-node',
      'actions/cache/restore',
      'actions/cache/save',
      'actions/upload-artifact',
    ]);
    const [restored, saved] = steps.filter(({ uses: name }) => name?.startsWith('actions/cache/'));
    expect(saved?.with?.key).toBe(restored?.with?.key);
    expect(saved?.with?.path).toBe(job?.env.FINTEXT_OUTPUTS);
    // The lock of a run that was killed comes to another machine with the cache.
    const at = (what: (step: (typeof steps)[number]) => boolean): number => steps.findIndex(what);
    const unlocked = at(({ run }) => run?.includes(basename(outputsIn('outputs').lock('wcb'))) === true);
    expect(unlocked).toBeGreaterThan(at(({ uses: name }) => name?.startsWith('actions/cache/restore') === true));
    expect(unlocked).toBeLessThan(at(({ run }) => run?.includes('rebuild') === true));
    // What a person types into the form is never part of the script.
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });
});
