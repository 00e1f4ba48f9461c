/** From files to texts, whatever the files: bounded time and memory, and a reason for each that gives none. */
import { extractFile } from './extract-file.js';
import { ExtractProcess } from './extract-process.js';
import { getFormat } from './formats/index.js';
import { ExtractError, type ExtractedFile, type ExtractLimits } from './source.js';

/** What one file may cost. The longest real transcript has 0.2 million characters, the longest real report 400 pages. */
export const LIMITS: ExtractLimits = {
  maxFileBytes: 64 * 1024 * 1024,
  maxTextCharacters: 20_000_000,
  maxPages: 2000,
  timeoutMs: 60_000,
  maxMemoryMb: 512,
};

/** A larger file, also of a format that is cheap to read, would keep this thread from its other work. */
const MAX_INLINE_BYTES = 4 * 1024 * 1024;

export interface ExtractorOptions {
  readonly limits: ExtractLimits;
  /** Child processes at most; they start when a file needs one, and stay for the next. */
  readonly processes: number;
  /** Aborting ends the processes; files under way then fail with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface Extractor {
  /**
   * The text of a file.
   *
   * @param file absolute path
   * @param name a name of it whose ending tells the format: files that are kept by their content have none
   * @throws ExtractError the file cannot be used; the message says why. What may be the machine's fault was tried twice
   * @throws RunError files cannot be read at all here: a process for it was started twice, and ended both times
   */
  readonly extract: (file: string, name: string) => Promise<ExtractedFile>;
  /** Ends the processes. */
  readonly close: () => Promise<void>;
}

export const openExtractor = ({ limits, processes, signal }: ExtractorOptions): Extractor => {
  const most = Math.max(1, Math.floor(processes));
  const idle: ExtractProcess[] = [];
  const all = new Set<ExtractProcess>();
  const waiting: ((process: ExtractProcess) => void)[] = [];

  const start = (): ExtractProcess => {
    const process = new ExtractProcess(limits);
    all.add(process);
    return process;
  };
  const take = async (): Promise<ExtractProcess> => {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.alive) return process;
      all.delete(process);
    }
    return all.size < most ? start() : new Promise((resolve) => waiting.push(resolve));
  };
  /** What ends a process as it starts (want of memory, most often) may be over a moment later. */
  const takeReady = async (): Promise<ExtractProcess> => {
    const process = await take();
    try {
      await process.ready;
      return process;
    } catch {
      // Whoever takes it sees that the run was stopped, and gives it back to the next.
      if (signal.aborted) return process;
      all.delete(process);
      return start();
    }
  };
  const giveBack = (process: ExtractProcess): void => {
    if (!process.alive) all.delete(process);
    const next = waiting.shift();
    if (next !== undefined) next(process.alive || signal.aborted ? process : start());
    else if (process.alive) idle.push(process);
  };
  const killAll = (): void => {
    for (const process of all) process.kill('The run was stopped.');
    all.clear();
  };
  signal.addEventListener('abort', killAll, { once: true });

  const extractOnce: Extractor['extract'] = async (file, name) => {
    signal.throwIfAborted();
    const { format, size } = await getFormat(file, name, limits);
    if (!format.isolated && size <= MAX_INLINE_BYTES) return await extractFile(format, file, limits);
    const process = await takeReady();
    try {
      signal.throwIfAborted();
      return await process.extract({ file, format: format.name });
    } catch (error) {
      signal.throwIfAborted();
      // What the system refused to this process (open files, memory) it may give to another.
      if (isOfMachine(error)) process.kill('It is replaced.');
      throw error;
    } finally {
      giveBack(process);
    }
  };

  return {
    extract: async (file, name) => {
      try {
        return await extractOnce(file, name);
      } catch (error) {
        if (isOfMachine(error)) return await extractOnce(file, name);
        throw error;
      }
    },
    close: async () => {
      signal.removeEventListener('abort', killAll);
      killAll();
    },
  };
};

const isOfMachine = (error: unknown): boolean => error instanceof ExtractError && error.fault === 'machine';
