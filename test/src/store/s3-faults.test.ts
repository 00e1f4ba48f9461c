import { describe, expect, it } from 'vitest';
import { RunError } from '../../../src/errors.js';
import { explainS3 } from '../../../src/store/s3-faults.js';

const ASKED = { what: 's3://bucket/x/wcb/history.jsonl', bucket: 'bucket', endpoint: 'Amazon S3' };

const answer = (name: string, status?: number): Error =>
  Object.assign(new Error('UnknownError'), { name, ...(status && { $metadata: { httpStatusCode: status } }) });

describe('what a store says', () => {
  // What the tests against a real store do not bring about.
  it.each([
    ['ExpiredToken', 400, /session token has expired: get new credentials/, false],
    ['InvalidToken', 400, /AWS_SESSION_TOKEN/, false],
    ['PermanentRedirect', 301, /another region: set AWS_REGION/, false],
    ['QuotaExceeded', 403, /is full/, false],
    ['SlowDown', 503, /overloaded/, true],
    ['InternalError', 500, /overloaded or out of order/, true],
    ['BadDigest', 400, /other bytes than were sent/, true],
    ['Unknown', 502, /overloaded or out of order.*\(UnknownError, status 502\)/, true],
    ['Unknown', 403, /is not allowed to this access key/, false],
    ['SomethingNew', 400, /cannot be used: .*\(SomethingNew, status 400\)/, false],
  ])('%s (%i) is told with the next step', (name, status, words, passing) => {
    const told = explainS3(answer(name, status), ASKED);
    expect(told).toBeInstanceOf(RunError);
    expect(told.message).toMatch(/^s3:\/\/bucket\/x\/wcb\/history\.jsonl /);
    expect(told.message).toMatch(words);
    expect(told.passing).toBe(passing);
  });

  it('that a region is missing is told, too', () => {
    expect(explainS3(new Error('Region is missing'), ASKED).message).toMatch(/needs a region: set AWS_REGION/);
  });

  it('is told once, however often it is passed on', () => {
    const told = explainS3(answer('SlowDown', 503), ASKED);
    expect(explainS3(told, { ...ASKED, what: 'something else' })).toBe(told);
  });
});
