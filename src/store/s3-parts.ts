import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { NewObject } from './object-store.js';

export interface PartsOptions {
  readonly client: S3Client;
  /** Bucket, key, type and conditions. */
  readonly about: Pick<PutObjectCommandInput, 'Bucket' | 'Key' | 'ContentType' | 'IfMatch' | 'IfNoneMatch'>;
  readonly file: Extract<NewObject, { readonly path: string }>;
  readonly partBytes: number;
  /** Sends a part, again where that fails in passing. */
  readonly sendPart: <T>(send: () => Promise<T>) => Promise<T>;
  readonly abortSignal: AbortSignal;
}

/**
 * Sends a file one part after the other, each read from the file as it goes: memory does not grow with it. The object is
 * there once the last step is done, or not at all.
 *
 * @returns its ETag
 */
export const uploadInParts = async (options: PartsOptions): Promise<string | undefined> => {
  const { client, about, file, partBytes, abortSignal } = options;
  const { IfMatch, IfNoneMatch, ...created } = about;
  const { Bucket, Key } = about;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...created, Metadata: { sha256: file.sha256 } }),
    { abortSignal },
  );
  const upload = { Bucket, Key, UploadId };
  try {
    const Parts: { readonly PartNumber: number; readonly ETag: string }[] = [];
    for (let start = 0; start < file.bytes; start += partBytes) {
      const range = { start, end: Math.min(start + partBytes, file.bytes) - 1 };
      const part = { ...upload, PartNumber: Parts.length + 1 };
      const ETag = await options.sendPart(() => uploadPart(client, part, { path: file.path, range, abortSignal }));
      Parts.push({ PartNumber: part.PartNumber, ETag });
    }
    const conditions = { ...(IfMatch && { IfMatch }), ...(IfNoneMatch && { IfNoneMatch }) };
    const completed = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...conditions });
    return (await client.send(completed, { abortSignal })).ETag;
  } catch (error) {
    // Where this fails too, the parts cost room and nothing else: pruning removes them.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
};

/** The part's hash first, then its bytes: a store refuses what arrives otherwise. */
const uploadPart = async (
  client: S3Client,
  part: Pick<UploadPartCommand['input'], 'Bucket' | 'Key' | 'UploadId' | 'PartNumber'>,
  {
    path,
    range,
    abortSignal,
  }: {
    readonly path: string;
    /** Bytes, both included. */
    readonly range: { readonly start: number; readonly end: number };
    readonly abortSignal: AbortSignal;
  },
): Promise<string> => {
  const md5 = createHash('md5');
  for await (const piece of createReadStream(path, range)) md5.update(piece as Buffer);
  const Body = createReadStream(path, range);
  try {
    const sent = { ...part, Body, ContentLength: range.end - range.start + 1, ContentMD5: md5.digest('base64') };
    return (await client.send(new UploadPartCommand(sent), { abortSignal })).ETag ?? '';
  } finally {
    Body.destroy();
  }
};
