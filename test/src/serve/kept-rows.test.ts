import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeptRows, keepRows, type RowFile, type RowsEvent } from '../../../src/serve/kept-rows.js';
import { findMountFault, mountDisk } from '../../support/disk.js';
import { temporaryFolder } from '../../support/rig.js';

const root = temporaryFolder();
let worlds = 0;
const newFolder = (): string => {
  worlds += 1;
  return join(root, `world-${worlds}`);
};

const rowOf = (row: number): string => `{"row":${row},"text":"${'é'.repeat((row * 7919) % 400)}"},`;
const textOf = (rows: Iterable<number>): string => Array.from(rows, rowOf).join('');
const span = (from: number, to: number): Uint32Array => Uint32Array.from({ length: to - from }, (_, at) => from + at);

interface World {
  readonly kept: KeptRows;
  readonly events: RowsEvent[];
  readonly folder: string;
  /** What is read, as text; undefined where it is to be made. */
  readonly read: (rows: Uint32Array, slack?: number) => Promise<string | undefined>;
}

const keep = (
  length: number,
  { folder = newFolder(), make = rowOf, openFile }: Partial<Parameters<typeof build>[1]> = {},
): World => build(length, { folder, make, openFile });

const build = (
  length: number,
  {
    folder,
    make,
    openFile,
  }: {
    readonly folder: string;
    readonly make: (row: number) => string;
    readonly openFile: ((folder: string) => Promise<RowFile>) | undefined;
  },
): World => {
  const events: RowsEvent[] = [];
  const kept = keepRows({
    folder,
    length,
    openFile,
    log: (event) => events.push(event),
    make: (rows, ends) => {
      const pieces = Array.from(rows, (row) => Buffer.from(make(row)));
      let end = 0;
      for (const [at, { length: bytes }] of pieces.entries()) {
        end += bytes;
        ends[at] = end;
      }
      return Buffer.concat(pieces);
    },
  });
  const read: World['read'] = async (rows, slack = 0) => {
    const wanted = Buffer.byteLength(Array.from(rows, make).join(''));
    const bytes = Buffer.alloc(10 + wanted + slack, '?');
    const length = await kept.read(rows, bytes, 10);
    expect(bytes.toString('latin1', 0, 10)).toBe('?'.repeat(10));
    return length === undefined ? undefined : bytes.toString('utf8', 10, 10 + length);
  };
  return { kept, events, folder, read };
};

const newGate = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open: () => open() };
};

/** A file that does what the real one does, but for some of it. */
const faulty = (change: (file: RowFile) => Partial<RowFile>) => async (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const file = await open(join(folder, 'rows'), 'wx+');
  const real: RowFile = {
    read: (bytes, at, length, place) => file.read(bytes, at, length, place),
    write: (bytes, at, length, place) => file.write(bytes, at, length, place),
    close: () => file.close(),
  };
  return { ...real, ...change(real) };
};

describe('kept rows', () => {
  it('are those that would be made, whichever are asked for and however much room there is', async () => {
    const { kept, events, read } = keep(3000);
    await kept.settled;
    expect(events).toEqual([
      { type: 'rows-kept', bytes: Buffer.byteLength(textOf(span(0, 3000))), seconds: expect.any(Number) },
    ]);
    let found = 0;
    const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(gaps, fc.constantFrom(0, 500, 100_000), async (runs, slack) => {
        const rows: number[] = [];
        let next = 0;
        for (const [run, gap] of runs) {
          for (let row = next; row < Math.min(3000, next + run); row += 1) rows.push(row);
          next += run + gap;
        }
        const text = await read(Uint32Array.from(rows), slack);
        if (text === undefined) return;
        found += 1;
        expect(text).toBe(textOf(rows));
      }),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(50);
    await kept.close();
  });

  it('are not read where that takes longer than to make them', async () => {
    const { kept, read } = keep(3000);
    await kept.settled;
    expect(await read(span(0, 3000))).toBe(textOf(span(0, 3000)));
    expect(await read(span(1000, 2000).filter((row) => row % 2 === 0))).toBeDefined();
    expect(await read(span(0, 3000).filter((row) => row % 40 === 0))).toBeUndefined();
    expect(await read(span(7, 8))).toBeUndefined();
    await kept.close();
  });

  it('can be had before the last is written, and others not yet', async () => {
    const gate = newGate();
    const { kept, read, events } = keep(2000, {
      openFile: faulty(({ write }) => ({
        write: async (bytes, at, length, place) => {
          if (place > 0) await gate.opened;
          return write(bytes, at, length, place);
        },
      })),
    });
    await expect.poll(() => read(span(0, 250))).toBe(textOf(span(0, 250)));
    expect(await read(span(100, 300))).toBeUndefined();
    gate.open();
    await kept.settled;
    expect(await read(span(100, 300))).toBe(textOf(span(100, 300)));
    expect(events.map(({ type }) => type)).toEqual(['rows-kept']);
    await kept.close();
  });

  it('come whole from a file that takes and gives a little at a time', async () => {
    const { kept, read } = keep(600, {
      openFile: faulty(({ read, write }) => ({
        read: (bytes, at, length, place) => read(bytes, at, Math.min(length, 4099), place),
        write: (bytes, at, length, place) => write(bytes, at, Math.min(length, 1021), place),
      })),
    });
    await kept.settled;
    expect(await read(span(50, 550))).toBe(textOf(span(50, 550)));
    await kept.close();
  });

  it('of none are settled at once', async () => {
    const { kept, read, events } = keep(0);
    await kept.settled;
    expect(events).toEqual([{ type: 'rows-kept', bytes: 0, seconds: expect.any(Number) }]);
    expect(await read(span(0, 0))).toBeUndefined();
    await kept.close();
  });
});

