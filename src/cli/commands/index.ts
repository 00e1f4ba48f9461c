import type { CommandModule } from 'yargs';
import type { Context } from '../context.js';
import { classify } from './classify.js';
import { explain } from './explain.js';
import { keys } from './keys.js';
import { models } from './models.js';
import { rebuild } from './rebuild.js';
import { reprocess } from './reprocess.js';
import { segment } from './segment.js';
import { serve } from './serve.js';
import { snapshots } from './snapshots.js';
import { status } from './status.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly ((context: Context) => CommandModule)[] = [
  rebuild,
  reprocess,
  status,
  explain,
  segment,
  classify,
  snapshots,
  models,
  keys,
  serve,
];
