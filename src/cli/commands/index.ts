import type { CommandModule } from 'yargs';
import { UsageError } from '../../errors.js';
import { findNearest } from '../../nearest.js';
import type { Context } from '../context.js';

export type Command = (context: Context) => CommandModule;

/** Every command by its name, in the order of the help. Loaded when it is asked for: what one needs, another does not. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  rebuild: async () => (await import('./rebuild.js')).rebuild,
  reprocess: async () => (await import('./reprocess.js')).reprocess,
  plan: async () => (await import('./plan.js')).plan,
  jobs: async () => (await import('./jobs.js')).jobs,
  work: async () => (await import('./work.js')).work,
  status: async () => (await import('./status.js')).status,
  explain: async () => (await import('./explain.js')).explain,
  segment: async () => (await import('./segment.js')).segment,
  classify: async () => (await import('./classify.js')).classify,
  snapshots: async () => (await import('./snapshots.js')).snapshots,
  models: async () => (await import('./models.js')).models,
  keys: async () => (await import('./keys.js')).keys,
  serve: async () => (await import('./serve.js')).serve,
};

/** What yargs answers by itself: `fintext help`. */
const OWN = ['help'];

/**
 * The command that is asked for by its name, or all of them: for the help, and where a flag comes first.
 *
 * @throws UsageError where the name is not one
 */
export const loadCommands = async (asked: string | undefined): Promise<readonly Command[]> => {
  const known = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  if (known === undefined && asked !== undefined && !asked.startsWith('-') && !OWN.includes(asked)) {
    throw unknownCommand(asked);
  }
  return known === undefined ? Promise.all(Object.values(COMMANDS).map((load) => load())) : [await known()];
};

const unknownCommand = (asked: string): UsageError => {
  const nearest = findNearest(asked, Object.keys(COMMANDS));
  const meant = nearest === undefined ? '' : ` Did you mean fintext ${nearest}?`;
  return new UsageError(`There is no command ${JSON.stringify(asked)}.${meant} fintext --help lists the commands.`);
};
