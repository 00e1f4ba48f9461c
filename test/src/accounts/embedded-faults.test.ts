import { describe, expect, it } from 'vitest';
import { describeFault } from '../../../src/accounts/embedded-faults.js';
import { temporaryFolder } from '../../support/rig.js';

const file = `${temporaryFolder()}/accounts.db`;
const sqlite = (code: string): Error => Object.assign(new Error('as SQLite says it'), { code });

describe('what keeps a file of accounts from being used', () => {
  it.each([
    ['SQLITE_FULL', 'the disk is full', 'Make room on the disk of '],
    ['SQLITE_IOERR_WRITE', 'the disk fails', 'Look at what the system says of the disk of '],
    ['SQLITE_READONLY_DBMOVED', 'the file may not be written', 'Let the user that runs this write that file'],
    ['SQLITE_CANTOPEN', 'the file may not be written', 'Let the user that runs this write that file'],
    ['SQLITE_BUSY_SNAPSHOT', 'another process holds the file', 'end that one, or try again.'],
  ])('as %s is said in words, without its place to everybody, with what to do to who runs it', (code, reason, next) => {
    const found = describeFault(sqlite(code), file);
    expect(found?.reason).toBe(reason);
    expect(found?.next).toContain(next);
  });

  it('is left as it is where nobody could mend it', () => {
    expect(describeFault(sqlite('SQLITE_MISUSE'), file)).toBeUndefined();
    expect(describeFault(new Error('it is closed'), file)).toBeUndefined();
  });
});
