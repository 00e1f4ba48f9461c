/** What an S3 store, or the way to it, says when it cannot, and what a person can do then. */
import { codeOf, messageOf } from '../errors.js';
import { StoreError } from './object-store.js';

interface Fault {
  /** Follows the name of what was asked. */
  readonly hint: string;
  readonly passing?: true;
}

const UNREACHABLE = 'cannot be reached: check AWS_ENDPOINT_URL (now {endpoint}), the network and the name.';
const BUSY = 'is overloaded or out of order: run the same command again later.';

/** By the code of S3's answer, or of the system's. */
const FAULTS: Readonly<Record<string, Fault>> = {
  CredentialsProviderError: {
    hint: 'needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run where there is a role.',
  },
  InvalidAccessKeyId: {
    hint: 'does not know this access key: check AWS_ACCESS_KEY_ID (or the profile in AWS_PROFILE).',
  },
  SignatureDoesNotMatch: { hint: 'knows the access key, but not this secret: check AWS_SECRET_ACCESS_KEY.' },
  InvalidToken: { hint: 'does not take this session token: check AWS_SESSION_TOKEN, or unset it.' },
  ExpiredToken: { hint: 'says that the session token has expired: get new credentials.' },
  AccessDenied: {
    hint: 'is not allowed to this access key: it needs s3:ListBucket for the bucket, s3:GetObject to read, s3:PutObject to publish, s3:DeleteObject to prune.',
  },
  NoSuchBucket: {
    hint: 'does not exist: there is no bucket {bucket} at {endpoint}. Create it, or correct the address.',
  },
  PermanentRedirect: { hint: 'is in another region: set AWS_REGION to the one of the bucket.' },
  AuthorizationHeaderMalformed: { hint: 'is in another region: set AWS_REGION to the one of the bucket.' },
  RequestTimeTooSkewed: { hint: 'refuses the time of this machine: set its clock (NTP); it is {now} here.' },
  QuotaExceeded: { hint: 'is full: raise its quota, or make room with fintext snapshots prune.' },
  EntityTooLarge: { hint: 'takes no object as large as this.' },
  NotImplemented: { hint: 'does not do what is asked of it: it is no full S3 store.' },
  BadDigest: { hint: 'got other bytes than were sent: run the same command again.', passing: true },
  InvalidDigest: { hint: 'got other bytes than were sent: run the same command again.', passing: true },
  IncompleteBody: { hint: 'got only a part of what was sent: run the same command again.', passing: true },
  SlowDown: { hint: BUSY, passing: true },
  ServiceUnavailable: { hint: BUSY, passing: true },
  InternalError: { hint: BUSY, passing: true },
  RequestTimeout: { hint: BUSY, passing: true },
  TimeoutError: { hint: `does not answer: check AWS_ENDPOINT_URL (now {endpoint}) and the network.`, passing: true },
  ENOTFOUND: { hint: UNREACHABLE },
  EAI_AGAIN: { hint: UNREACHABLE, passing: true },
  ECONNREFUSED: { hint: UNREACHABLE, passing: true },
  EHOSTUNREACH: { hint: UNREACHABLE, passing: true },
  ENETUNREACH: { hint: UNREACHABLE, passing: true },
  ETIMEDOUT: { hint: UNREACHABLE, passing: true },
  ECONNRESET: { hint: 'broke off: run the same command again.', passing: true },
  EPIPE: { hint: 'broke off: run the same command again.', passing: true },
  EPROTO: { hint: 'does not speak TLS as asked: http:// or https:// in AWS_ENDPOINT_URL (now {endpoint})?' },
};

export interface Asked {
  /** `s3://bucket/prefix/key` */
  readonly what: string;
  readonly bucket: string;
  readonly endpoint: string;
}

/** An error of the client, as a person is told it. */
export const explainS3 = (error: unknown, asked: Asked): StoreError => {
  if (error instanceof StoreError) return error;
  const status = statusOf(error);
  const code = codesOf(error).find((known) => Object.hasOwn(FAULTS, known)) ?? codeByStatus(status);
  const fault = code === undefined ? undefined : FAULTS[code];
  const said = codesOf(error).find((name) => !['Error', 'Unknown', 'UnknownError'].includes(name)) ?? messageOf(error);
  const hint =
    fault?.hint ??
    (/Region is missing/.test(messageOf(error))
      ? 'needs a region: set AWS_REGION.'
      : 'cannot be used: run the same command again; if that does not help, ask whoever runs the store.');
  const words = hint
    .replace('{bucket}', asked.bucket)
    .replace('{endpoint}', asked.endpoint)
    .replace('{now}', new Date().toISOString());
  const facts = [said, ...(status === undefined ? [] : [`status ${status}`])].join(', ');
  return new StoreError(`${asked.what} ${words} (${facts})`, { passing: fault?.passing ?? false, cause: error });
};

export const statusOf = (error: unknown): number | undefined => {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
};

/** S3's code is the error's name, the system's its `code`. */
const codesOf = (error: unknown): readonly string[] => {
  const code = codeOf(error);
  return [...(code === undefined ? [] : [code]), ...(error instanceof Error ? [error.name] : [])];
};

/** An answer to HEAD has no body to say more in. */
const codeByStatus = (status: number | undefined): string | undefined => {
  if (status === 401 || status === 403) return 'AccessDenied';
  if (status === 429 || (status !== undefined && status >= 500 && status !== 501)) return 'ServiceUnavailable';
  return status === 301 ? 'PermanentRedirect' : undefined;
};
