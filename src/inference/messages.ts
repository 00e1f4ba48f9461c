/** What goes between the main thread and a worker. Both ends parse what they receive. */
import { z } from 'zod';

const Provider = z.enum(['cpu', 'cuda', 'webgpu']);

const Refusal = z.object({ provider: Provider, reason: z.string() }).readonly();

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Floats = z.custom<Float32Array>((value) => value instanceof Float32Array);

/** Given to a worker when it starts. */
export const WorkerSetup = z.object({
  packages: z
    .array(
      z.object({
        folder: z.string(),
        file: z.string(),
        maxLength: z.number(),
        padId: z.number(),
        joined: z
          .object({
            name: z.string(),
            columns: z.record(z.string(), z.object({ start: z.number(), classes: z.number() })).readonly(),
          })
          .readonly()
          .optional(),
      }),
    )
    .readonly(),
  /** Providers to try, best first. */
  candidates: z.array(Provider).readonly(),
  threads: z.number(),
  /** The most texts of one run; undefined takes the default of the provider. */
  microBatch: z.number().optional(),
});
export type WorkerSetup = Readonly<z.infer<typeof WorkerSetup>>;

const Classify = z.object({
  type: z.literal('classify'),
  /** Folder of the package to ask. */
  folder: z.string(),
  outputs: z.array(z.string()).readonly(),
  texts: z.array(z.string()).readonly(),
  /** Shared: its first element becomes 1 when the answer is no longer wanted. */
  cancelled: z.custom<Int32Array>((value) => value instanceof Int32Array),
});
export type Classify = Readonly<z.infer<typeof Classify>>;

export const Request = z.discriminatedUnion('type', [Classify, z.object({ type: z.literal('close') })]);
export type Request = Classify | { readonly type: 'close' };

const Ready = z.object({
  type: z.literal('ready'),
  provider: Provider,
  refused: z.array(Refusal).readonly(),
  onnxruntime: z.string(),
});
export type Ready = Readonly<z.infer<typeof Ready>>;

const Answer = z.object({
  type: z.literal('answer'),
  outputs: z.array(z.object({ labels: Bytes, scores: Floats }).readonly()).readonly(),
  truncated: Bytes,
});
export type Answer = Readonly<z.infer<typeof Answer>>;

const Failed = z.object({
  type: z.literal('failed'),
  /** `cannot-open`: no candidate opened. `not-finite`: `output` of text `text` has a logit that is no number. */
  kind: z.enum(['cannot-open', 'not-finite', 'error']),
  message: z.string(),
  output: z.string().optional(),
  text: z.number().optional(),
});
export type Failed = Readonly<z.infer<typeof Failed>>;

export const Reply = z.discriminatedUnion('type', [Ready, Answer, Failed]);
export type Reply = Ready | Answer | Failed;
