/** All addresses of a run: hosts side by side, the addresses of one host one after the other. */
import PQueue from 'p-queue';
import { type Fetched, type FetchOptions, fetchUrl, findLast, withoutAnswer } from './fetch-url.js';
import { hostOf } from './url.js';

/** Connections at a time. */
const HOSTS = 8;
/**
 * A host that fails this often in a row: its other addresses would take the night and end alike. Where it was silent they are
 * not asked; where it answered each is asked once, and not again and again, for a few broken ones must not hide the others.
 */
const FAILURES_IN_A_ROW = 3;

/** What each address gives, by address. An address that fails costs bounded time and changes nothing for the others. */
export const fetchAll = async (
  urls: readonly URL[],
  options: FetchOptions,
  onProgress: (done: number, total: number) => void,
): Promise<ReadonlyMap<string, Fetched>> => {
  const byHost = new Map<string, Map<string, URL>>();
  for (const url of urls) {
    const group = byHost.get(hostOf(url)) ?? new Map<string, URL>();
    byHost.set(hostOf(url), group.set(url.href, url));
  }
  const total = [...byHost.values()].reduce((sum, group) => sum + group.size, 0);
  const results = new Map<string, Fetched>();
  const queue = new PQueue({ concurrency: HOSTS });
  // A full disk is no host's fault, and no other host's documents would fare better.
  let broken = false;
  const fetchHost = async (host: string, group: Iterable<URL>): Promise<void> => {
    let [failures, silences] = [0, 0];
    for (const url of group) {
      options.signal.throwIfAborted();
      if (broken) return;
      if (silences >= FAILURES_IN_A_ROW) {
        const last = await findLast(options.outputs, url);
        results.set(
          url.href,
          withoutAnswer(last, 'no_answer', `${host} did not answer and is not asked again in this run`),
        );
      } else {
        const attempts = failures >= FAILURES_IN_A_ROW ? 1 : options.retries.attempts;
        const { fetched, hostFailed } = await fetchUrl(url, { ...options, retries: { ...options.retries, attempts } });
        results.set(url.href, fetched);
        failures = hostFailed === 'no' ? 0 : failures + 1;
        silences = hostFailed === 'silent' ? silences + 1 : hostFailed === 'at once' ? FAILURES_IN_A_ROW : 0;
      }
      onProgress(results.size, total);
    }
  };
  const running = [...byHost].map(([host, group]) =>
    queue.add(() =>
      fetchHost(host, group.values()).catch((error: unknown) => {
        broken = true;
        throw error;
      }),
    ),
  );
  const ended = await Promise.allSettled(running);
  options.signal.throwIfAborted();
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
};
