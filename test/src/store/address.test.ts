import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import { parseStoreAddress } from '../../../src/store/address.js';

describe('the address of a store', () => {
  it('is a bucket and what keys begin with', () => {
    const [text, bucket] = ['s3://my.bucket-1/a/b', 'my.bucket-1'];
    expect(parseStoreAddress('publish', 's3://my.bucket-1//a/b/')).toEqual({ text, bucket, prefix: 'a/b/' });
    expect(parseStoreAddress('publish', 's3://my.bucket-1')).toMatchObject({ text: 's3://my.bucket-1', prefix: '' });
  });

  it('is refused with the flag that it was given to', () => {
    for (const text of [
      '',
      's3://',
      's3://ab',
      's3://Bucket',
      's3://bucket/../x',
      's3://bucket/a?b',
      'gs://bucket/x',
    ]) {
      expect(() => parseStoreAddress('published', text)).toThrow(UsageError);
      expect(() => parseStoreAddress('published', text)).toThrow('--published is an address in an object store');
    }
  });

  it('read again is itself', () => {
    const part = fc.stringMatching(/^[a-z0-9_=-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const once = parseStoreAddress('publish', ['s3://bucket', ...parts].join('/'));
        expect(parseStoreAddress('publish', once.text)).toEqual(once);
        expect(once.prefix).toBe(parts.map((name) => `${name}/`).join(''));
      }),
    );
  });
});
