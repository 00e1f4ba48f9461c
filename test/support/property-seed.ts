/**
 * The seed of every property test: the same in every run, so that a change is judged by the change, and another one by
 * FINTEXT_SEED (a number, or `random`), so that somebody can go looking for what no run has met yet.
 */
import fc from 'fast-check';

const asked = process.env.FINTEXT_SEED ?? '20240131';
if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`FINTEXT_SEED is a whole number or "random", not "${asked}".`);
  fc.configureGlobal({ seed });
}
