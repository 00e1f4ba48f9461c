import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listSupportedBackends } from 'onnxruntime-node';
import { UsageError } from '../errors.js';
import type { Processor } from './variants.js';

export const DEVICES = ['auto', 'cpu', 'cuda', 'webgpu'] as const;

/** What a user asks for. `auto` is the first of CUDA, WebGPU on a real GPU, and the processor, that works. */
export type Device = (typeof DEVICES)[number];

/** An execution provider of ONNX Runtime. */
export type Provider = Exclude<Device, 'auto'>;

/** A provider that was passed over, with the reason. */
export interface Refusal {
  readonly provider: Provider;
  readonly reason: string;
}

export interface DevicePlan {
  /** Providers to try, best first; the first whose session opens is the one that runs. */
  readonly candidates: readonly Provider[];
  readonly refused: readonly Refusal[];
}

/** What device detection looks at, so that it can be told another machine's story. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Names that ONNX Runtime was built with or can load. */
  readonly backends: readonly string[];
  /** Folder of the ONNX Runtime libraries. */
  readonly libraries: string;
  readonly exists: (path: string) => boolean;
  readonly list: (folder: string) => readonly string[];
  readonly read: (path: string) => string;
}

export const processorOf = (provider: Provider): Processor => (provider === 'cpu' ? 'cpu' : 'gpu');

/**
 * Which providers to try, from what can be seen without opening a session.
 *
 * @throws UsageError when a device was named that is not there, saying what to install
 */
export const planDevice = (device: Device, machine: Machine = thisMachine()): DevicePlan => {
  const wanted: readonly Provider[] = device === 'auto' ? ['cuda', 'webgpu', 'cpu'] : [device];
  const candidates: Provider[] = [];
  const refused: Refusal[] = [];
  for (const provider of wanted) {
    const reason = whyNot(provider, machine);
    if (reason === undefined) candidates.push(provider);
    else refused.push({ provider, reason });
  }
  if (device !== 'auto' && candidates.length === 0) throw deviceMissing(device, refused[0]?.reason ?? 'unknown');
  return { candidates, refused };
};

/**
 * The kind of processor that model files are chosen for: that of the best device that seems to be there. It is known before
 * any session opens, so that fingerprints tell which file answers; where the GPU then does not open, that file runs on the CPU.
 */
export const plannedProcessor = ({ candidates }: DevicePlan): Processor => processorOf(candidates[0] ?? 'cpu');

/** The error for a device that was named and cannot run. */
export const deviceMissing = (provider: Provider, reason: string): UsageError =>
  new UsageError(`The device ${provider} cannot be used here: ${reason}. ${INSTALL[provider]} Or use --device auto.`);

const INSTALL: Readonly<Record<Provider, string>> = {
  cpu: 'Install onnxruntime-node for this platform.',
  cuda: 'Install an NVIDIA driver, CUDA 12 and cuDNN 9, then run: node node_modules/onnxruntime-node/script/install.js --onnxruntime-node-install=cuda12.',
  webgpu: "Install the GPU maker's Vulkan driver (Linux), or use a machine with a GPU.",
};

const whyNot = (provider: Provider, machine: Machine): string | undefined => {
  if (!machine.backends.includes(provider)) return 'ONNX Runtime has no such execution provider on this platform';
  switch (provider) {
    case 'cpu':
      return undefined;
    case 'cuda':
      return whyNoCuda(machine);
    case 'webgpu':
      return whyNoGpu(machine);
    default:
      return provider satisfies never;
  }
};

const whyNoCuda = ({ platform, libraries, exists }: Machine): string | undefined => {
  const library = platform === 'win32' ? 'onnxruntime_providers_cuda.dll' : 'libonnxruntime_providers_cuda.so';
  return exists(join(libraries, library)) ? undefined : `ONNX Runtime's CUDA library (${library}) is not installed`;
};

/**
 * WebGPU also runs on a software adapter (llvmpipe, SwiftShader), far slower than the CPU provider, and ONNX Runtime does
 * not tell which adapter it took. So on Linux a GPU must be seen, and a Vulkan driver that is none of those.
 */
const whyNoGpu = (machine: Machine): string | undefined => {
  if (machine.platform !== 'linux') return undefined;
  if (!hasGpu(machine)) return 'no GPU was found on this machine';
  const drivers = vulkanDrivers(machine);
  if (drivers.some((name) => !SOFTWARE.test(name))) return undefined;
  return drivers.length === 0
    ? 'no Vulkan driver is installed'
    : `only a software Vulkan driver is installed (${drivers.join(', ')})`;
};

const SOFTWARE = /lvp|llvmpipe|lavapipe|swiftshader|vk_swift/i;

/** PCI vendors whose devices are GPUs of their own: NVIDIA, AMD, Intel, Apple, Qualcomm, ARM, Imagination. */
const GPU_VENDORS = new Set(['0x10de', '0x1002', '0x8086', '0x106b', '0x17cb', '0x13b5', '0x1010']);

const hasGpu = ({ exists, list, read }: Machine): boolean =>
  exists('/dev/nvidia0') ||
  exists('/dev/dxg') ||
  list('/sys/class/drm')
    .filter((name) => name.startsWith('renderD'))
    .some((name) => GPU_VENDORS.has(read(`/sys/class/drm/${name}/device/vendor`).trim()));

const vulkanDrivers = ({ env, list }: Machine): readonly string[] => {
  const named = env.VK_DRIVER_FILES ?? env.VK_ICD_FILENAMES;
  if (named) return named.split(':').filter((path) => path !== '');
  return ['/etc/vulkan/icd.d', '/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d']
    .flatMap((folder) => list(folder))
    .filter((name) => name.endsWith('.json'));
};

const thisMachine = (): Machine => ({
  platform: process.platform,
  env: process.env,
  backends: listSupportedBackends().map(({ name }) => name),
  libraries: join(
    dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
    `bin/napi-v6/${process.platform}/${process.arch}`,
  ),
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
});
