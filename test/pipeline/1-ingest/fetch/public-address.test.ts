import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../../pipeline/1-ingest/fetch/public-address.js';
import { hostOf } from '../../../../pipeline/1-ingest/fetch/url.js';

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const hex = (value: number): string => value.toString(16);
const mapped = (value: number): string => `::ffff:${hex(Math.floor(value / 65536))}:${hex(value % 65536)}`;
const nat64 = (value: number): string => `64:ff9b::${hex(Math.floor(value / 65536))}:${hex(value % 65536)}`;

/** First and last address of each range, written apart from the product: as numbers. */
const RANGES = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
].map(
  (ends) => ends.map((end) => end.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)) as [number, number],
);

const isInRange = (value: number): boolean => RANGES.some(([first, last]) => value >= first && value <= last);

const anyIpv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const special = fc.oneof(...RANGES.map(([min, max]) => fc.integer({ min, max })));
const nearBorders = fc
  .constantFrom(...RANGES.flat())
  .chain((end) => fc.integer({ min: Math.max(0, end - 1), max: Math.min(2 ** 32 - 1, end + 1) }));

describe('an address', () => {
  it('of IPv4 is public unless it is in a range that is not, however it is spelled', () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, special, nearBorders), (value) => {
        const expected = !isInRange(value);
        const spellings = [dotted(value), mapped(value), `::FFFF:${dotted(value)}`, nat64(value)];
        for (const spelling of spellings) expect(isPublicAddress(spelling), spelling).toBe(expected);
        // As a number, in octal and in hexadecimal: forms that only an address bar understands.
        for (const written of [`${value}`, `0x${hex(value)}`, `0${value.toString(8)}`]) {
          const host = hostOf(new URL(`http://${written}/`));
          expect(isPublicAddress(host), `${written} as ${host}`).toBe(expected);
        }
        const bracketed = hostOf(new URL(`http://[${mapped(value)}]/`));
        expect(isPublicAddress(bracketed), bracketed).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('of IPv6 is public only in the part that is handed out for the internet', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.boolean(), (groups, pad) => {
        const [first = 0, second = 0] = groups;
        const written = groups.map((one) => (pad ? hex(one).padStart(4, '0') : hex(one))).join(':');
        const handedOut = first >= 0x2000 && first <= 0x3fff;
        const reserved =
          (first === 0x2001 && (second <= 0x1ff || second === 0xdb8)) ||
          first === 0x2002 ||
          (first === 0x3fff && second <= 0xfff);
        expect(isPublicAddress(written), written).toBe(handedOut && !reserved);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['2606:4700:4700::1111', true],
    ['2a00:1450:4001:81b::200e', true],
    ['1.1.1.1', true],
    ['::', false],
    ['::1', false],
    ['0:0:0:0:0:0:0:1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fd00:ec2::254', false],
    ['ff02::1', false],
    ['::ffff:169.254.169.254', false],
    ['::127.0.0.1', false],
    ['2002:7f00:1::', false],
    ['2001:0:4136:e378::', false],
    ['64:ff9b::a9fe:a9fe', false],
    ['64:ff9b::101:101', true],
    ['64:ff9b:1::101:101', false],
    ['localhost', false],
    ['', false],
    ['1.1.1', false],
    ['1.1.1.1 ', false],
    ['01.1.1.1', false],
  ])('%s is public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
