/** What the layouts (`sources/`) and the formats (`formats/`) agree on: where a document lies, and what is in it. */
import type { DatasetId } from '../../data/catalog.js';
import type { DimensionValue, Reject, Turn } from '../document.js';

/** One document that an input folder declares. Nothing of its file has been read yet. */
export interface SourceDocument {
  readonly dataset: DatasetId;
  /** Stable across runs and machines: made of dimensions (or given by a manifest), never of a path. */
  readonly documentId: string;
  /** Values of the dataset's `partitionBy`, joined by `/`: `bank_of_japan/2005`, `AAPL`. Safe as a path. */
  readonly partition: string;
  /** One entry for each dimension of the dataset, in the catalog's order. */
  readonly dimensions: Readonly<Record<string, DimensionValue>>;
  readonly title: string | null;
  readonly sourceUrl: string | null;
  /** Absolute path of the file. */
  readonly file: string;
  /** The same, from the input folder, with `/`: what messages, rejects and manifests show. */
  readonly path: string;
  /** What the source says of the document that cannot be so, and what was made of it: sentences for a report. */
  readonly notes?: readonly string[];
}

/** A document that lies at an address. Nobody has been asked for it yet; `path` is the address as the source has it. */
export interface RemoteDocument extends Omit<SourceDocument, 'file'> {
  readonly url: URL;
}

export type Listed =
  | { readonly kind: 'document'; readonly document: SourceDocument }
  | { readonly kind: 'remote'; readonly document: RemoteDocument }
  | {
      readonly kind: 'reject';
      readonly reject: Reject;
      /** The id of the document whose file is not there. */
      readonly missing?: string;
      /** The file is there, and no entry names it. */
      readonly unnamed?: Unnamed;
      /** Left out for a document of another input folder: where both lie on this machine, which is for the log alone. */
      readonly double?: Double;
    };

/** By a list that can be read as a whole; or for want of one, as the list is missing, or it or an entry of it cannot be read. */
export type Unnamed = 'by the list' | 'for want of a list';

export interface Double {
  readonly left: string;
  readonly kept: string;
}

/** A way in which a corpus lies in a folder. One file in `sources/`, one entry in `sources/index.ts`. */
export interface CorpusLayout {
  readonly name: string;
  readonly about: string;
  /** Does this very folder hold the layout? Looks at names only; false is cheap. */
  readonly recognises: (folder: string) => Promise<boolean>;
  /** What keeps this folder, which is not recognised, from holding the layout; undefined where nothing is like it. */
  readonly misses?: (folder: string) => Promise<string | undefined>;
  /**
   * Every document of the folder, and every file or row that cannot be one, in a stable order: by path, or as the
   * manifest's rows stand. Paths are from this folder.
   *
   * @param name what it is called where it was recognised, which a link may call something else
   */
  readonly list: (folder: string, name?: string) => AsyncIterable<Listed>;
}

/** The text of a file, as a reader would see it. Blank lines part blocks (headings, paragraphs, list items). */
export interface Extracted {
  readonly text: string;
  /** The title that the file itself states, or null. */
  readonly title: string | null;
  /** Only where the format itself says who speaks (json transcripts); otherwise segmentation finds out. */
  readonly turns?: readonly Turn[];
  /** Dimensions that the file itself states (json transcripts); the layout's own win over them. */
  readonly dimensions?: Readonly<Record<string, DimensionValue>>;
}

/** The same with the bytes that it was made of, for whoever knew the file before. */
export interface ExtractedFile extends Extracted {
  readonly fileSha256: string;
}

/** Bounds on what one file may cost; past them it is a reject. */
export interface ExtractLimits {
  readonly maxFileBytes: number;
  readonly maxTextCharacters: number;
  readonly maxPages: number;
  /** Of a whole file, from opening to text. */
  readonly timeoutMs: number;
  /** Of the process that reads one file. */
  readonly maxMemoryMb: number;
}

/** What a file's first bytes look like, whatever its name says. */
export type Content = 'text' | 'html' | 'pdf' | 'zip' | 'ole' | 'rtf' | 'image' | 'archive' | 'binary';

/** A file format. One file in `formats/`, one entry in `formats/index.ts`. */
export interface DocumentFormat {
  readonly name: string;
  /** Lower case, with the dot. */
  readonly extensions: readonly string[];
  /** What the first bytes of such a file may look like; anything else is named for what it is, and refused. */
  readonly holds: readonly Content[];
  /** Libraries whose version may change the text, as `name@version`: ingredients of everything extracted with them. */
  readonly libraries: readonly string[];
  /**
   * The text of a file's bytes. Throws an `ExtractError` that says what is wrong with the file.
   * Where `isolated` is true it is called in a child process whose time and memory are bounded.
   */
  readonly isolated: boolean;
  readonly extract: (bytes: Uint8Array, limits: ExtractLimits) => Promise<Extracted>;
}

export interface ExtractErrorOptions extends ErrorOptions {
  /** Whose fault it may be: one of the machine (its reader was killed, the disk failed) may be gone another time. */
  readonly fault?: 'file' | 'machine';
}

/** A file that cannot be used; the message becomes the reject's reason. */
export class ExtractError extends Error {
  override name = 'ExtractError';
  readonly fault: 'file' | 'machine';

  constructor(message: string, { fault = 'file', ...options }: ExtractErrorOptions = {}) {
    super(message, options);
    this.fault = fault;
  }
}