describe('the file of rows', () => {
  it('has no name, so that nothing is left of it however the process ends', async () => {
    const { kept, read, folder } = keep(1000);
    await kept.settled;
    expect(readdirSync(folder)).toEqual([]);
    expect(await read(span(0, 1000))).toBe(textOf(span(0, 1000)));
    await kept.close();
    expect(await read(span(0, 1000))).toBeUndefined();
  });

  it('is closed once, by who closes it while it is written', async () => {
    let [closings, writings] = [0, 0];
    const gate = newGate();
    const { kept, events } = keep(5000, {
      openFile: faulty(({ write, close }) => ({
        write: async (bytes, at, length, place) => {
          writings += 1;
          await gate.opened;
          return write(bytes, at, length, place);
        },
        close: () => {
          closings += 1;
          return close();
        },
      })),
    });
    await expect.poll(() => writings).toBe(1);
    const closing = Promise.all([kept.close(), kept.close()]);
    gate.open();
    await closing;
    expect(writings).toBe(1);
    expect([closings, events]).toEqual([1, []]);
  });

  it('waits for who reads it before it is closed', async () => {
    const { kept, read } = keep(1000);
    await kept.settled;
    const reading = read(span(0, 1000));
    await kept.close();
    expect(await reading).toBe(textOf(span(0, 1000)));
  });
});

describe('without a file', () => {
  const made = async ({ kept, read, events }: World, reason: RegExp): Promise<void> => {
    expect(await read(span(0, 250))).toBeUndefined();
    expect(events).toEqual([{ type: 'rows-not-kept', reason: expect.stringMatching(reason) }]);
    await kept.close();
  };

  it('that can be opened, rows are made', async () => {
    const world = keep(1000, { folder: '/dev/null/nowhere' });
    await world.kept.settled;
    await made(world, /^ENOTDIR/);
  });

  it('that can be read, rows are made, and it is said once', async () => {
    let closings = 0;
    const world = keep(1000, {
      openFile: faulty(({ close }) => ({
        read: async () => {
          throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
        },
        close: () => {
          closings += 1;
          return close();
        },
      })),
    });
    await world.kept.settled;
    const { events } = world;
    events.splice(0);
    expect(await Promise.all([world.read(span(0, 250)), world.read(span(250, 500))])).toEqual([undefined, undefined]);
    await made(world, /^EIO/);
    expect(closings).toBe(1);
  });

  it('as long as it was, rows are made', async () => {
    const world = keep(1000, {
      openFile: faulty(() => ({ read: async () => ({ bytesRead: 0 }) })),
    });
    await world.kept.settled;
    world.events.splice(0);
    await made(world, /ends too early/);
  });

  const fault = findMountFault();
  it.skipIf(fault !== undefined)('that has room, rows are made, and nothing of it stays on the disk', async () => {
    const disk = mountDisk(newFolder(), 1024);
    const free = (): number => statfsSync(disk.folder).bavail;
    const before = free();
    try {
      // Known from the first rows.
      const first = keep(20_000, { folder: disk.folder });
      await first.kept.settled;
      await made(first, /^It takes \d+ MB, and 2 MB are free/);
      // Found out by the later ones, which are longer.
      const later = keep(2000, { folder: disk.folder, make: (row) => `{"${'x'.repeat(row < 1000 ? 10 : 3000)}"},` });
      await later.kept.settled;
      await made(later, /^ENOSPC/);
      expect(free()).toBe(before);
    } finally {
      disk.close();
    }
  });
});
