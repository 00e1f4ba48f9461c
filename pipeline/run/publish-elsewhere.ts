import type { DatasetId } from '../../data/catalog.js';
import { messageOf, RunError } from '../../src/errors.js';
import type { Outputs } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import { type Uploaded, uploadCurrent } from '../../src/snapshot/upload.js';
import { parseStoreAddress } from '../../src/store/address.js';
import { openStore } from '../../src/store/open.js';
import type { RunEvent } from '../events.js';

export interface PublishElsewhere {
  readonly outputs: Outputs;
  readonly settings: Pick<Settings, 'publish'>;
  readonly dataset: DatasetId;
  readonly now: () => Date;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: (event: RunEvent) => void;
}

/** Brings what is published here to the store of the setting `publish`, if there is one. Published here it is in any case. */
export const publishElsewhere = async (options: PublishElsewhere): Promise<void> => {
  const { settings, dataset, signal, log } = options;
  if (settings.publish === '') return;
  const began = performance.now();
  const store = await openStore(parseStoreAddress('publish', settings.publish), signal);
  try {
    const uploaded = await uploadCurrent({ ...options, store });
    log({ type: 'note', dataset, message: tell(uploaded, store.address, performance.now() - began) });
  } catch (error) {
    signal.throwIfAborted();
    throw new RunError(
      `${dataset} is published here, but not brought to ${store.address}. ${messageOf(error)} The next run goes on where this one stopped.`,
      { cause: error },
    );
  } finally {
    store.close();
  }
};

const tell = ({ snapshot, objects, bytes, pointer, by }: Uploaded, address: string, ms: number): string => {
  const sent = `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB, ${(ms / 1000).toFixed(1)} s`;
  switch (pointer) {
    case 'moved':
      return `Brought ${snapshot} to ${address}, which serves it now (${sent}).`;
    case 'there already':
      return `${address} serves ${snapshot} already (${sent}).`;
    case 'superseded':
      return `${address} serves ${by?.snapshot}, ${by?.by === 'rollback' ? 'rolled back to' : 'published'} at ${by?.at}: later than ${snapshot} was published here. It stays.`;
    default:
      return pointer satisfies never;
  }
};
