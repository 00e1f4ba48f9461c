/** EVERY VARIANT of a package's weights, as data: the names of the files are those of `optimum-cli` and transformers.js. */
export const VARIANTS = {
  full: 'model.onnx',
  /** Eight bits, for the CPU. */
  quantized: 'model_quantized.onnx',
  /** Sixteen bits, for a GPU. */
  fp16: 'model_fp16.onnx',
} as const;

export type Variant = keyof typeof VARIANTS;

/** What a user asks for. `auto` is what a package's config.json names for the kind of processor, else `full`. */
export type VariantChoice = 'auto' | Variant;

export const VARIANT_NAMES = Object.keys(VARIANTS) as readonly Variant[];

export type Processor = 'cpu' | 'gpu';

/** The file that answers on each kind of processor; one that was named answers on both. */
export const chooseFiles = (
  choice: VariantChoice,
  named: { readonly cpu?: string | undefined; readonly gpu?: string | undefined } = {},
): Readonly<Record<Processor, string>> =>
  choice === 'auto'
    ? { cpu: named.cpu ?? VARIANTS.full, gpu: named.gpu ?? VARIANTS.full }
    : { cpu: VARIANTS[choice], gpu: VARIANTS[choice] };

/** The variant that a file is, or its name where it is none of them. */
export const variantOf = (file: string): string => VARIANT_NAMES.find((name) => VARIANTS[name] === file) ?? file;
