import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/cli/explain.js';
import { QueryError } from '../../../src/database.js';
import { RunError, UsageError } from '../../../src/errors.js';

const system = (code: string, message: string): Error => Object.assign(new Error(`${code}: ${message}`), { code });

describe('an error at the end of a command', () => {
  it('of a full disk is one line: what, where, what to do', () => {
    expect(explain(system('ENOSPC', "no space left on device, write '/a/b'"))).toBe(
      "ENOSPC: no space left on device, write '/a/b'. The disk is full: free some space and run the same command again; it goes on where it stopped.",
    );
  });

  it('of a disk that DuckDB finds full is the same, without the statement', () => {
    const cause = new Error('IO Error: Could not write file "/a/b": No space left on device');
    expect(explain(new QueryError('COPY (SELECT 1) TO …', cause))).toBe(
      'Could not write file "/a/b": No space left on device. The disk is full: free some space and run the same command again; it goes on where it stopped.',
    );
  });

  it('that was foreseen is its message', () => {
    expect(explain(new RunError('This, there, do that.'))).toBe('This, there, do that.');
    expect(explain(new UsageError('No such flag.'))).toBe('No such flag.');
  });

  it('of a statement names the statement', () => {
    expect(explain(new QueryError('SELECT x', new Error('Binder Error: no x')))).toBe(
      'Binder Error: no x (in: SELECT x)',
    );
  });

  it('that nobody foresaw comes with its stack', () => {
    expect(explain(new TypeError('x is not a function'))).toMatch(
      /^This should not happen\. TypeError[\s\S]*\n {4}at /,
    );
  });
});
