import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { toLogLine } from '../../../src/cli/log-lines.js';

/** What pino writes for a record, as the terminal gets it. */
const shown = (log: (logger: pino.Logger) => void, colours: 'with' | 'without' = 'without'): string => {
  let text = '';
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      text += toLogLine(piece.toString(), { colours });
      done();
    },
  });
  log(pino({ base: null, timestamp: () => ',"time":"2026-01-02T03:04:05.678Z"' }, stream));
  return text;
};

const request = (facts: object): string =>
  shown((logger) => logger.info({ request_id: 'r1', method: 'GET', path: '/v1/models', ms: 3.1, ...facts }, 'request'));

describe('a line of the log on a terminal', () => {
  it('of a request says when, what, how it went and how long; who asked where there is a key', () => {
    expect(request({ status: 200 })).toBe('03:04:05 GET  /v1/models 200 3.1 ms\n');
    expect(request({ status: 200, key: 'k1' })).toBe('03:04:05 GET  /v1/models 200 3.1 ms  key k1\n');
  });

  it('of a request that failed names its id, which the answer had too', () => {
    expect(request({ status: 404, key: 'k1' })).toBe('03:04:05 GET  /v1/models 404 3.1 ms  key k1  request r1\n');
  });

  it('of any other event has its name and its facts', () => {
    expect(shown((logger) => logger.info({ dataset: 'wcb', documents: 21, seconds: 0.2 }, 'snapshot-opened'))).toBe(
      '03:04:05 snapshot-opened  dataset wcb  documents 21  seconds 0.2\n',
    );
  });

  it('of a fault has the stack, indented', () => {
    const text = shown((logger) => logger.error({ err: new Error('the disk is full') }, 'failed'));
    expect(text).toMatch(/^03:04:05 error failed\n {2}Error: the disk is full\n {2} +at /);
  });

  it('is the same with colours, but for the colours', () => {
    const log = (logger: pino.Logger): void => {
      for (const status of [200, 404, 500])
        logger.info({ request_id: 'r1', method: 'GET', path: '/', status, ms: 1 }, 'request');
      logger.error({ err: new Error('no') }, 'failed');
    };
    const coloured = shown(log, 'with').replaceAll(/ at .*/g, '');
    expect(stripVTControlCharacters(coloured)).toBe(shown(log).replaceAll(/ at .*/g, ''));
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
  });

  it('holds nothing that moves the cursor, breaks the line or turns the reading round, whoever wrote the path', () => {
    const nasty = '/\u001b[2J\u009b31m\r\n\u202e\u0007';
    const line = request({ status: 404, path: nasty });
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(line).toContain('/\\u001b[2J\\u009b31m\\u000d\\u000a\\u202e\\u0007 404');
  });

  it('that is none of pino’s is left as it is', () => {
    expect(toLogLine('plain text\n', { colours: 'without' })).toBe('plain text\n');
    expect(toLogLine('{"level":"x"}\n', { colours: 'without' })).toBe('{"level":"x"}\n');
  });
});
