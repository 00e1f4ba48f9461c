import type { CommandModule } from 'yargs';
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

/** The command that is asked for by its name, or all of them: for the help, and where the name is not one. */
export const loadCommands = async (asked: string | undefined): Promise<readonly Command[]> => {
  const known = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  return known === undefined ? Promise.all(Object.values(COMMANDS).map((load) => load())) : [await known()];
};
