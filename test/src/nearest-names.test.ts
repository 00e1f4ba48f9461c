import { expect, it } from 'vitest';
import { nearestNames } from '../../src/nearest.js';

it('the nearest names are those with the fewest slips, each once', () => {
  const names = ['bank_of_japan_2005-09-07', 'bank_of_japan_2005-09-08', 'bank_of_england_2005-09-07', 'AAPL_2019_Q1'];
  expect(nearestNames('bank_of_japan_2005-09-08x', [...names, ...names], 2)).toEqual([names[1], names[0]]);
  expect(nearestNames('aapl_2019_q1', names, 1)).toEqual(['AAPL_2019_Q1']);
  expect(nearestNames('anything', [], 2)).toEqual([]);
});
