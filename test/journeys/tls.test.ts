/** Documents at https addresses: the certificate decides whether what is sent is taken for the publisher's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, parquet } from '../../src/database.js';
import { openAuthority } from '../support/certificates.js';
import { type Ended, openRig, type Rig } from '../support/fintext.js';
import { idOf, manifestOf, textOf } from '../support/nightly.js';
import { openWebServer, page, type WebServer } from '../support/web-server.js';

const MINUTES = 4 * 60_000;

describe('a document at an https address', () => {
  let rig: Rig;
  const servers: WebServer[] = [];
  let trusting: Ended;
  let rejects: ReadonlyMap<string, string>;
  let documents: readonly string[];

  beforeAll(async () => {
    rig = await openRig();
    const now = new Date();
    const trusted = openAuthority('An authority that is trusted', now);
    const stranger = openAuthority('An authority that is not', now);
    for (const [at, tls] of [
      trusted.certify('localhost', [-1, 1]),
      trusted.certify('elsewhere.example', [-1, 1]),
      trusted.certify('localhost', [-2, -1]),
      trusted.certify('localhost', [1, 2]),
      stranger.certify('localhost', [-1, 1]),
    ].entries()) {
      servers.push(await openWebServer({ '/': page(textOf(at + 1)) }, tls));
    }
    const authorities = join(rig.folder, 'authorities.pem');
    writeFileSync(authorities, trusted.cert);
    writeFileSync(join(rig.folder, 'manifest.csv'), manifestOf(servers.map(({ at }) => at('/'))));
    trusting = await rig.run(['rebuild', '--dataset', 'wcb', '--log', 'text', '--input', rig.folder], {
      env: {
        NODE_EXTRA_CA_CERTS: authorities,
        FINTEXT_PRIVATE_ADDRESSES: 'allow',
        FINTEXT_FETCH_GAP_MS: '0',
      },
    });
    const snapshot = await rig.current('wcb');
    const database = await openDatabase({ memoryMb: 128, temporaryFolder: rig.folder, threads: 1 });
    const rows = (table: string) =>
      database.rows(`SELECT * FROM ${parquet(rig.published('wcb', snapshot, `${table}.parquet`))}`);
    documents = (await rows('documents')).map(({ document_id: id }) => String(id));
    rejects = new Map((await rows('rejects')).map(({ subject, reason }) => [String(subject), String(reason)]));
    database.close();
  }, MINUTES);
  afterAll(async () => {
    for (const server of servers) await server.close();
    await rig.close();
  });

  it('is fetched and published where the certificate is good', () => {
    expect(trusting.code, trusting.stderr).toBe(0);
    expect(documents).toEqual([idOf(1)]);
    expect(servers[0]?.asked).toEqual(['/']);
  });

  it.each([
    ['is for another host', 1, 'its certificate is not for localhost but for elsewhere.example'],
    ['has expired', 2, 'its certificate has expired'],
    ['is not valid yet', 3, 'its certificate is not valid yet'],
    ['is of an unknown authority', 4, 'its certificate is of no authority that is trusted here (NODE_EXTRA_CA_CERTS'],
  ])(
    'is a reject, and the log says why, where the certificate %s; nothing is asked of that server',
    (_why, at, said) => {
      const url = servers[at]?.at('/') ?? '';
      expect(rejects.get(url)).toContain(`${url} could not be fetched: the certificate of its server is not good`);
      expect(trusting.stderr).toContain(`${url} gave nothing: ${said}`);
      expect(servers[at]?.asked).toEqual([]);
      // A certificate does not get better within a minute.
      expect(servers[at]?.connections()).toBe(1);
    },
  );
});
