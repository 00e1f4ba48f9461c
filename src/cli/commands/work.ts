import type { CommandModule } from 'yargs';
import { readJob, STEPS, settingsOfJob } from '../../../pipeline/run/job.js';
import { work as workOn } from '../../../pipeline/run/work.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { settingsOf, withSettings } from '../options.js';
import { runSummary } from '../summary.js';

/** `fintext work`: one task of a job, as an engine starts it. */
export const work = (context: Context): CommandModule => ({
  command: 'work',
  describe: 'one task of a job, as an engine starts it on its machines: does what is not done, and marks it',
  builder: (yargs) =>
    withSettings('log')(yargs)
      .option('job', { type: 'string', requiresArg: true, demandOption: true, describe: 'folder of the job' })
      .option('step', { choices: STEPS, requiresArg: true, demandOption: true, describe: 'step of the job' })
      .option('element', {
        type: 'string',
        requiresArg: true,
        describe: 'number of the task in its step',
        default: '0',
      })
      .option('attempts', {
        type: 'string',
        requiresArg: true,
        describe: 'a name that all attempts of this task have: a later one takes over the lock of an earlier one',
      })
      .option('wait', {
        type: 'string',
        requiresArg: true,
        describe: 'seconds to wait for the step before, where nobody else sees to the order',
        default: '0',
      })
      .epilogue('Exits 75 where this attempt failed and another one may succeed.'),
  handler: async (flags) => {
    const found = await readJob(String(flags.job));
    const step = STEPS.find((name) => name === flags.step) ?? STEPS[0];
    const settings = settingsOfJob(found.job, process.env);
    const published = await workOn({
      found,
      settings,
      step,
      element: wholeNumber('element', flags.element),
      ...(flags.attempts !== undefined && { attempts: String(flags.attempts) }),
      wait: wholeNumber('wait', flags.wait),
      signal: context.signal,
      log: context.present(settingsOf(flags)),
      now: context.now,
      random: Math.random,
    });
    if (published !== undefined) {
      await context.print(`${JSON.stringify(await runSummary(published.runs, settings))}\n`);
    }
  },
});

const wholeNumber = (flag: string, value: unknown): number => {
  if (!/^\d{1,7}$/.test(String(value))) throw new UsageError(`--${flag} is a whole number; not "${String(value)}".`);
  return Number(value);
};
