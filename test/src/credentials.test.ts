import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownAddress, withoutCredentials } from '../../src/credentials.js';

describe('a text without credentials', () => {
  it.each([
    ['https://me:secret@example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['HTTP://secret@Example.org', 'HTTP://Example.org'],
    ['ftp://me:secret@example.org/a', 'ftp://example.org/a'],
    ['//me:secret@example.org/a', '//example.org/a'],
    ['http:me:secret@example.org/a', 'http:example.org/a'],
    ['http:\\\\me:secret@example.org/a', 'http:\\\\example.org/a'],
    ['https://me:sec@ret@example.org/', 'https://example.org/'],
    ['https://me:sec/ret@example.org/a', 'https://example.org/a'],
    ['https://me:sec#ret@example.org/a', 'https://example.org/a'],
    ['see https://me:secret@a.org/, and http://me:secret@b.org', 'see https://a.org/, and http://b.org'],
    ['{"url":"https://me:secret@example.org/a"}', '{"url":"https://example.org/a"}'],
  ])('of %s is %s', (text, expected) => {
    expect(withoutCredentials(text)).toBe(expected);
  });

  it.each([
    'https://example.org/@user/a?mail=me@example.org',
    'http://[::1]:8080/a@b',
    'https://example.org:8443/a@b',
    'Questions: press@example.org',
    'minutes//final@2.pdf',
    'no address at all',
  ])('is the same where there are none: %s', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });

  it.each(['a'.repeat(100_000), `http:${'a'.repeat(100_000)}`, 'http:'.repeat(2000)])(
    'is made at once of a long word',
    (word) => {
      expect(withoutCredentials(`${word} @`)).toBe(`${word} @`);
    },
    3000,
  );

  it('holds no password of any address that can be asked', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9!$&'()*+,;=:%~_.-]{1,12}$/);
    fc.assert(
      fc.property(word, word, (user, password) => {
        const address = `https://${user}:${password}@example.org/a?b=1`;
        expect(withoutCredentials(address)).toBe('https://example.org/a?b=1');
      }),
    );
  });
});

it('a refused address is shown from its last @ on', () => {
  expect(shownAddress('me:secret@example.org/a')).toBe('…@example.org/a');
  expect(shownAddress('example.org/a')).toBe('example.org/a');
});
