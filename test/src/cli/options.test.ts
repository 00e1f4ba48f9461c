import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../../pipeline/5-publish/checks.js';
import { parseAllowed } from '../../../src/cli/options.js';
import { UsageError } from '../../../src/errors.js';

describe('--allow', () => {
  it('is nothing where it is not given', () => {
    expect(parseAllowed(undefined).size).toBe(0);
  });

  it('takes every check that blocks, with a reason in any words', () => {
    const blocking = CHECKS.filter(({ severity }) => severity === 'block').map(({ name }) => name);
    const allowed = parseAllowed(blocking.map((name) => `${name}= a = b,\nand "c" `));
    expect([...allowed.keys()]).toEqual(blocking);
    expect(new Set(allowed.values())).toEqual(new Set(['a = b,\nand "c"']));
  });

  it.each(['documents', 'documents_kepd=moved', '=moved', '', 'newest_document_kept=a warning blocks nothing'])(
    'refuses %j, and names the checks that block',
    (text) => {
      expect(() => parseAllowed([text])).toThrow(UsageError);
      expect(() => parseAllowed([text])).toThrow('documents_kept, sentences_kept');
    },
  );

  it.each(['documents_kept', 'documents_kept=', 'documents_kept=  '])('refuses %j: a reason must be given', (text) => {
    expect(() => parseAllowed([text])).toThrow('--allow documents_kept needs a reason');
  });
});
