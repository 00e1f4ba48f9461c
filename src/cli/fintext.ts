#!/usr/bin/env node
/** The command `fintext`. The only place that ends the process: 0 done, 1 failed, 2 wrong use. */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { codeOf, PassingError, RunError, UsageError } from '../errors.js';
import { COMMANDS, type Command, loadCommands } from './commands/index.js';
import type { Context } from './context.js';
import { explain } from './explain.js';
import { openPresenter, type Presenter } from './present.js';

const main = async (): Promise<number> => {
  const stopping = new AbortController();
  const presenters: Presenter[] = [];
  const onSignal = (name: NodeJS.Signals): void => {
    // The second time somebody means it.
    if (stopping.signal.aborted) process.exit(1);
    for (const presenter of presenters) presenter.stop();
    process.stderr.write(`${name}: stopping after what is under way. Run the same command again to go on.\n`);
    stopping.abort(new RunError(`Stopped by ${name}. Nothing is lost: run the same command again to go on.`));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // `fintext … | head` closes our stdout: then there is nobody left to tell.
  process.stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') process.exit(0);
    // A disk that is full under a file that stdout was sent to: what was printed is not all there.
    for (const presenter of presenters) presenter.stop();
    process.stderr.write(`fintext: stdout cannot be written: ${explain(error)}\n`);
    process.exit(1);
  });

  const context: Context = {
    print: (text) =>
      process.stdout.write(text) ? Promise.resolve() : new Promise((done) => process.stdout.once('drain', done)),
    present: (settings) => {
      const presenter = openPresenter(settings.log, process.stderr, process.env.TERM);
      presenters.push(presenter);
      return presenter.tell;
    },
    signal: stopping.signal,
    now: () => new Date(),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  };

  let failure: unknown;
  const typed = hideBin(process.argv);
  try {
    await parserOf(typed, await loadCommands(typed[0]), context).parseAsync();
  } catch (error) {
    failure ??= error;
  }
  for (const presenter of presenters) presenter.stop();
  if (failure === undefined) return 0;
  process.stderr.write(`fintext: ${explain(failure)}\n`);
  // EX_TEMPFAIL of sysexits.h: for the engine that runs a step of a job, and nobody else.
  if (failure instanceof PassingError) return 75;
  return failure instanceof UsageError ? 2 : 1;
};

const parserOf = (typed: readonly string[], commands: readonly Command[], context: Context) =>
  commands.reduce(
    (all, command) => all.command(command(context)),
    yargs([...typed])
      .scriptName('fintext')
      .usage('$0 <command>\n\nCentral bank texts and earnings calls in, per-document metrics out.')
      .parserConfiguration({ 'duplicate-arguments-array': true, 'camel-case-expansion': false, 'greedy-arrays': false })
      .demandCommand(1, 'Say what to do; fintext --help lists the commands.')
      .strict()
      .recommendCommands()
      .version()
      // What it says of a wrong use is read below.
      .locale('en')
      .alias('h', 'help')
      .wrap(Math.min(110, process.stdout.columns ?? 110))
      .epilogue(
        'fintext <command> --help says more; begin with fintext rebuild. Settings are read from flags, then from FINTEXT_* variables. Exit: 0 done, 1 failed, 2 wrong use.',
      )
      .exitProcess(false)
      // Thrown, because otherwise the command would run all the same.
      .fail((message, error) => {
        throw error === undefined || error.name === 'YError'
          ? new UsageError(sayWhatIsWrong(typed, oneLine(message ?? error?.message)))
          : error;
      }),
  );

/** What yargs says of a wrong use, as the commands themselves would: what, of which command, and where to look. */
const sayWhatIsWrong = (typed: readonly string[], message: string): string => {
  const command = typed.find((word) => Object.hasOwn(COMMANDS, word));
  const asTyped = (name: string): string =>
    typed.some((word) => word === `--${name}` || word.startsWith(`--${name}=`)) ? `--${name}` : name;
  const said = message
    .replace(/^Not enough non-option arguments.*$/, `Something is missing behind ${command}`)
    .replace(
      /^Unknown arguments?: (.*)$/,
      (_, names: string) => `${command} takes no ${names.split(', ').map(asTyped).join(', ')}`,
    )
    .replace(
      /^Missing required arguments?: (.*)$/,
      (_, names: string) => `${command} needs --${names.replaceAll(', ', ', --')}`,
    )
    .replace(/^Not enough arguments following: (.*)$/, '--$1 needs a value')
    .replace(
      /^Invalid values: Argument: (\S+), Given: (.*?), Choices: (.*)$/,
      (_, name: string, given: string, choices: string) => `${asTyped(name)} is one of ${choices}; not ${given}`,
    );
  return said === message ? message : `${said}; see fintext ${command} --help.`;
};

const oneLine = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

process.exitCode = await main();
