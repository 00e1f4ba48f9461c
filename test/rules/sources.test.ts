import { describe, expect, it } from 'vitest';
import { readSource, trackedFiles } from '../support/sources.js';

const TRACKED = trackedFiles();
const CODE = TRACKED.filter((path) => path.endsWith('.ts'));
const PRODUCT = CODE.filter((path) => !path.startsWith('test/') && path !== 'vitest.config.ts');

/** Files and lines that match, comments and this file aside. */
const linesWith = (files: readonly string[], pattern: RegExp): readonly string[] =>
  files
    .filter((path) => path !== 'test/rules/sources.test.ts')
    .flatMap((path) =>
      readSource(path)
        .split('\n')
        .map((line, at) => ({ line, at: at + 1 }))
        .filter(({ line }) => !/^\s*(\/\/|\/?\*)/.test(line) && pattern.test(line))
        .map(({ line, at }) => `${path}:${at}: ${line.trim()}`),
    );

describe.runIf(CODE.length > 0)('the sources', () => {
  it('hold no type that is not checked', () => {
    expect(linesWith(CODE, /(:|<|\bas) any\b|\bany\[\]|@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
    // The linter sees `x!.y`; a definite assignment it does not.
    expect(linesWith(CODE, /^\s*(let|readonly|private|public|declare)?\s*\w+!:/)).toEqual([]);
  });

  it('take what JSON.parse gives as unknown, or parse it at once', () => {
    expect(linesWith(PRODUCT, /JSON\.parse\([^()]*(\([^()]*\))?[^()]*\)\s*[.[]/)).toEqual([]);
    expect(linesWith(PRODUCT, /(const|let) (\w+|\{[^}]*\}) = JSON\.parse\(/)).toEqual([]);
  });

  it('have no enum, no namespace and no inheritance but from errors', () => {
    expect(linesWith(CODE, /^\s*(export |declare |const )*(enum|namespace) \w+/)).toEqual([]);
    expect(linesWith(PRODUCT, /\bclass \w+ extends (?!(Error|RunError|UsageError)\b)/)).toEqual([]);
    expect(linesWith(PRODUCT, /\babstract class\b/)).toEqual([]);
  });

  it('silence no rule of the linter without a reason', () => {
    expect(linesWithComments(CODE, /biome-ignore(?!\s+[\w/]+:\s+\S{2,})/)).toEqual([]);
  });

  it('end the process in one place, and in processes that were started for a task', () => {
    const ending = /process\.(exit\(|exitCode\b)|process\.abort/;
    const children = new Set(['src/cli/fintext.ts', 'pipeline/1-ingest/extract-child.ts']);
    expect(
      linesWith(
        PRODUCT.filter((path) => !children.has(path)),
        ending,
      ),
    ).toEqual([]);
  });

  it('of a stage ask no clock, no chance and no environment: they are passed in', () => {
    const stages = PRODUCT.filter((path) => /^pipeline\/\d-/.test(path));
    expect(linesWith(stages, /Date\.now\(|new Date\(\)|performance\.now|Math\.random|randomUUID/)).toEqual([]);
    const withoutProcesses = stages.filter((path) => path !== 'pipeline/1-ingest/extract-process.ts');
    expect(linesWith(withoutProcesses, /process\.env\b/)).toEqual([]);
  });

  it('write to no console', () => {
    expect(linesWith(PRODUCT, /\bconsole\.\w+\(/)).toEqual([]);
  });
});

const linesWithComments = (files: readonly string[], pattern: RegExp): readonly string[] =>
  files.filter((path) => path !== 'test/rules/sources.test.ts').filter((path) => pattern.test(readSource(path)));

describe.runIf(TRACKED.length > 0)('what git keeps', () => {
  /** Text files; what a person or a corpus wrote is not held to the rules of code. */
  const texts = TRACKED.filter(
    (path) =>
      /\.(ts|mjs|js|json|py|md|txt|sh|yml|yaml|toml|html|css|csv|jsonl)$|(^|\/)\.[a-z]+(rc|ignore|attributes)?$|^\.ci\//.test(
        path,
      ) && path !== 'test/rules/sources.test.ts',
  );

  const holding = (pattern: RegExp): readonly string[] =>
    texts.flatMap((path) => {
      const [found] = readSource(path).match(pattern) ?? [];
      return found === undefined ? [] : [`${path}: ${found}`];
    });

  it('names no folder of the machine it was written on', () => {
    expect(holding(/(?<![\w.~*<])\/(work|root|mnt|Users|home\/(?!(you|user|me)\b)[a-z])[/\w-]*/)).toEqual([]);
    expect(holding(/\bfile:\/\/\/(?!etc\b)\w+/)).toEqual([]);
  });

  it('names no host that packages were fetched from', () => {
    const lockfile = readSource('package-lock.json');
    const hosts = [...lockfile.matchAll(/"resolved": "(https?:\/\/[^/"]+)/g)].map(([, host]) => host);
    expect(hosts.filter((host) => host !== 'https://registry.npmjs.org')).toEqual([]);
    expect(holding(/^\s*(registry|index-url|extra-index-url|proxy|https-proxy)\s*=/m)).toEqual([]);
    expect(holding(/--(extra-)?index-url\b|--registry[= ]/)).toEqual([]);
    // Loopback is where a server listens; any other bare address is some machine's.
    expect(holding(/https?:\/\/(?!127\.|0\.0\.0\.0)(\d{1,3}\.){3}\d{1,3}(?!\d)/)).toEqual([]);
  });

  it('holds no outputs, no dependencies and no keys', () => {
    expect(TRACKED.filter((path) => /^(node_modules|dist|outputs|coverage)\//.test(path))).toEqual([]);
    expect(TRACKED.filter((path) => /\.(pem|key|db|duckdb)$|(^|\/)\.env/.test(path))).toEqual([]);
    expect(holding(/-----BEGIN [A-Z ]*PRIVATE KEY-----/)).toEqual([]);
  });
});
