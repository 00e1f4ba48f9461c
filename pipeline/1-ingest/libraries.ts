import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const require = createRequire(import.meta.url);

/** An installed library as `name@version`. */
export const libraryOf = (name: string): string => {
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const found = Package.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    // Folders of builds hold a package.json of their own, without a name.
    if (found.success && found.data.name === name) return `${name}@${found.data.version}`;
  }
  throw new Error(`The package ${name} is installed incompletely: it has no package.json. Run npm ci.`);
};

const Package = z.object({ name: z.string(), version: z.string() });
