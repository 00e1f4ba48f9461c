import { basename, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { LIMITS, openExtractor } from '../../../pipeline/1-ingest/extract.js';
import { ExtractError } from '../../../pipeline/1-ingest/source.js';
import { codePointCounter } from '../../../pipeline/2-segment/code-points.js';
import { segmentAndMark } from '../../../pipeline/2-segment/mark.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { settingsOf, withSettings } from '../options.js';
import { isPiped, receive } from '../piped.js';

/** `fintext segment FILE`: the sentences of one file, as the pipeline would cut them. */
export const segment = (context: Context): CommandModule => ({
  command: 'segment <file>',
  describe: 'sentences of one file (txt, md, pdf, html, docx, json transcript), one line of JSON each',
  builder: (yargs) =>
    withSettings('log')(yargs)
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe:
          'the file; - is stdin, and a pipe or device may stand for it too: what it holds is told by its content',
      })
      // Without it yargs hands `-` on as an empty name.
      .nargs('file', 1)
      .example('$0 segment minutes.pdf | jq -r .text', 'only the texts')
      .example('pdftotext minutes.pdf - | $0 segment -', 'what another command prints'),
  handler: async (flags) => {
    settingsOf(flags);
    const given = String(flags.file);
    if (given === '') throw new UsageError('The file has no name: name one, or give - to read stdin.');
    const received = (await isPiped(given)) ? await receive(given, LIMITS.maxFileBytes, context.signal) : undefined;
    const file = received?.file ?? resolve(given);
    const extractor = openExtractor({ limits: LIMITS, processes: 1, signal: context.signal });
    try {
      const { text, turns } = await extractor.extract(file, basename(file));
      const codePoints = codePointCounter(text);
      let lines = '';
      const marked = await segmentAndMark(text, { kind: 'detect', ...(turns ? { turns } : {}) });
      for (const [index, { sentence, ...marks }] of marked.entries()) {
        const { start, end, text: sentenceText, ...voice } = sentence;
        lines += `${JSON.stringify({ index, text: sentenceText, char_start: codePoints(start), char_end: codePoints(end), ...voice, ...marks })}\n`;
        if (lines.length > 1 << 16) {
          await context.print(lines);
          lines = '';
        }
      }
      await context.print(lines);
    } catch (error) {
      if (error instanceof ExtractError)
        throw new UsageError(`${received === undefined ? file : given}: ${error.message}`);
      throw error;
    } finally {
      await extractor.close();
      await received?.remove();
    }
  },
});
