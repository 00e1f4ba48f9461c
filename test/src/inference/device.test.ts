import { expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import { type Machine, planDevice } from '../../../src/inference/device.js';

const machine = (facts: {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly backends?: readonly string[];
  readonly platform?: NodeJS.Platform;
}): Machine => {
  const files = facts.files ?? {};
  return {
    platform: facts.platform ?? 'linux',
    env: facts.env ?? {},
    backends: facts.backends ?? ['cpu', 'webgpu', 'cuda'],
    libraries: '/ort',
    exists: (path) => path in files,
    list: (folder) => [
      ...new Set(
        Object.keys(files).flatMap((path) =>
          path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0] ?? ''] : [],
        ),
      ),
    ],
    read: (path) => files[path] ?? '',
  };
};

const CUDA = { '/ort/libonnxruntime_providers_cuda.so': '' };
const NVIDIA = { '/dev/nvidia0': '', '/usr/share/vulkan/icd.d/nvidia_icd.json': '' };
const SOFTWARE = { '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json': '' };

test('auto takes the CPU where there is nothing else, and says why', () => {
  const { candidates, refused } = planDevice('auto', machine({}));
  expect(candidates).toEqual(['cpu']);
  expect(refused.map(({ provider }) => provider)).toEqual(['cuda', 'webgpu']);
  expect(refused[0]?.reason).toContain('libonnxruntime_providers_cuda.so');
  expect(refused[1]?.reason).toBe('no GPU was found on this machine');
});

test('auto tries CUDA, then WebGPU, then the CPU where all are there', () => {
  expect(planDevice('auto', machine({ files: { ...CUDA, ...NVIDIA } })).candidates).toEqual(['cuda', 'webgpu', 'cpu']);
});

test('a software Vulkan driver is not taken for a GPU', () => {
  const gpu = { '/sys/class/drm/renderD128/device/vendor': '0x1002\n' };
  const onlySoftware = planDevice('auto', machine({ files: { ...gpu, ...SOFTWARE } }));
  expect(onlySoftware.candidates).toEqual(['cpu']);
  expect(onlySoftware.refused[1]?.reason).toContain('software Vulkan driver');
  const pointedThere = machine({
    files: { ...gpu, ...NVIDIA },
    env: { VK_DRIVER_FILES: '/opt/swiftshader/vk_swiftshader_icd.json' },
  });
  expect(planDevice('auto', pointedThere).candidates).toEqual(['cpu']);
});

test.each(['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'])('a driver that %s names is taken wherever it lies', (name) => {
  const files = { '/dev/nvidia0': '', ...SOFTWARE };
  const env = { [name]: '/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json' };
  expect(planDevice('webgpu', machine({ files, env })).candidates).toEqual(['webgpu']);
});

test('a virtual display adapter is no GPU', () => {
  const files = {
    '/sys/class/drm/renderD128/device/vendor': '0x1af4\n',
    '/usr/share/vulkan/icd.d/virtio_icd.json': '',
  };
  expect(planDevice('auto', machine({ files })).candidates).toEqual(['cpu']);
});

test.each([
  ['cuda', 'install.js --onnxruntime-node-install=cuda12'],
  ['webgpu', 'Vulkan driver'],
] as const)('%s asked for and missing is wrong use, with what to install', (device, hint) => {
  expect(() => planDevice(device, machine({}))).toThrow(UsageError);
  expect(() => planDevice(device, machine({}))).toThrow(hint);
});

test('a provider that ONNX Runtime was not built with is not tried', () => {
  expect(planDevice('auto', machine({ backends: ['cpu'], files: { ...CUDA, ...NVIDIA } })).candidates).toEqual(['cpu']);
});
