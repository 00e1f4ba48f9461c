import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { messageOf, RunError } from '../../src/errors.js';
import { entryPoint } from '../../src/package-root.js';
import { ExtractError, type ExtractedFile, type ExtractLimits } from './source.js';

export interface ExtractTask {
  readonly file: string;
  readonly format: string;
  readonly limits: ExtractLimits;
}

export type ExtractAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'extracted'; readonly extracted: ExtractedFile }
  | { readonly kind: 'refused'; readonly reason: string; readonly fault: ExtractError['fault'] };

/** Why a process ended, and whose fault that may be. */
interface End {
  readonly reason: string;
  readonly fault: ExtractError['fault'];
}

/** What lies outside V8's heap (file, fonts, stack, code) takes its part of a process's memory. */
const HEAP_SHARE = 0.75;
/** Between two files a process that holds more than this share of its memory is replaced. */
const STALE_SHARE = 0.6;
const POLL_MS = 100;
const STDERR_BYTES = 8192;

/** One child process; it takes one file at a time. */
export class ExtractProcess {
  readonly #child: ChildProcess;
  readonly #limits: ExtractLimits;
  /** @throws RunError it ended before it could read anything */
  readonly ready: Promise<void>;
  #onAnswer: ((answer: ExtractAnswer) => void) | undefined;
  #onEnd: ((end: End) => void) | undefined;
  /** Why it was killed, where it was this side that did. */
  #killedFor: End | undefined;
  #stderr = '';
  alive = true;

  constructor(limits: ExtractLimits) {
    this.#limits = limits;
    this.#child = fork(entryPoint('pipeline/1-ingest/extract-child'), [], {
      execArgv: [`--max-old-space-size=${Math.floor(limits.maxMemoryMb * HEAP_SHARE)}`],
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_BYTES);
    });
    this.ready = new Promise((resolve, reject) => {
      this.#onAnswer = () => resolve();
      this.#onEnd = ({ reason }) => reject(new RunError(`The process that reads documents does not start: ${reason}`));
    });
    // Whoever waits for it gets the error; when nobody does, it is not to end the program.
    this.ready.catch(() => {});
    this.#child.on('message', (answer) => this.#onAnswer?.(answer as ExtractAnswer));
    this.#child.on('error', (error) => this.#end({ reason: messageOf(error), fault: 'machine' }));
    // `close` comes after stderr was read to its end; `exit` may come before.
    this.#child.on('close', (code, signal) => this.#end(this.#killedFor ?? this.#explain(code, signal)));
  }

  /** The text of one file. @throws ExtractError the file's fault. @throws RunError the process cannot be started */
  async extract(task: Omit<ExtractTask, 'limits'>): Promise<ExtractedFile> {
    await this.ready;
    const { timeoutMs, maxMemoryMb } = this.#limits;
    const timer = setTimeout(() => this.kill(`Reading the file took more than ${timeoutMs / 1000} s.`), timeoutMs);
    const poll = setInterval(() => {
      void this.#residentMb().then((resident) => {
        if (resident > maxMemoryMb && this.#onAnswer !== undefined) this.kill(this.#tooMuchMemory(), 'file');
      });
    }, POLL_MS);
    try {
      const answer = await new Promise<ExtractAnswer>((resolve, reject) => {
        this.#onAnswer = resolve;
        this.#onEnd = ({ reason, fault }) => reject(new ExtractError(reason, { fault }));
        if (!this.alive)
          reject(new ExtractError('The process that reads documents ended between two files.', { fault: 'machine' }));
        else this.#child.send({ ...task, limits: this.#limits } satisfies ExtractTask, () => {});
      });
      if (answer.kind === 'extracted') return answer.extracted;
      if (answer.kind === 'ready') throw new ExtractError('The file was not read.');
      throw new ExtractError(answer.reason, { fault: answer.fault });
    } finally {
      clearTimeout(timer);
      clearInterval(poll);
      this.#onAnswer = undefined;
      this.#onEnd = undefined;
      if (this.alive && (await this.#residentMb()) > maxMemoryMb * STALE_SHARE) this.kill('It holds much memory.');
    }
  }

  /** Ends the process at once; a file that it is reading is refused for this reason. */
  kill(reason: string, fault: End['fault'] = 'machine'): void {
    this.#killedFor ??= { reason, fault };
    this.alive = false;
    this.#child.kill('SIGKILL');
  }

  #end(end: End): void {
    this.alive = false;
    this.#onEnd?.(end);
  }

  #explain(code: number | null, signal: NodeJS.Signals | null): End {
    if (/heap out of memory|allocation failed|out of memory/i.test(this.#stderr))
      return { reason: this.#tooMuchMemory(), fault: 'file' };
    const last =
      this.#stderr
        .trim()
        .split('\n')
        .find((line) => /Error/.test(line)) ?? '';
    const how = `${signal ?? `exit code ${code}`})${last === '' ? '' : `: ${last}`}`;
    return { reason: `Reading the file ended the process that read it (${how}.`, fault: 'machine' };
  }

  #tooMuchMemory(): string {
    return `Reading the file takes more than ${this.#limits.maxMemoryMb} MB of memory.`;
  }

  /** Memory that the process holds, of any kind; 0 where the system does not say. V8's own bound counts its heap alone. */
  async #residentMb(): Promise<number> {
    try {
      const status = await readFile(`/proc/${this.#child.pid}/status`, 'latin1');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }
}
