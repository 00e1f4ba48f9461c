/** One request to one address, and to nowhere else: what a name leads to is checked, and what was checked is connected to. */
import { lookup as lookUp } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf, messageOf } from '../../../src/errors.js';
import { FetchError } from './fetch-error.js';
import { hostOf } from './url.js';

export interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  /** May this IP address be connected to? */
  readonly mayConnect: (address: string) => boolean;
  /** How names become addresses: the system's way, but for tests. */
  readonly lookup?: LookupFunction;
}

/** Asks and waits for the answer's head. @throws FetchError */
export const request = (url: URL, { headers, signal, mayConnect, lookup }: RequestOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const host = hostOf(url);
    // An address written as a number is connected to without any look-up.
    if (isIP(host) !== 0 && !mayConnect(host)) {
      reject(refusal(host, host));
      return;
    }
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const asked = send(url, {
      agent: false,
      signal,
      headers: { ...headers, 'user-agent': 'fintext-metrics' },
      lookup: checkedLookup(lookup ?? systemLookup, mayConnect),
    });
    asked.on('response', resolve);
    asked.on('error', (error) => reject(toFetchError(error)));
    asked.end();
  });

const systemLookup: LookupFunction = (hostname, options, callback) => lookUp(hostname, options, callback);

/**
 * Resolves a name once and hands on those of its addresses that may be connected to. The connection is made to what is handed on, so
 * that a name which leads elsewhere a moment later (DNS rebinding) gains nothing.
 */
const checkedLookup =
  (lookup: LookupFunction, mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const all = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const open = all.filter(({ address }) => mayConnect(address));
      const [first] = open;
      if (first === undefined) callback(refusal(hostname, all.map(({ address }) => address).join(', ')), '');
      else if (options.all === true) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };

const refusal = (host: string, address: string): FetchError =>
  new FetchError(
    `${host === address ? host : `${host} leads to ${address}, which`} is no public address (--private-addresses allow asks it)`,
    { fault: 'not_public', next: 'give up' },
  );

/** Network failures that are over in a moment, more often than not. Others are a wrong name, a wrong certificate, no HTTP. */
const PASSING: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
  // A compressed answer that ends in the middle.
  'Z_BUF_ERROR',
]);

/** What a connection or the reading of an answer ended with. */
export const toFetchError = (error: unknown): FetchError => {
  if (error instanceof FetchError) return error;
  // Of several addresses that were tried each has its own error.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const code = codeOf(first) ?? codeOf(error);
  const certificate = wrongCertificate(first, code);
  return new FetchError(certificate ?? `the connection failed: ${messageOf(first) || messageOf(error)}`, {
    fault: certificate !== undefined ? 'certificate' : isPacking(code) ? 'packing' : 'no_answer',
    next: code !== undefined && PASSING.has(code) ? 'retry' : 'give up',
    cause: error,
  });
};

/** Of the decoders. One whose content ends in the middle is a connection that broke off. */
const isPacking = (code: string | undefined): boolean =>
  code !== undefined && !PASSING.has(code) && /^(Z_|ERR__ERROR_FORMAT|ERR_BROTLI)/.test(code);

const UNTRUSTED =
  'its certificate is of no authority that is trusted here (NODE_EXTRA_CA_CERTS names a file of further ones)';

/** What is wrong with a server's certificate, by the code that Node gives it. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

const wrongCertificate = (error: unknown, code: string | undefined): string | undefined => {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && error instanceof Error && 'host' in error && 'cert' in error) {
    const { cert } = error;
    const names =
      typeof cert === 'object' && cert !== null && 'subjectaltname' in cert ? cert.subjectaltname : undefined;
    const good = String(names ?? 'none').replaceAll('DNS:', '');
    // The server wrote the names: however many there are, some are enough.
    return `its certificate is not for ${error.host} but for ${good.slice(0, 200)}`;
  }
  return code === undefined ? undefined : CERTIFICATES[code];
};
