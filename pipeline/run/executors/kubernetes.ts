/**
 * Kubernetes: each step as a Job, an array as an Indexed one. Nobody there starts one Job after another, so that each waits
 * for the markers of the one before on the shared volume.
 */
import { ATTEMPTS, ELEMENT, type Step } from './executor.js';

export interface KubernetesOptions {
  readonly image: string;
  /** Claim of the volume that every pod shares. */
  readonly claim: string;
  /** Where it is mounted: the same path as where the job was planned. */
  readonly mount: string;
  /** Limit of a pod, as a quantity (`4Gi`). */
  readonly memory: string;
}

const RETRIES = 2;

/** A List of Jobs, as `kubectl apply -f -` takes it. */
export const toKubernetes = (steps: readonly Step[], options: KubernetesOptions): object => ({
  apiVersion: 'v1',
  kind: 'List',
  items: steps.map((step) => jobOf(step, options)),
});

const jobOf = (step: Step, { image, claim, mount, memory }: KubernetesOptions): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: step.name, labels: { app: 'fintext' } },
  spec: {
    ...(step.elements === 'one'
      ? { backoffLimit: RETRIES }
      : {
          completionMode: 'Indexed',
          completions: step.elements,
          parallelism: step.elements,
          backoffLimitPerIndex: RETRIES,
        }),
    podFailurePolicy: {
      rules: [
        // A node that is drained or lost is nobody's fault.
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        // What failed for good, or was asked wrongly, fails again.
        {
          action: step.elements === 'one' ? 'FailJob' : 'FailIndex',
          onExitCodes: { containerName: 'fintext', operator: 'In', values: [1, 2] },
        },
      ],
    },
    ttlSecondsAfterFinished: 7 * 24 * 3600,
    template: {
      metadata: { labels: { app: 'fintext', job: step.name } },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 60,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: 'fintext',
            image,
            command: ['node', 'dist/src/cli/fintext.js'],
            args: step.args.map((word) => {
              if (word === ELEMENT) return step.elements === 'one' ? '0' : '$(ELEMENT)';
              return word === ATTEMPTS ? `kubernetes ${step.name}` : word;
            }),
            env: [
              { name: 'FINTEXT_LOG', value: 'json' },
              ...(step.elements === 'one' ? [] : [{ name: 'ELEMENT', valueFrom: { fieldRef: { fieldPath: INDEX } } }]),
            ],
            resources: {
              requests: { cpu: String(step.cpus), memory },
              limits: { memory, ...(step.gpus === 0 ? {} : { 'nvidia.com/gpu': String(step.gpus) }) },
            },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: [
              { name: 'shared', mountPath: mount },
              { name: 'tmp', mountPath: '/tmp' },
            ],
          },
        ],
        volumes: [
          { name: 'shared', persistentVolumeClaim: { claimName: claim } },
          { name: 'tmp', emptyDir: {} },
        ],
      },
    },
  },
});

const INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']";
