/** Who hears of the end of a run: Prometheus, by a textfile, and whoever listens at the webhook. */
import type { DatasetId } from '../../../data/catalog.js';
import { messageOf } from '../../../src/errors.js';
import type { Outputs } from '../../../src/outputs.js';
import type { Settings } from '../../../src/settings.js';
import type { RunEvent } from '../../events.js';
import type { RunRecord } from './record.js';
import { writeTextfile } from './textfile.js';
import { postRecord } from './webhook.js';

export interface AnnounceOptions {
  readonly outputs: Outputs;
  readonly settings: Pick<Settings, 'webhook' | 'prometheus'>;
  readonly dataset: DatasetId;
  readonly log: (event: RunEvent) => void;
}

/** Tells those who are to be told. Who could not be is in the record that comes back; the last to be told hears of the others. */
export const announce = async (options: AnnounceOptions, record: RunRecord): Promise<RunRecord> => {
  const { outputs, settings, dataset, log } = options;
  let told = record;
  const signal = async (name: Signal, what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const fault = messageOf(error);
      told = { ...told, signals: [...told.signals, { signal: name, fault }] };
      log({ type: 'note', dataset, message: `Could not ${what}: ${fault}` });
    }
  };
  const { prometheus, webhook } = settings;
  if (prometheus !== '')
    await signal('prometheus', 'write the Prometheus textfile', () => writeTextfile(outputs, prometheus, told));
  if (webhook !== '') await signal('webhook', 'tell the webhook', () => postRecord(webhook, told));
  return told;
};

type Signal = RunRecord['signals'][number]['signal'];
