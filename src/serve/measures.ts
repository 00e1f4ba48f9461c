/** What is measured, for Prometheus. Labels are routes, methods and statuses: never what a caller wrote. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Inference } from './inference.js';
import type { Snapshots } from './snapshots.js';

export interface Measures {
  readonly answered: (request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  readonly read: () => Promise<{ readonly type: string; readonly text: string }>;
}

export const createMeasures = ({
  snapshots,
  inference,
}: {
  readonly snapshots: Snapshots;
  readonly inference: Inference;
}): Measures => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'fintext_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'fintext_http_request_seconds',
    help: 'Seconds from the request’s headers to the end of its answer',
    labelNames: ['method', 'route'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10],
    registers,
  });
  new Gauge({
    name: 'fintext_inference_texts',
    help: 'Texts that wait for a model or are in one',
    registers,
    collect() {
      this.set(inference.state().texts);
    },
  });
  new Gauge({
    name: 'fintext_snapshot_documents',
    help: 'Documents of the snapshot that is served',
    labelNames: ['dataset', 'snapshot'] as const,
    registers,
    collect() {
      this.reset();
      for (const { dataset, current } of snapshots.states()) {
        if (current) this.set({ dataset, snapshot: current.id }, current.documents.length);
      }
    },
  });
  new Gauge({
    name: 'fintext_snapshot_refused',
    help: '1 while the pointer names a snapshot that cannot be served',
    labelNames: ['dataset'] as const,
    registers,
    collect() {
      for (const { dataset, refused } of snapshots.states()) this.set({ dataset }, refused ? 1 : 0);
    },
  });
  return {
    answered: ({ method, route, status, seconds: taken }) => {
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, taken);
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
};
