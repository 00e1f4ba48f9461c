/** Which errors of a task are worth another attempt of it. */
import { describe, expect, it } from 'vitest';
import { FolderError } from '../../../pipeline/1-ingest/sources/folders.js';
import { isPassing } from '../../../pipeline/run/work.js';
import { RunError, UsageError } from '../../../src/errors.js';

const fault = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

describe('a fault of a task', () => {
  it.each(['ESTALE', 'ETIMEDOUT', 'EIO', 'ENOMEM'])(
    'passes where it is one of the machine or of the network: %s',
    (code) => {
      expect(isPassing(fault(code))).toBe(true);
      expect(isPassing(new FolderError('/corpora', fault(code)))).toBe(true);
    },
  );

  it.each(['EACCES', 'ENAMETOOLONG', 'ENOSPC'])('stays where nothing changes by itself: %s', (code) => {
    expect(isPassing(fault(code))).toBe(false);
    expect(isPassing(new FolderError('/corpora', fault(code)))).toBe(false);
  });

  it('stays where somebody must ask for something else, or a check refused', () => {
    expect(isPassing(new UsageError('ETIMEDOUT', { cause: fault('ETIMEDOUT') }))).toBe(false);
    expect(isPassing(new RunError('A check refused it.'))).toBe(false);
  });
});
