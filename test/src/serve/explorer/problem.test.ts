import { describe, expect, it } from 'vitest';
import { Refused, toProblem } from '../../../../src/serve/explorer/problem.js';

const refused = (status: number, detail: string, retryAfter?: number): Refused =>
  new Refused(status, detail, retryAfter, 'request-1');

describe('what went wrong', () => {
  it('is a sentence that says what the service says, and the next step', () => {
    expect(toProblem(refused(401, 'Invalid or missing API key'))).toMatchObject({
      text: expect.stringContaining('Invalid or missing API key. '),
      next: 'key',
    });
    expect(toProblem(refused(403, 'Insufficient tier'))).toMatchObject({
      text: 'The server says: Insufficient tier.',
      next: 'nothing',
    });
    expect(toProblem(refused(404, 'Document not found: x')).text).toContain('Document not found: x. ');
    expect(toProblem(refused(500, 'Internal error'))).toMatchObject({
      text: expect.stringContaining('request-1'),
      next: 'retry',
    });
    expect(toProblem(refused(0, 'No answer'))).toMatchObject({
      title: 'The server cannot be reached',
      next: 'retry',
    });
    expect(toProblem(new TypeError('x is undefined')).text).toContain('x is undefined');
  });

  it('passes by itself where the wait is short, and is for the reader where it is long', () => {
    expect(toProblem(refused(429, 'Rate limit exceeded', 2)).next).toEqual({ retryIn: 2 });
    expect(toProblem(refused(429, 'Rate limit exceeded', 900_000)).next).toBe('nothing');
    expect(toProblem(refused(503, 'Nothing is published', 5)).next).toEqual({ retryIn: 5 });
    expect(toProblem(refused(503, 'Nothing is published')).next).toEqual({ retryIn: 5 });
  });
});
