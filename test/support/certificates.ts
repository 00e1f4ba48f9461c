/** Certificates of a test's own authority, made of nothing but Node's keys: X.509 in DER, RFC 5280. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certified {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** PEM: what whoever is to trust the authority is given. */
  readonly cert: string;
  /** A certificate for a host, from `days[0]` to `days[1]` days from now. */
  readonly certify: (host: string, days: readonly [from: number, to: number]) => Certified;
}

export const openAuthority = (name: string, now: Date): Authority => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: keys.privateKey };
  const cert = certificate({ subject: name, publicKey: keys.publicKey, issuer, now, days: [-2, 2], serial: 1 });
  let serial = 1;
  return {
    cert,
    certify: (host, days) => {
      serial += 1;
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: certificate({ subject: host, host, publicKey, issuer, now, days, serial }),
        key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      };
    },
  };
};

interface Facts {
  readonly subject: string;
  /** What the certificate is good for; an authority's names none. */
  readonly host?: string;
  readonly publicKey: KeyObject;
  readonly issuer: { readonly name: string; readonly key: KeyObject };
  readonly now: Date;
  readonly days: readonly [from: number, to: number];
  readonly serial: number;
}

const certificate = ({ subject, host, publicKey, issuer, now, days, serial }: Facts): string => {
  const extension =
    host === undefined
      ? sequence(OID.basicConstraints, TRUE, octets(sequence(TRUE)))
      : sequence(OID.subjectAltName, octets(sequence(der(0x82, Buffer.from(host)))));
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    sequence(OID.ecdsaWithSha256),
    nameOf(issuer.name),
    sequence(...days.map((day) => time(new Date(now.getTime() + day * 86_400_000)))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', signed, issuer.key);
  const whole = sequence(signed, sequence(OID.ecdsaWithSha256), der(0x03, Buffer.of(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};

const der = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const octets = (content: Buffer): Buffer => der(0x04, content);
const integer = (small: number): Buffer => der(0x02, Buffer.of(small));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(OID.commonName, der(0x0c, Buffer.from(name)))));
/** UTCTime: two digits of the year, so from 1950 to 2049. */
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));

const TRUE = der(0x01, Buffer.of(0xff));
const OID = {
  commonName: der(0x06, Buffer.from('550403', 'hex')),
  basicConstraints: der(0x06, Buffer.from('551d13', 'hex')),
  subjectAltName: der(0x06, Buffer.from('551d11', 'hex')),
  ecdsaWithSha256: der(0x06, Buffer.from('2a8648ce3d040302', 'hex')),
} as const;
