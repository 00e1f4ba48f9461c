import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Calls back once, when an answer is sent or nobody will get it any more. One that waits behind another on its connection
 * is not told when that breaks, and what it holds would be held for ever: the connection is asked too.
 */
export const whenOver = ({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, then: () => void): void => {
  if (socket.destroyed || raw.closed) {
    then();
    return;
  }
  const underWay = answersOf(socket);
  const end = (): void => {
    if (underWay.delete(end)) then();
  };
  underWay.add(end);
  raw.once('close', end);
};

/** What is under way on a connection goes with it. */
const connections = new WeakMap<Socket, Set<() => void>>();

const answersOf = (socket: Socket): Set<() => void> => {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const made = new Set<() => void>();
  connections.set(socket, made);
  socket.once('close', () => {
    for (const end of [...made]) end();
  });
  return made;
};
