import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';
import { type Import, importsOf, readSource, trackedFiles } from '../support/sources.js';

const CODE = trackedFiles().filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
const IMPORTS = CODE.flatMap(importsOf);
const OURS = IMPORTS.filter(({ ours }) => ours);

const isBelow =
  (...folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const stageOf = (path: string): string | undefined => /^pipeline\/(\d-[a-z]+)\//.exec(path)?.[1];

/** The imports that break a rule, as text. */
const broken = (isWrong: (found: Import) => boolean): readonly string[] =>
  OURS.filter(isWrong).map(({ from, to }) => `${from} imports ${to}`);

describe.runIf(CODE.length > 0)('imports', () => {
  it('are found: the rules below look at something', () => {
    expect(OURS.length).toBeGreaterThan(200);
    expect(OURS).toContainEqual({
      from: 'pipeline/pipeline.ts',
      to: 'pipeline/1-ingest/stage.ts',
      ours: true,
      typeOnly: false,
    });
  });

  it('name files that are there', () => {
    expect(broken(({ to }) => !existsSync(join(packageRoot, to)))).toEqual([]);
  });

  it('of pipeline/ are from pipeline/, src/, models/ and data/', () => {
    const allowed = isBelow('pipeline', 'src', 'models', 'data');
    expect(broken(({ from, to }) => isBelow('pipeline')(from) && !allowed(to))).toEqual([]);
  });

  it('of a stage are never from another stage, nor from run/, nor from the list of stages', () => {
    expect(
      broken(({ from, to }) => {
        const stage = stageOf(from);
        if (stage === undefined) return false;
        const other = stageOf(to);
        return (other !== undefined && other !== stage) || isBelow('pipeline/run', 'pipeline/pipeline.ts')(to);
      }),
    ).toEqual([]);
  });

  it('of what the stages share are from no stage and from no way of running', () => {
    const shared = isBelow(
      ...['stage', 'document', 'events', 'lineage', 'throughput'].map((name) => `pipeline/${name}.ts`),
    );
    expect(
      broken(({ from, to }) => shared(from) && (stageOf(to) !== undefined || isBelow('pipeline/run')(to))),
    ).toEqual([]);
  });

  it('of an executor are from no stage', () => {
    expect(broken(({ from, to }) => isBelow('pipeline/run/executors')(from) && stageOf(to) !== undefined)).toEqual([]);
  });

  it('of src/ are never from pipeline/, but for the command line', () => {
    expect(
      broken(({ from, to }) => isBelow('src')(from) && !isBelow('src/cli')(from) && isBelow('pipeline')(to)),
    ).toEqual([]);
  });

  it('from src/cli are only its own', () => {
    expect(
      broken(({ from, to }) => isBelow('src/cli')(to) && !isBelow('src/cli')(from) && !isBelow('test')(from)),
    ).toEqual([]);
  });

  it('of models/ and data/ are from the two of them alone', () => {
    const catalogs = isBelow('models', 'data');
    expect(broken(({ from, to }) => catalogs(from) && !catalogs(to))).toEqual([]);
  });

  it('from test/ are only its own', () => {
    expect(broken(({ from, to }) => isBelow('test')(to) && !isBelow('test')(from))).toEqual([]);
  });

  it('go in no circle', () => {
    const values = new Map<string, readonly string[]>();
    for (const path of CODE) {
      values.set(
        path,
        OURS.filter(({ from, typeOnly }) => from === path && !typeOnly).map(({ to }) => to),
      );
    }
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
      if (way.includes(path) || done.has(path)) return;
      for (const next of values.get(path) ?? []) walk(next, [...way, path]);
      done.add(path);
    };
    for (const path of CODE) walk(path, []);
    expect(circles).toEqual([]);
  });
});

describe.runIf(CODE.length > 0)('packages', () => {
  const manifest = JSON.parse(readSource('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const packages = IMPORTS.filter(({ ours, to }) => !ours && !to.startsWith('node:'));

  it('that a user runs are dependencies, and none of them is there for nothing', () => {
    const run = packages.filter(({ from }) => isBelow('src', 'pipeline', 'models', 'data')(from));
    const named = new Set(Object.keys(manifest.dependencies));
    expect(run.filter(({ to }) => !named.has(to)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    const used = new Set(run.map(({ to }) => to));
    expect([...named].filter((name) => !used.has(name))).toEqual([]);
  });

  it('that only tests use are named in package.json too', () => {
    const named = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]);
    expect(packages.filter(({ to }) => !named.has(to)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });
});
