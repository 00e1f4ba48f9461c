import type { StoreAddress } from './address.js';
import type { ObjectStore } from './object-store.js';

/**
 * Opens the store at an address. Credentials, region and endpoint are those of the standard AWS_* variables. The client
 * is loaded here, so that whoever needs no store does not wait for it.
 */
export const openStore = async (
  address: StoreAddress,
  signal: AbortSignal,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ObjectStore> => (await import('./s3.js')).openS3({ address, signal, environment });
