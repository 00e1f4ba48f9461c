/** A line to a server that breaks where the test wants it to. Bytes pass through it as they are. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  readonly port: number;
  /** Bytes that went to the server since the line was last set. */
  readonly sent: () => number;
  /** From then on: `cut` every connection, or `hold` every byte, once so many have gone to the server; or let all pass. */
  readonly set: (how: { readonly after: number; readonly what: 'cut' | 'hold' } | 'whole') => void;
  /** Resolves when the line has broken. */
  readonly broken: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openCutLine = async (to: number): Promise<CutLine> => {
  let left = Number.MAX_SAFE_INTEGER;
  let limit = left;
  let what: 'cut' | 'hold' = 'cut';
  let tell: () => void = () => undefined;
  let broken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (piece) => {
      if (left >= piece.length) {
        left -= piece.length;
        far.write(piece);
        return;
      }
      if (left > 0) far.write(piece.subarray(0, left));
      left = 0;
      tell();
      if (what === 'cut') near.destroy();
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sent: () => limit - left,
    set: (how) => {
      limit = how === 'whole' ? Number.MAX_SAFE_INTEGER : how.after;
      left = limit;
      what = how === 'whole' ? 'cut' : how.what;
      broken = new Promise((resolve) => {
        tell = resolve;
      });
    },
    broken: () => broken,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
