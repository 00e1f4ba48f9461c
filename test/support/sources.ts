/** The repository's own files, for the tests that hold all of them to a rule. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageRoot } from '../../src/package-root.js';

/** Paths that git tracks, from the root; where there is no git, none. */
export const trackedFiles = (): readonly string[] => {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' });
    return listed.split('\0').filter((path) => path !== '' && existsSync(join(packageRoot, path)));
  } catch {
    return [];
  }
};

export const readSource = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

export interface Import {
  /** The file that imports, from the root. */
  readonly from: string;
  /** What it names: a path from the root for our own files, else the name of a package. */
  readonly to: string;
  readonly ours: boolean;
  /** Is it gone once the types are? */
  readonly typeOnly: boolean;
}

/** What a TypeScript file imports and exports from elsewhere. */
export const importsOf = (path: string): readonly Import[] => {
  const statement = /^(?:import|export)\s+(type\s)?(?:[^;'"`]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...readSource(path).matchAll(statement)].map(([, type, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? '';
    const ours = name.startsWith('.');
    return {
      from: path,
      to: ours ? posix.join(dirname(path), name).replace(/\.js$/, '.ts') : packageOf(name),
      ours,
      typeOnly: type !== undefined,
    };
  });
};

const packageOf = (name: string): string => {
  const [scope = '', rest = ''] = name.split('/');
  return scope.startsWith('@') ? `${scope}/${rest}` : scope;
};
