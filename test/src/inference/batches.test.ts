import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_BATCH, paddedLength, planBatches } from '../../../src/inference/batches.js';

const requests = fc.record({
  counts: fc.array(fc.integer({ min: 1, max: 512 }), { maxLength: 400 }),
  maxLength: fc.integer({ min: 3, max: 512 }),
  size: fc.integer({ min: 1, max: 300 }),
});

/** As the tokenizer gives them: never more than the model reads. */
const cut = ({ counts, maxLength }: { counts: readonly number[]; maxLength: number }): readonly number[] =>
  counts.map((count) => Math.min(count, maxLength));

test('every text is in exactly one batch', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const tokens = cut(request);
      const places = planBatches(tokens, request).flatMap(({ texts }) => [...texts]);
      expect(places.sort((a, b) => a - b)).toEqual(tokens.map((_, place) => place));
    }),
  );
});

test('a batch has at least one and at most 128 texts, and no more than was asked', () => {
  fc.assert(
    fc.property(requests, (request) => {
      for (const { texts } of planBatches(cut(request), request)) {
        expect(texts.length).toBeGreaterThan(0);
        expect(texts.length).toBeLessThanOrEqual(Math.min(MAX_BATCH, request.size));
      }
    }),
  );
});

test('a batch has one padded length, which is that of each of its texts alone', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const tokens = cut(request);
      for (const { length, texts } of planBatches(tokens, request)) {
        for (const place of texts) {
          const alone = planBatches([tokens[place] ?? 0], request);
          expect(alone).toEqual([{ length, texts: [0] }]);
          expect(length).toBeGreaterThanOrEqual(tokens[place] ?? 0);
          expect(length).toBeLessThanOrEqual(request.maxLength);
        }
      }
    }),
  );
});

test('longer batches come first, and texts in a batch are sorted by token length', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const tokens = cut(request);
      const batches = planBatches(tokens, request);
      const lengths = batches.map(({ length }) => length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
      for (const { texts } of batches) {
        const inside = texts.map((place) => tokens[place] ?? 0);
        expect(inside).toEqual(inside.toSorted((a, b) => a - b));
      }
    }),
  );
});

test('a padded length is a multiple of 8 unless the model reads no more', () => {
  expect([1, 8, 9, 16, 121, 126, 128].map((tokens) => paddedLength(tokens, 126))).toEqual([
    8, 8, 16, 16, 126, 126, 126,
  ]);
});

test('no texts need no batch', () => {
  expect(planBatches([], { maxLength: 128, size: 32 })).toEqual([]);
});
