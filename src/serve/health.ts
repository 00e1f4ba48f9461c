/** What operators and their machines ask. */
import { AccountsUnavailable } from '../accounts/accounts.js';
import { type Answer, type Call, jsonAnswer } from './answer.js';
import { toHttpError, unavailable } from './http-error.js';
import type { Service } from './service.js';

const NEVER_KEPT = { 'cache-control': 'no-store' };

/** `GET /health/live`: the process answers. */
export const live = async (): Promise<Answer> => jsonAnswer({ status: 'alive' }, NEVER_KEPT);

/**
 * `GET /health/ready`: requests are welcome; 503 while the accounts cannot be read, or no request can be counted.
 * `degraded` where something is wrong that does not stop the rest: a dataset without a snapshot, a snapshot that was
 * refused while the old one goes on, models that cannot be opened.
 */
export const ready = async (_call: Call, { accounts, snapshots, inference, stopping }: Service): Promise<Answer> => {
  if (stopping()) throw unavailable('The service is stopping', 5);
  try {
    await accounts.check();
  } catch (error) {
    // Its message names places, and this is for everybody.
    const reason = error instanceof AccountsUnavailable ? error.reason : undefined;
    const detail = `Accounts cannot be ${reason === undefined ? 'reached' : `used: ${reason}`}; the log says what to do`;
    throw unavailable(detail, 2, toHttpError(error));
  }
  const datasets = snapshots.states().map(({ dataset, current, refused }) => ({
    id: dataset,
    snapshot: current?.id ?? null,
    published_at: current?.manifest.published_at ?? null,
    documents: current?.documents.length ?? 0,
    refused: refused ?? null,
  }));
  const { models, texts } = inference.state();
  const whole = models !== 'failed' && datasets.every(({ snapshot, refused }) => snapshot !== null && refused === null);
  return jsonAnswer({ status: whole ? 'ready' : 'degraded', datasets, inference: { models, texts } }, NEVER_KEPT);
};

/** `GET /metrics`: Prometheus. */
export const measurements = async (_call: Call, service: Service): Promise<Answer> => {
  const { type, text } = await service.measurements();
  return { status: 200, headers: { 'content-type': type, ...NEVER_KEPT }, body: text };
};

/** `GET /openapi.json` */
export const document = async (_call: Call, service: Service): Promise<Answer> => jsonAnswer(service.document());
