import { expect, test } from 'vitest';
import { workersOn } from '../../../src/inference/settings.js';

test('WebGPU gets one worker, however many are asked for: two at a time end the process', () => {
  expect(workersOn('webgpu', 4)).toBe(1);
  expect(workersOn('webgpu')).toBe(1);
});

test('other devices get as many workers as are asked for, at least one', () => {
  expect(workersOn('cpu', 3)).toBe(3);
  expect(workersOn('cuda', 2)).toBe(2);
  expect(workersOn('cpu', 0)).toBe(1);
});

test('where nothing is asked the processor gets one to four workers, and CUDA one', () => {
  expect(workersOn('cpu')).toBeGreaterThanOrEqual(1);
  expect(workersOn('cpu')).toBeLessThanOrEqual(4);
  expect(workersOn('cuda')).toBe(1);
});
