import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputsIn } from '../../src/outputs.js';
import { findRepeated, readSettings } from '../../src/settings.js';
import { outputsFlag, quoteForShell, rebuildCommand, settingsFlags } from '../../src/snapshot/commands.js';

describe('a command that is to be typed', () => {
  it('names the outputs folder, but for the default one that no variable replaces', () => {
    const named = (folder: string, variable?: string): string =>
      outputsFlag(outputsIn(folder), variable === undefined ? {} : { FINTEXT_OUTPUTS: variable }).join(' ');
    expect(named('outputs')).toBe('');
    expect(named('./outputs/', '')).toBe('');
    expect(named('outputs', '/data/outputs')).toBe(`--outputs ${process.cwd()}/outputs`);
    expect(named('/data/outputs', '/data/outputs')).toBe('--outputs /data/outputs');
    expect(named('/my data')).toBe(`--outputs '/my data'`);
  });

  it('names up to four folders to read, and of a store whose outputs folder is elsewhere none', () => {
    const outputs = outputsIn('/o');
    const reading = (...inputs: readonly string[]): string =>
      rebuildCommand({ dataset: 'wcb', outputs, run: { inputs, settings: undefined, file: '/record.json' } });
    expect(reading('/a', '/b c')).toBe(`fintext rebuild --dataset wcb --outputs /o --input /a --input '/b c'`);
    expect(reading('/1', '/2', '/3', '/4')).toContain('--input /4');
    expect(reading('/1', '/2', '/3', '/4', '/5')).toBe(
      'fintext rebuild --dataset wcb --outputs /o, with an --input for each of the 5 folders that /record.json names under "inputs",',
    );
    const once = 'the damaged objects are deleted';
    const there = { dataset: 'wcb', publish: 's3://bucket', once } as const;
    expect(rebuildCommand({ ...there, outputs: undefined, run: undefined })).toBe(
      `fintext rebuild --dataset wcb --publish s3://bucket, with the --outputs and --input folders and the settings of the last run, once ${once},`,
    );
    expect(rebuildCommand({ ...there, outputs, run: { inputs: ['/a'], settings: {}, file: '/record.json' } })).toBe(
      `fintext rebuild --dataset wcb --outputs /o --input /a --publish s3://bucket, once ${once},`,
    );
  });

  it('repeats the settings of the run that are not the defaults, and that no variable gives', () => {
    const kept = findRepeated(readSettings({ models: 'm', uncertainty: 'net', publish: 's3://bucket' }, {}));
    expect(kept).toEqual({ models: `${process.cwd()}/m`, uncertainty: 'net', publish: 's3://bucket' });
    const named = (variables: Readonly<Record<string, string>>, settings = kept): string =>
      settingsFlags(settings, readSettings({}, variables)).join(' ');
    expect(named({})).toBe(`--models ${process.cwd()}/m --uncertainty net --publish s3://bucket`);
    expect(named({ FINTEXT_UNCERTAINTY: 'net', FINTEXT_MODELS: './m' })).toBe('--publish s3://bucket');
    expect(named({ FINTEXT_UNCERTAINTY: 'net', FINTEXT_PUBLISH: 's3://other' }, {})).toBe('--uncertainty ratio');
    const run = { inputs: ['/1', '/2', '/3', '/4', '/5'], settings: kept, file: '/record.json' };
    expect(rebuildCommand({ dataset: 'wcb', outputs: outputsIn('/o'), run, publish: 's3://that' })).toMatch(
      /^fintext rebuild --dataset wcb --outputs \/o --models \S+\/m --uncertainty net --publish s3:\/\/that, with an/,
    );
  });

  it('quotes a word so that a shell takes it for that word', () => {
    const words = fc.string({ unit: fc.constantFrom(...` a/b'"$\`\\;&|<>*?~#!()\n=%é`), minLength: 1 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), (all) => {
        const script = `printf '%s\\0' ${all.map(quoteForShell).join(' ')}`;
        expect(execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });
});
