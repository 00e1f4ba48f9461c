import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { MODELS } from '../../../models/catalog.js';
import { messageOf } from '../../errors.js';
import { findFingerprints } from '../../inference/fingerprints.js';
import type { Context } from '../context.js';
import { settingsOf, withSettings } from '../options.js';

/** `fintext models`: the catalog. */
export const models = (context: Context): CommandModule => ({
  command: 'models <action>',
  describe: 'the catalog of models: list',
  builder: (yargs) =>
    withSettings(
      'models',
      'device',
    )(yargs)
      .positional('action', {
        choices: ['list'],
        demandOption: true,
        describe: 'every model, its labels and its fingerprint',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON a model' }),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const table = new Table({
      head: ['model', 'labels', 'package', 'fingerprint'],
      style: { head: [], border: [], compact: true },
      wordWrap: true,
    });
    for (const entry of MODELS) {
      const fingerprint = await findFingerprints([entry.id], {
        modelsFolder: settings.models,
        device: settings.device,
      }).then(
        ([found]) => found?.fingerprint ?? '',
        (error: unknown) => `cannot be used: ${messageOf(error)}`,
      );
      if (flags.json === true) await context.print(`${JSON.stringify({ ...entry, fingerprint })}\n`);
      else
        table.push([
          entry.id,
          entry.labels.join(', '),
          entry.package,
          fingerprint.length === 64 ? fingerprint.slice(0, 16) : fingerprint,
        ]);
    }
    if (flags.json !== true) await context.print(`${table.toString()}\n`);
  },
});
