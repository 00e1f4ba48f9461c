/** What the service answers, as the client gives it. */

export type DatasetId = 'wcb' | 'earnings';

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly task: string;
  readonly model_type: string;
  readonly access_tier: string;
  readonly compute_tier: string;
  readonly labels: readonly string[];
  readonly training_datasets: readonly string[];
  /** YYYY-MM-DD */
  readonly updated_at: string;
}

export interface ModelList {
  readonly models: readonly Model[];
  readonly total: number;
}

export interface Prediction {
  readonly label: string;
  /** Probability of the label; only where scores were asked for. */
  readonly score?: number;
  /** The text is longer than the model reads; only where scores were asked for. */
  readonly truncated?: boolean;
}

export interface Inference {
  readonly model_id: string;
  readonly task: string;
  /** One for each text, in their order. */
  readonly predictions: readonly Prediction[];
}

export interface Usage {
  readonly email: string;
  readonly tier: string;
  readonly org: string;
  readonly quota: {
    readonly monthly_limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly usage_percent: number;
    readonly resets_at: string;
    readonly period: string;
  };
  readonly daily_usage: Readonly<Record<string, number>>;
  readonly period_days: number;
  readonly total_requests_period: number;
  readonly lifetime: { readonly total_requests: number; readonly member_since: string };
}

export interface Metric {
  readonly name: string;
  readonly formula: string;
  readonly description: string;
  readonly range: readonly [number, number];
}

export interface Dataset {
  readonly id: DatasetId;
  readonly name: string;
  readonly description: string;
  readonly metrics: readonly Metric[];
  readonly filters: readonly {
    readonly name: string;
    readonly type: string;
    readonly several: boolean;
    readonly values?: readonly (string | number)[];
    readonly applies_to: readonly string[];
  }[];
  readonly aggregation_levels: readonly string[];
  readonly snapshot: string;
  readonly coverage: Readonly<Record<string, string | number | null>>;
}

export interface DatasetList {
  readonly datasets: readonly Dataset[];
  readonly total: number;
}

/** A document: its dimensions and one number, or null, a metric. */
export type Document = Readonly<Record<string, string | number | null>> & {
  readonly document_id: string;
  readonly year: number;
  readonly date: string | null;
};

interface Page {
  readonly dataset_id: DatasetId;
  readonly snapshot: string;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly next_offset: number | null;
}

export interface DocumentList extends Page {
  readonly documents: readonly Document[];
}

export interface Summary {
  readonly dataset_id: DatasetId;
  readonly snapshot: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly documents: number;
  readonly summary: readonly {
    readonly metric: string;
    readonly avg: number | null;
    readonly min: number | null;
    readonly max: number | null;
    readonly count: number;
  }[];
}

export interface DocumentPage {
  readonly dataset_id: DatasetId;
  readonly snapshot: string;
  readonly document: Document;
  readonly metrics: readonly {
    readonly metric: string;
    readonly value: number | null;
    readonly formula: string;
    readonly description: string;
    readonly range: readonly [number, number];
    readonly counts: Readonly<Record<string, number>>;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly models: readonly { readonly id: string; readonly fingerprint: string; readonly labels: readonly string[] }[];
}

export interface Sentence {
  readonly sentence_index: number;
  readonly char_start: number;
  readonly char_end: number;
  readonly text: string;
  /** Of its paragraph, ISO 639-1, `und` where it is not clear. Snapshots of before there were marks have neither. */
  readonly language?: string;
  /** Why no model was asked and no metric counts it: `foreign`, `furniture`, `speaker`, `table`. Null where it was asked. */
  readonly mark?: string | null;
  readonly speaker?: string | null;
  readonly role?: string | null;
  readonly section?: string | null;
  /** Label by model; null where there is a mark. */
  readonly labels: Readonly<Record<string, string | null>>;
}

export interface SentenceList extends Page {
  readonly document_id: string;
  readonly sentences: readonly Sentence[];
}

/** The banks or tickers that have documents, by value. Dates are YYYY-MM-DD, null where no document has one. */
export interface Coverage {
  readonly dataset_id: DatasetId;
  readonly snapshot: string;
  readonly by: 'bank_name' | 'ticker';
  readonly total: number;
  readonly groups: readonly {
    readonly value: string;
    /** The company of a ticker. */
    readonly name: string | null;
    readonly documents: number;
    readonly first_year: number | null;
    readonly last_year: number | null;
    readonly first_date: string | null;
    readonly last_date: string | null;
  }[];
}

type OneOrMore<T> = T | readonly T[];

/** Filters of documents; dates are YYYY-MM-DD. `bank_name` is of wcb, `ticker`, `quarter` and `date` are of earnings. */
export interface Filters {
  readonly metric?: OneOrMore<string>;
  readonly year?: OneOrMore<number>;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly bank_name?: OneOrMore<string>;
  readonly ticker?: OneOrMore<string>;
  readonly quarter?: OneOrMore<number>;
  readonly date?: string;
  /** An older snapshot, while it is kept. */
  readonly snapshot?: string;
  /** The snapshot that was served at the end of that day, UTC. */
  readonly as_of?: string;
}

export interface PageQuery {
  /** 1 to 10,000; 1,000 where it is not given. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface SentenceQuery extends PageQuery {
  readonly model?: OneOrMore<string>;
  /** Together with exactly one model. */
  readonly label?: OneOrMore<string>;
  readonly snapshot?: string;
  readonly as_of?: string;
}
