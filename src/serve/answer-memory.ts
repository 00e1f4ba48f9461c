/** Memory of answers, from their making until they are sent: a reader that does not read keeps it for as long as it likes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.js';
import { type Block, createBlocks } from './blocks.js';
import type { Encoding } from './conditional.js';
import { unavailable } from './http-error.js';
import type { LIMITS } from './limits.js';
import { whenOver } from './over.js';
import { createShares } from './shares.js';

/** Of one answer; given back by itself. */
export interface AnswerMemory {
  /** A block of memory; undefined while none is free. */
  readonly lend: () => Block | undefined;
  /**
   * Keeps room for so many bytes, instead of what was kept before.
   *
   * @throws HttpError 503 where there is none
   */
  readonly reserve: (bytes: number) => void;
  /** The same for a body that is finished; what lies in a block needs no more, and a stream said itself what it holds. */
  readonly reserveBody: (body: Answer['body']) => void;
}

/** Bytes that encoding takes while an answer is sent, rounded up from what a hundred took with the windows of `server.ts`. */
const ENCODING_BYTES: Readonly<Record<Encoding, number>> = { br: 1024 * 1024, gzip: 256 * 1024, identity: 0 };

type Limits = Pick<
  Record<keyof typeof LIMITS, number>,
  'blocks' | 'answersBytes' | 'accountAnswersBytes' | 'smallAnswer'
>;

/** @returns what gives each answer its memory: an account has a share of it; what needs no key is small, and not counted */
export const createAnswerMemory = (limits: Limits) => {
  const blocks = createBlocks(limits.blocks);
  const answers = createShares({ all: limits.answersBytes, account: limits.accountAnswersBytes });
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    account: string | undefined,
    encoding: Encoding,
  ): AnswerMemory => {
    const hold = account === undefined ? undefined : answers.open(account);
    let lent: Block | undefined;
    let over = false;
    whenOver(request, reply, () => {
      over = true;
      hold?.(0);
    });
    const reserve = (bytes: number): void => {
      if (over || hold === undefined) return;
      // There are as many small ones as connections at most: they go on while large ones fill the room.
      if (!hold(bytes > limits.smallAnswer ? bytes + ENCODING_BYTES[encoding] : 0))
        throw unavailable('Too many answers are waiting to be read: read them, or come again later', 2);
    };
    return {
      lend: () => {
        lent = blocks.lend((then) => whenOver(request, reply, then));
        return lent;
      },
      reserve,
      reserveBody: (body) => {
        if (typeof body === 'string') reserve(Buffer.byteLength(body));
        else if (Buffer.isBuffer(body)) reserve(body.buffer === lent?.bytes.buffer ? 0 : body.length);
      },
    };
  };
};
