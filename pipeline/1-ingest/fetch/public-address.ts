/** Which addresses belong to the public internet. A list of documents must not make this machine ask its own network. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Range = readonly [first: string, bits: number];

/** Of the IANA registry of special-purpose IPv4 addresses, what is not globally reachable; and one that clouds use. */
export const IPV4_NOT_PUBLIC: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A machine on Azure reaches its host under this one, whatever its network.
  ['168.63.129.16', 32],
];

/** All that is handed out for the internet; the rest is loopback, link-local, private, multicast, or not yet anything. */
const IPV6_GLOBAL: Range = ['2000::', 3];

/** Within it: protocol assignments (Teredo among them), documentation, 6to4 that leads to any IPv4 address. */
export const IPV6_NOT_PUBLIC: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (type: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [first, bits] of ranges) list.addSubnet(first, bits, type);
  return list;
};

const ipv4NotPublic = listOf('ipv4', IPV4_NOT_PUBLIC);
const ipv6Global = listOf('ipv6', [IPV6_GLOBAL]);
const ipv6NotPublic = listOf('ipv6', IPV6_NOT_PUBLIC);

/** Is this IP address, in whatever spelling, one of the public internet? What is no IP address is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !ipv4NotPublic.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const groups = toGroups(address);
  const inner = findEmbedded(groups);
  if (inner !== undefined) return isPublicAddress(inner);
  const plain = groups.map((group) => group.toString(16)).join(':');
  return ipv6Global.check(plain, 'ipv6') && !ipv6NotPublic.check(plain, 'ipv6');
};

/** The IPv4 address that an IPv6 one stands for: mapped (`::ffff:0:0/96`), or through a network's NAT64 (`64:ff9b::/96`). */
const findEmbedded = (groups: readonly number[]): string | undefined => {
  const head = groups.slice(0, 6).join(' ');
  if (head !== `0 0 0 0 0 ${0xffff}` && head !== `${0x64} ${0xff9b} 0 0 0 0`) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** The eight numbers of an IPv6 address that `isIPv6` has accepted. */
const toGroups = (address: string): readonly number[] => {
  const plain = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [before = '', after] = plain.split('::');
  const parse = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (after === undefined) return parse(before);
  const [left, right] = [parse(before), parse(after)];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
};
