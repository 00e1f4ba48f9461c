/** The explorer at `/`: one page and its own files, held in memory. What it shows it asks from the API, with the reader's key. */
import { readdir, readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codeOf, RunError } from '../errors.js';
import { hashText } from '../files.js';
import { packagePath } from '../package-root.js';
import { isHeld, negotiate, tagFor } from './conditional.js';

const SOURCE = packagePath('src', 'serve', 'explorer');
const COMPILED = packagePath('dist', 'src', 'serve', 'explorer');

/** Where the page's files are, but for the page itself. */
const FOLDER = '/explorer/';

const FILES = [
  { path: '/', name: 'explorer.html', type: 'text/html; charset=utf-8' },
  { path: `${FOLDER}explorer.css`, name: 'explorer.css', type: 'text/css; charset=utf-8' },
  { path: `${FOLDER}icon.svg`, name: 'icon.svg', type: 'image/svg+xml' },
] as const;

/**
 * The page's own files and the API beside it, nothing else. Trusted types let no text become markup or code, so nothing
 * that a document says can act on the page; no form goes anywhere, so a key cannot end up in an address.
 */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/**
 * Serves the page and its files.
 *
 * @returns their paths
 * @throws RunError where a file of the package is missing
 */
export const addExplorer = async (app: FastifyInstance): Promise<readonly string[]> => {
  const files = await readFiles();
  for (const { path, type, body } of files) {
    const etag = `"${hashText(body).slice(0, 32)}"`;
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const tag = tagFor(etag, negotiate(request.headers['accept-encoding']));
        const isKnown = isHeld(request.headers['if-none-match'] ?? '', tag);
        return reply
          .code(isKnown ? 304 : 200)
          .headers({
            'content-type': type,
            'content-security-policy': POLICY,
            'cache-control': 'no-cache',
            etag: tag,
            vary: 'accept-encoding',
          })
          .send(isKnown ? undefined : body);
      },
    });
  }
  return files.map(({ path }) => path);
};

const readFiles = async (): Promise<readonly PageFile[]> => {
  try {
    const modules = (await readdir(COMPILED)).filter((name) => name.endsWith('.js')).sort();
    return [
      ...(await Promise.all(
        FILES.map(async ({ path, name, type }) => ({ path, type, body: await readFile(`${SOURCE}/${name}`, 'utf8') })),
      )),
      ...(await Promise.all(
        modules.map(async (name) => ({
          path: `${FOLDER}${name}`,
          type: 'text/javascript; charset=utf-8',
          body: await readFile(`${COMPILED}/${name}`, 'utf8'),
        })),
      )),
    ];
  } catch (error) {
    throw codeOf(error) === 'ENOENT'
      ? new RunError('The page of the service is incomplete: run npm run build.', { cause: error })
      : error;
  }
};
