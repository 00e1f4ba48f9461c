import { describe, expect, it } from 'vitest';
import { local } from '../../../pipeline/run/executors/local.js';
import type { OpenStage } from '../../../pipeline/stage.js';

const stage = (concurrency: number): OpenStage => ({
  concurrency,
  run: async () => ({ files: [], amounts: {} }),
  close: async () => ({}),
});
const names = (n: number): readonly string[] => Array.from({ length: n }, (_, at) => `partition ${at}`);
const never = new AbortController().signal;
const tick = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('the local executor', () => {
  it('runs every partition once, as many at a time as the stage allows', async () => {
    const ran: string[] = [];
    let now = 0;
    let most = 0;
    await local.runAll(
      names(20),
      stage(3),
      async (partition) => {
        now += 1;
        most = Math.max(most, now);
        await tick();
        ran.push(partition);
        now -= 1;
      },
      never,
    );
    expect([...ran].sort()).toEqual([...names(20)].sort());
    expect(most).toBe(3);
  });

  it('is done at once where there is nothing to do', async () => {
    await local.runAll([], stage(3), () => Promise.reject(new Error('never')), never);
  });

  it('throws the first failure, after what was under way has ended, and begins nothing else', async () => {
    const began: string[] = [];
    const ended: string[] = [];
    const failure = new Error('the disk is full');
    const running = local.runAll(
      names(10),
      stage(2),
      async (partition) => {
        began.push(partition);
        if (partition === 'partition 1') throw failure;
        await tick();
        await tick();
        ended.push(partition);
      },
      never,
    );
    await expect(running).rejects.toBe(failure);
    expect(began).toEqual(['partition 0', 'partition 1']);
    expect(ended).toEqual(['partition 0']);
  });

  it('throws the first of two failures', async () => {
    const running = local.runAll(
      names(2),
      stage(2),
      async (partition) => {
        if (partition === 'partition 0') await tick();
        throw new Error(partition);
      },
      never,
    );
    await expect(running).rejects.toThrow('partition 1');
  });

  it('fails too where undefined is thrown', async () => {
    const running = local.runAll(names(1), stage(1), () => Promise.reject(undefined), never);
    await expect(
      running.then(
        () => 'done',
        () => 'failed',
      ),
    ).resolves.toBe('failed');
  });

  it('begins nothing else when it is told to stop, and throws the reason', async () => {
    const stopping = new AbortController();
    const reason = new Error('Stopped by SIGINT.');
    const began: string[] = [];
    const running = local.runAll(
      names(10),
      stage(2),
      async (partition) => {
        began.push(partition);
        await tick();
        stopping.abort(reason);
      },
      stopping.signal,
    );
    await expect(running).rejects.toBe(reason);
    expect(began).toEqual(['partition 0', 'partition 1']);
  });

  it('runs nothing where it is told to stop before it begins', async () => {
    const reason = new Error('too late');
    const running = local.runAll(
      names(3),
      stage(2),
      () => Promise.reject(new Error('began')),
      AbortSignal.abort(reason),
    );
    await expect(running).rejects.toBe(reason);
  });
});
