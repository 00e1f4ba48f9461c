import { shownAddress } from '../credentials.js';
import { UsageError } from '../errors.js';

/** A place in an object store. */
export interface StoreAddress {
  /** As it is shown: `s3://bucket/prefix`, without a slash at its end. */
  readonly text: string;
  readonly bucket: string;
  /** What every key begins with: empty, or ending in a slash. */
  readonly prefix: string;
}

/**
 * Parses `s3://bucket/prefix`.
 *
 * @param flag the setting that holds it, for the message
 * @throws UsageError that says how such an address looks
 */
export const parseStoreAddress = (flag: string, text: string): StoreAddress => {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  if (bucket === undefined || !parts.every((part) => /^[\w.=+@-]+$/.test(part) && !/^\.+$/.test(part))) {
    throw new UsageError(
      `--${flag} is an address in an object store, s3://bucket/prefix; not "${shownAddress(text)}".`,
    );
  }
  return {
    text: ['s3:/', bucket, ...parts].join('/'),
    bucket,
    prefix: parts.map((part) => `${part}/`).join(''),
  };
};
