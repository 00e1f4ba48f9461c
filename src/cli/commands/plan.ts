import { isAbsolute, relative, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { ATTEMPTS, ELEMENT } from '../../../pipeline/run/executors/executor.js';
import { toKubernetes } from '../../../pipeline/run/executors/kubernetes.js';
import { stepsOf } from '../../../pipeline/run/job.js';
import { planJobs } from '../../../pipeline/run/submit.js';
import { UsageError } from '../../errors.js';
import { quoteForShell } from '../../snapshot/commands.js';
import type { Context } from '../context.js';
import {
  allowOption,
  inputOption,
  namedInputs,
  parseAllowed,
  parseDatasets,
  rememberInputs,
  settingsOf,
  withSettings,
} from '../options.js';
import { RUN_SETTINGS } from '../run-command.js';
import { throwFailures } from '../summary.js';

/** `fintext plan`: a rebuild as tasks that somebody else starts. */
export const plan = (context: Context): CommandModule => ({
  command: 'plan',
  describe: 'write the job of a rebuild and print its tasks, for an engine of your own to start',
  builder: (yargs) =>
    withSettings(...RUN_SETTINGS)(yargs)
      .option('dataset', { type: 'string', requiresArg: true, describe: 'wcb, earnings or all', default: 'all' })
      .option('input', { ...inputOption, demandOption: true })
      .option('allow', allowOption)
      .option('format', {
        choices: ['commands', 'kubernetes'] as const,
        requiresArg: true,
        describe: 'commands, one line a task in order; or the Jobs of a Kubernetes cluster',
        default: 'commands',
      })
      .option('image', {
        type: 'string',
        requiresArg: true,
        describe: 'kubernetes: image of this package (pipeline/schedule/Dockerfile)',
        default: 'fintext-metrics:0.1.0',
      })
      .option('claim', {
        type: 'string',
        requiresArg: true,
        describe: 'kubernetes: claim of the volume (ReadWriteMany) that holds the folder --mount',
        default: 'fintext-shared',
      })
      .option('mount', {
        type: 'string',
        requiresArg: true,
        describe: 'kubernetes: folder above the inputs and the outputs, the same here and in every pod',
        default: '/data',
      })
      .option('memory', { type: 'string', requiresArg: true, describe: 'kubernetes: memory of a pod', default: '4Gi' })
      .example('$0 plan --format kubernetes --input /data/corpora --outputs /data/outputs | kubectl apply -f -', ''),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const inputs = namedInputs(flags.input);
    if (inputs === undefined) throw new UsageError('--input is missing.');
    const { jobs: found, failed } = await planJobs(
      {
        datasets: parseDatasets(flags.dataset),
        inputs,
        settings,
        signal: context.signal,
        log: context.present(settings),
        now: context.now,
        random: Math.random,
        redo: { what: 'nothing' },
        allowedChecks: parseAllowed(flags.allow),
      },
      undefined,
    );
    for (const { job } of found) await rememberInputs(settings, [job.dataset], inputs);
    if (flags.format === 'kubernetes') {
      const options = {
        image: String(flags.image),
        claim: String(flags.claim),
        mount: String(flags.mount),
        memory: String(flags.memory),
      };
      const steps = found.flatMap((one) => stepsOf(one, ['--wait', String(WAIT_SECONDS)]));
      const outside = [...inputs, settings.outputs].find((path) => !isBelow(options.mount, path));
      if (outside !== undefined) {
        throw new UsageError(
          `${outside} is not below ${options.mount}, which is what the pods see: name it with --mount.`,
        );
      }
      await context.print(`${JSON.stringify(toKubernetes(steps, options), null, 2)}\n`);
      return throwFailures(failed);
    }
    for (const one of found) {
      for (const { args, elements } of stepsOf(one)) {
        const numbers = elements === 'one' ? [0] : Array.from({ length: elements }, (_, at) => at);
        for (const element of numbers) await context.print(`${lineOf(args, element)}\n`);
      }
    }
    throwFailures(failed);
  },
});

/** What a pod waits at most for the step before, before it gives its place up and is tried again. */
const WAIT_SECONDS = 6 * 3600;

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
};

const lineOf = (args: readonly string[], element: number): string =>
  ['fintext', ...args.filter((word) => word !== '--attempts' && word !== ATTEMPTS)]
    .map((word) => (word === ELEMENT ? String(element) : word))
    .map(quoteForShell)
    .join(' ');
