/** An S3 store: AWS' own, or whatever speaks its protocol at AWS_ENDPOINT_URL. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { StoreAddress } from './address.js';
import {
  type ListedObject,
  type NewObject,
  type ObjectStore,
  type PutCondition,
  persist,
  type StoredObject,
} from './object-store.js';
import { explainS3, statusOf } from './s3-faults.js';
import { uploadInParts } from './s3-parts.js';

export interface S3Options {
  readonly address: StoreAddress;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Bytes from which a file is sent in parts of that size; at most 5 GB, which a store takes in one piece. */
  readonly partBytes?: number;
}

const PART_BYTES = 64 * 1024 * 1024;
const CONNECT_MS = 10_000;
/** What S3 stores bear between their clock and ours. */
const SKEW_MS = 15 * 60_000;
/** Without a byte in either direction. */
const SILENT_MS = 60_000;

export const openS3 = ({ address, signal, environment, partBytes = PART_BYTES }: S3Options): ObjectStore => {
  const { bucket: Bucket, prefix } = address;
  const endpoint = endpointOf(environment);
  const client = new S3Client(clientConfig(environment, endpoint));
  const abortSignal = signal;

  /** Asks; what cannot be done is said in the terms of who asked. */
  const ask = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw explain(error, key);
    }
  };
  /** The client asks again with the store's time where this machine's is wrong; but what is written tells the time. */
  const checkClock = (): void => {
    if (Math.abs(client.config.systemClockOffset) > SKEW_MS)
      throw Object.assign(new Error('The clock is wrong.'), { code: 'RequestTimeTooSkewed' });
  };
  const explain = (error: unknown, key: string): Error =>
    explainS3(error, { what: `${address.text}/${key}`, bucket: Bucket, endpoint: endpoint ?? 'Amazon S3' });

  const put = async (key: string, body: NewObject, condition: PutCondition): Promise<string | undefined> => {
    checkClock();
    const about = { Bucket, Key: `${prefix}${key}`, ContentType: body.type, ...conditionOf(condition) };
    try {
      if ('text' in body) {
        const { ETag } = await client.send(new PutObjectCommand({ ...about, Body: body.text }), { abortSignal });
        return bare(ETag);
      }
      const { path, bytes, sha256, md5 } = body;
      if (bytes > partBytes) {
        // Some stores look at no condition at the end of an upload in parts: then at least at its beginning.
        const there = await head(key);
        if (condition === 'absent' ? there !== undefined : there?.etag !== condition.etag) return undefined;
        const sendPart = <T>(send: () => Promise<T>): Promise<T> => persist(() => ask(key, send), signal);
        return bare(await uploadInParts({ client, about, file: body, partBytes, sendPart, abortSignal }));
      }
      const Body = createReadStream(path);
      try {
        const sent = { ...about, Body, ContentLength: bytes, ContentMD5: md5, Metadata: { sha256 } };
        return bare((await client.send(new PutObjectCommand(sent), { abortSignal })).ETag);
      } finally {
        Body.destroy();
      }
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };

  const head = async (key: string) => {
    try {
      const found = await client.send(new HeadObjectCommand({ Bucket, Key: `${prefix}${key}` }), { abortSignal });
      return { etag: bare(found.ETag), bytes: found.ContentLength ?? 0, sha256: found.Metadata?.sha256 };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  };

  const get = async (key: string, unless: string | undefined): Promise<StoredObject | 'same' | undefined> => {
    try {
      const asked = { Bucket, Key: `${prefix}${key}`, ...(unless === undefined ? {} : { IfNoneMatch: `"${unless}"` }) };
      const found = await client.send(new GetObjectCommand(asked), { abortSignal });
      const { ETag, ContentLength = 0, Metadata, Body } = found;
      if (!(Body instanceof Readable)) throw new Error('The answer has no body.');
      const body = readBody(Body, signal, (error) => explain(error, key));
      return { etag: bare(ETag), bytes: ContentLength, sha256: Metadata?.sha256, body };
    } catch (error) {
      if (statusOf(error) === 304) return 'same';
      if (statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket') return undefined;
      throw error;
    }
  };

  const list = async (below: string): Promise<readonly ListedObject[]> => {
    const found: ListedObject[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${below}`, ContinuationToken }),
        { abortSignal },
      );
      for (const { Key = '', ETag, Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        found.push({ key: Key.slice(prefix.length), etag: bare(ETag), bytes: Size, modified: LastModified });
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  };

  const abandonUploads = async (below: string, before: Date): Promise<readonly string[]> => {
    const abandoned: string[] = [];
    let after: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {};
    while (after !== undefined) {
      const page: Awaited<ReturnType<typeof pageOfUploads>> = await pageOfUploads(below, after);
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated >= before) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal });
        abandoned.push(Key.slice(prefix.length));
      }
      const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
      after =
        IsTruncated && NextKeyMarker !== undefined
          ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
          : undefined;
    }
    return abandoned;
  };
  const pageOfUploads = (below: string, after: { readonly KeyMarker?: string; readonly UploadIdMarker?: string }) =>
    client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: `${prefix}${below}`, ...after }), { abortSignal });

  return {
    address: address.text,
    get: (key, { unless } = {}) => ask(key, () => get(key, unless)),
    head: (key) => ask(key, () => head(key)),
    put: (key, body, condition) => ask(key, () => put(key, body, condition)),
    list: (below) => ask(below, () => list(below)),
    delete: (key) =>
      ask(key, async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${key}` }), { abortSignal });
      }),
    abandonUploads: (below, before) => ask(below, () => abandonUploads(below, before)),
    close: () => client.destroy(),
  };
};

const endpointOf = (environment: S3Options['environment']): string | undefined =>
  environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || undefined;

const clientConfig = (environment: S3Options['environment'], endpoint: string | undefined): S3ClientConfig => {
  // The client would tell everybody who runs Node 20 to leave it; which version of the client runs is the lockfile's choice.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION || (endpoint && 'us-east-1');
  return {
    // A store of one's own seldom has a name for each bucket, and asks for no region.
    ...(endpoint ? { endpoint, forcePathStyle: true } : { followRegionRedirects: true }),
    ...(region ? { region } : {}),
    ...(accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }
      : {}),
    // What is to be said is said in errors; the client would write to the console.
    logger: { debug: silence, info: silence, warn: silence, error: silence },
    // Checksums that come after the body are refused (411) by stores that are not AWS': ours are Content-MD5 and sha256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  };
};

const silence = (): void => undefined;

/** Without quotes: so Ceph wants it in If-Match, and AWS takes it. */
const bare = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

const conditionOf = (condition: PutCondition) =>
  condition === 'absent' ? { IfNoneMatch: '*' } : { IfMatch: condition.etag };

/** 412; 409 where another was writing at the same moment; 404 where what was to be replaced is not there. */
const isRefusal = (error: unknown): boolean => {
  const status = statusOf(error);
  const name = error instanceof Error ? error.name : '';
  return status === 412 || name === 'ConditionalRequestConflict' || (status === 404 && name === 'NoSuchKey');
};

async function* readBody(
  body: Readable,
  signal: AbortSignal,
  explain: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const silence = setTimeout(
    () => body.destroy(Object.assign(new Error('The store went silent.'), { code: 'ETIMEDOUT' })),
    SILENT_MS,
  );
  const stop = (): unknown => body.destroy(new Error('Stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const piece of body) {
      silence.refresh();
      yield piece as Uint8Array;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    body.destroy();
  }
}
