import type { CommandModule } from 'yargs';
import { resolveModel } from '../../inference/models.js';
import { readLines } from '../../lines.js';
import { withModel } from '../asking.js';
import type { Context } from '../context.js';
import { openText } from '../lines.js';
import { settingsOf, withSettings } from '../options.js';

/** Lines that are classified together: memory does not grow with the file. */
const LINES = 2048;

/** `fintext classify`: one text a line in, one label a line out, in order. */
export const classify = (context: Context): CommandModule => ({
  command: 'classify [file]',
  describe: 'label and score of each line of a file, or of stdin',
  builder: (yargs) =>
    withSettings(
      'device',
      'variant',
      'workers',
      'models',
    )(yargs)
      .positional('file', { type: 'string', describe: 'text, one a line; a pipe or device too; - is stdin [stdin]' })
      // Without it yargs hands `-` on as an empty name.
      .nargs('file', 1)
      .option('model', {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'a model; fintext models list names them',
      })
      .example('echo "Inflation is too high." | $0 classify --model cb_stance_label', '')
      .example('$0 classify --model cb_stance_label <(zcat texts.gz)', 'what another command prints'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const model = resolveModel(String(flags.model), { modelsFolder: settings.models }).entry.id;
    const file = flags.file === undefined ? undefined : String(flags.file);
    const input = await openText(file);
    const { signal } = context;
    await withModel(model, settings, signal, async (classifier) => {
      const answer = async (texts: readonly string[]): Promise<void> => {
        const predictions = (await classifier.classify([model], texts, { signal })).get(model);
        const lines = predictions?.labels.map(
          (label, at) => `${JSON.stringify({ label, score: sixDigits(predictions.scores[at] ?? 0) })}\n`,
        );
        await context.print(lines?.join('') ?? '');
      };
      let texts: string[] = [];
      for await (const line of readLines(input)) {
        texts.push(line);
        if (texts.length === LINES) {
          await answer(texts);
          texts = [];
        }
      }
      if (texts.length > 0) await answer(texts);
    });
  },
});

/** A score is a 32-bit number: more digits would say nothing. */
const sixDigits = (score: number): number => Math.round(score * 1e6) / 1e6;
