import { existsSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../pipeline/1-ingest/extract.js';
import { jsonTranscript } from '../../pipeline/1-ingest/formats/json-transcript.js';
import { toFacts } from '../../pipeline/1-ingest/sources/manifest-row.js';
import { COMMANDS, loadCommands } from '../../src/cli/commands/index.js';
import type { Context } from '../../src/cli/context.js';
import { packagePath } from '../../src/package-root.js';
import { LIMIT } from '../../src/serve/filters.js';
import { SETTINGS } from '../../src/settings.js';
import { readSource } from '../support/sources.js';

const context: Context = {
  print: async () => undefined,
  present: () => () => undefined,
  signal: new AbortController().signal,
  now: () => new Date(0),
  columns: undefined,
};

const verbs = Object.keys(COMMANDS);

describe('the commands', () => {
  it('are those of the design, each with a description', () => {
    expect(verbs).toEqual(
      expect.arrayContaining([
        'rebuild',
        'reprocess',
        'status',
        'explain',
        'segment',
        'classify',
        'snapshots',
        'models',
      ]),
    );
  });

  it('are called by the name under which each is loaded, alone or with all', async () => {
    const all = (await loadCommands('--help')).map((load) => load(context));
    expect(all.map(({ command }) => String(command).split(' ')[0])).toEqual(verbs);
    for (const [at, verb] of verbs.entries()) {
      const [only, ...more] = (await loadCommands(verb)).map((load) => load(context));
      expect([only?.command, more.length]).toEqual([all[at]?.command, 0]);
      expect(String(only?.describe).length).toBeGreaterThan(10);
    }
  });
});

describe.runIf(existsSync(packagePath('README.md')))('the README', () => {
  const readme = existsSync(packagePath('README.md')) ? readSource('README.md') : '';

  it.each(verbs)('names the command %s', (verb) => {
    expect(new RegExp(`fintext ${verb}\\b`).test(readme)).toBe(true);
  });

  it.each(Object.values(SETTINGS))('names the setting --$flag and its variable $env', ({ flag, env }) => {
    expect([`--${flag}`, env].filter((name) => !readme.includes(name))).toEqual([]);
  });

  it('shows a manifest whose rows are taken, and a transcript that is read', async () => {
    const [, manifest = ''] = /^```csv\n(.*?)^```/ms.exec(readme) ?? [];
    const rows = parse(manifest, { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => toFacts(row))).toEqual([
      expect.objectContaining({ documentId: 'federal_reserve_system_2025-01-28' }),
      expect.objectContaining({ documentId: 'WXYZ_2025_Q1' }),
    ]);
    const [transcript = ''] = /\{"turns": .*?\}\]\}/s.exec(readme) ?? [];
    const { turns } = await jsonTranscript.extract(Buffer.from(transcript), LIMITS);
    expect(turns).toHaveLength(1);
  });

  it('names every package that a user installs', () => {
    const { dependencies } = JSON.parse(readSource('package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    // Plugins go by the name of what they are plugged into.
    const isNamed = (name: string): boolean => readme.includes(name.replace(/^@(fastify)\/.*/, '$1'));
    expect(Object.keys(dependencies).filter((name) => !isNamed(name))).toEqual([]);
  });

  it('asks in every example that lists documents for as many as a list can hold', () => {
    const lists = readme.split('\n').filter((line) => /\bapi\b.*metrics\/\w+\/documents["?]/.test(line));
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter((line) => !line.includes(`limit=${LIMIT.most}`))).toEqual([]);
  });

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !existsSync(packagePath(link)))).toEqual([]);
  });
});
