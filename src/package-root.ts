import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isOurs = (folder: string): boolean =>
  existsSync(join(folder, 'package.json')) &&
  readFileSync(join(folder, 'package.json'), 'utf8').includes('"name": "fintext-metrics"');

const findRoot = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (isOurs(folder)) return folder;
    if (folder === dirname(folder))
      throw new Error('The package fintext-metrics is incomplete: package.json is missing.');
  }
};

/** The folder that holds package.json, models/ and data/, whether the code runs from TypeScript or from dist/. */
export const packageRoot = findRoot();

const readVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : 'unknown';
};

/** As package.json says. */
export const packageVersion = readVersion();

/** Absolute path of something that lies in the package. */
export const packagePath = (...parts: string[]): string => join(packageRoot, ...parts);

/**
 * The compiled file of a module that is started on its own, as a worker thread or a child process: those run plain
 * JavaScript, also when their starter is being tested from TypeScript.
 *
 * @param module path of the module from the package's root, without its ending: `src/inference/worker`
 */
export const entryPoint = (module: string): string => packagePath('dist', `${module}.js`);
