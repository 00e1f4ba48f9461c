import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelId } from '../../../models/catalog.js';
import type { Classifier } from '../../../src/inference/pool.js';
import { HttpError } from '../../../src/serve/http-error.js';
import { createInference, type InferenceEvent, type InferenceOptions } from '../../../src/serve/inference.js';
import { type FakeClassifier, fakeClassifier, fakeLabel } from '../../support/service.js';

const MODEL: ModelId = 'cb_stance_label';
const never = { account: 'one', signal: new AbortController().signal };
const other = { ...never, account: 'another' };
const texts = (count: number, mark = 'text'): string[] => Array.from({ length: count }, (_, at) => `${mark} ${at}`);

const open = (classifier: Classifier, options: Partial<InferenceOptions> = {}) => {
  const events: InferenceEvent[] = [];
  const inference = createInference({ open: async () => classifier, log: (event) => events.push(event), ...options });
  return { inference, events };
};

/** A classifier that answers when it is let. */
const held = (): { readonly classifier: FakeClassifier; readonly release: () => void } => {
  let release = (): void => undefined;
  const gate = new Promise<void>((done) => {
    release = done;
  });
  return { classifier: fakeClassifier(() => gate), release: () => release() };
};

describe('inference', () => {
  it('classifies requests of one model that come together as one batch, each with its own answers', async () => {
    const classifier = fakeClassifier();
    const { inference } = open(classifier);
    const answers = await Promise.all(
      [3, 1, 5].map((count, at) => inference.classify(MODEL, texts(count, `of ${at}`), never)),
    );
    expect(classifier.calls).toEqual([9]);
    for (const [at, { labels, scores, truncated }] of answers.entries()) {
      expect(labels).toEqual(texts([3, 1, 5][at] ?? 0, `of ${at}`).map((text) => fakeLabel(MODEL, text)));
      expect([scores.length, truncated.length]).toEqual([labels.length, labels.length]);
    }
  });

  it('gathers what comes while a model is busy, and splits no request that is as large as a turn', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { batchTexts: 10 });
    const first = inference.classify(MODEL, texts(1), never);
    await sleep(20);
    const others = [4, 4, 4, 12].map((count) => inference.classify(MODEL, texts(count), never));
    release();
    await Promise.all([first, ...others]);
    expect(classifier.calls).toEqual([1, 8, 4, 12]);
  });

  it('keeps models apart', async () => {
    const classifier = fakeClassifier();
    const { inference } = open(classifier);
    await Promise.all([
      inference.classify(MODEL, texts(2), never),
      inference.classify('cb_oil_relevancy', texts(3), never),
    ]);
    expect([...classifier.calls].sort()).toEqual([2, 3]);
  });

  it('refuses with 503 and Retry-After what its bounded queue cannot take, and goes on', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { mostTexts: 100, accountTexts: 70 });
    const first = inference.classify(MODEL, texts(60), never);
    const refusal = { status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } };
    for (const [count, asked] of [
      [11, never],
      [60, other],
    ] as const) {
      const refused: unknown = await inference.classify(MODEL, texts(count), asked).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(HttpError);
      expect(refused).toMatchObject(refusal);
    }
    const fits = inference.classify(MODEL, texts(40), other);
    expect(inference.state().texts).toBe(100);
    release();
    await Promise.all([first, fits]);
    expect(inference.state().texts).toBe(0);
  });

  it('leaves half of its queue to other accounts, and takes what is larger than that when it is empty', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { mostTexts: 100 });
    const first = inference.classify(MODEL, texts(70), never);
    await expect(inference.classify(MODEL, texts(1), never)).rejects.toMatchObject({ status: 503 });
    const second = inference.classify(MODEL, texts(30), other);
    release();
    expect((await first).labels).toHaveLength(70);
    expect((await second).labels).toHaveLength(30);
  });

  it('takes a request that is larger than an account’s half beside others, and those beside it', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { mostTexts: 100 });
    const small = inference.classify(MODEL, texts(10), other);
    const large = inference.classify(MODEL, texts(300), never);
    const another = inference.classify(MODEL, texts(30), { ...never, account: 'a third' });
    expect(inference.state().texts).toBe(340);
    await expect(inference.classify(MODEL, texts(1), never)).rejects.toMatchObject({ status: 503 });
    release();
    expect((await Promise.all([small, large, another])).map(({ labels }) => labels.length)).toEqual([10, 300, 30]);
    expect(inference.state().texts).toBe(0);
  });

  it('gives others their turns between the parts of a large request, whose answers come in its order', async () => {
    const classifier = fakeClassifier();
    const { inference } = open(classifier, { batchTexts: 8, sharedBatchTexts: 4 });
    const answered: string[] = [];
    const large = inference.classify(MODEL, texts(19), never).then((found) => {
      answered.push('large');
      return found;
    });
    const short = inference.classify(MODEL, texts(2), other).then(() => answered.push('short'));
    await short;
    const { labels, scores, truncated } = await large;
    expect(answered).toEqual(['short', 'large']);
    expect(classifier.calls).toEqual([4, 2, 8, 7]);
    expect(labels).toEqual(texts(19).map((text) => fakeLabel(MODEL, text)));
    expect([scores.length, truncated.length]).toEqual([19, 19]);
  });

  it('asks for no more of a large request once a part of it failed', async () => {
    const classifier = fakeClassifier(async () => {
      throw new Error('a worker died');
    });
    const { inference } = open(classifier, { batchTexts: 4, sharedBatchTexts: 4 });
    await expect(inference.classify(MODEL, texts(40), never)).rejects.toThrow('a worker died');
    await inference.close();
    // Of ten parts; the next one may have begun.
    expect(classifier.calls.length).toBeLessThanOrEqual(2);
  });

  it('gives accounts their turns: one short text does not wait for all that another account has sent', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { batchTexts: 16, sharedBatchTexts: 8 });
    const answered: string[] = [];
    const ask = async (count: number, asked: typeof never, name: string): Promise<void> => {
      await inference.classify(MODEL, texts(count), asked);
      answered.push(name);
    };
    const asked = [ask(4, never, 'first')];
    await sleep(20);
    for (let turn = 0; turn < 8; turn += 1) asked.push(ask(8, never, `of many ${turn}`));
    asked.push(ask(1, other, 'short'));
    asked.push(ask(1, { ...never, account: 'a third' }, 'short too'));
    release();
    await Promise.all(asked);
    // The other two have nothing more: what is left is one account's again, in the largest batches.
    expect(classifier.calls).toEqual([4, 8, 2, 16, 16, 16, 8]);
    expect(answered.slice(0, 4)).toEqual(['first', 'of many 0', 'short', 'short too']);
  });

  it('fills a batch with one request of each account in turn, and passes over nobody twice', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier, { sharedBatchTexts: 10 });
    const accounts = ['a', 'b', 'c'].map((account) => ({ ...never, account }));
    const first = inference.classify(MODEL, texts(1), never);
    await sleep(20);
    const asked = accounts.flatMap((account, at) =>
      [[3, 3, 3], [9], [2, 2]][at]?.map((count) => inference.classify(MODEL, texts(count), account)),
    );
    release();
    await Promise.all([first, ...asked]);
    // a's 3, not b's 9, c's 2, then a's 3 and c's 2; then b's.
    expect(classifier.calls).toEqual([1, 10, 9, 3]);
  });

  it('does not classify for a client that went away before its turn', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier);
    const first = inference.classify(MODEL, texts(1), never);
    await sleep(20);
    const gone = new AbortController();
    const second = inference.classify(MODEL, texts(50), { ...never, signal: gone.signal });
    gone.abort(new Error('gone'));
    release();
    await first;
    await expect(second).rejects.toThrow('gone');
    expect(classifier.calls).toEqual([1]);
  });

  it('opens the models once for all who ask, and again after it failed', async () => {
    let opened = 0;
    const { inference, events } = open(fakeClassifier(), {
      open: async () => {
        opened += 1;
        if (opened === 1) throw new Error('no package');
        return fakeClassifier();
      },
    });
    await expect(inference.classify(MODEL, texts(1), never)).rejects.toMatchObject({ status: 503 });
    expect(inference.state().models).toBe('failed');
    await Promise.all([1, 2, 3].map((count) => inference.classify(MODEL, texts(count), never)));
    expect(opened).toBe(2);
    expect(events.map(({ type }) => type)).toEqual(['models-failed', 'models-opened']);
  });

  it('replaces a classifier that broke: one batch fails, the next is answered', async () => {
    const classifiers = [
      fakeClassifier(async () => {
        throw new Error('a worker died');
      }),
      fakeClassifier(),
    ];
    let opened = 0;
    const { inference } = open(fakeClassifier(), {
      open: async () => {
        const classifier = classifiers[opened] ?? fakeClassifier();
        opened += 1;
        return classifier;
      },
    });
    await expect(inference.classify(MODEL, texts(1), never)).rejects.toThrow('a worker died');
    expect((await inference.classify(MODEL, texts(1), never)).labels).toHaveLength(1);
    expect(opened).toBe(2);
  });

  it('ends what is under way before it closes', async () => {
    const { classifier, release } = held();
    const { inference } = open(classifier);
    const first = inference.classify(MODEL, texts(3), never);
    await sleep(10);
    const closed = inference.close();
    release();
    expect((await first).labels).toHaveLength(3);
    await closed;
  });
});
