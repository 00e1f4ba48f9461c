import { ingest } from './1-ingest/stage.js';
import { segment } from './2-segment/stage.js';
import { classify } from './3-classify/stage.js';
import { aggregate } from './4-aggregate/stage.js';
import { publish } from './5-publish/stage.js';
import type { Stage } from './stage.js';

/** The data's path: raw files, documents, sentences, predictions, counts and metrics, snapshot. */
export const PIPELINE: readonly Stage[] = [ingest, segment, classify, aggregate, publish];
