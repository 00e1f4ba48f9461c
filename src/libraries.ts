import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** An installed library as `name@version`. Found as Node finds it: not every package lets its package.json be imported. */
export const libraryOf = (name: string): string => {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json');
    if (!existsSync(file)) continue;
    const found = Package.parse(JSON.parse(readFileSync(file, 'utf8')));
    return `${name}@${found.version}`;
  }
  throw new Error(`The package ${name} is not installed. Run npm ci.`);
};

const Package = z.object({ version: z.string() });
