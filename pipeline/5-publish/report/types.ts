/** What a report says, as plain data: `report.json` holds it, `report.html` shows it. Shares and metrics have 6 decimals. */
import type { DatasetId } from '../../../data/catalog.js';
import type { Row } from '../../../src/database.js';
import type { StageReport } from '../../events.js';
import type { LineageEvent } from '../../lineage.js';
import type { Throughput } from '../../throughput.js';
import type { CheckResult } from '../checks/run.js';

export interface ReportData {
  readonly dataset: { readonly id: DatasetId; readonly name: string; readonly description: string };
  readonly made_at: string;
  readonly counts: {
    readonly documents: number;
    readonly sentences: number;
    /** Of the sentences, those that no model was asked about, by mark. */
    readonly marked: readonly { readonly mark: string; readonly sentences: number; readonly documents: number }[];
    readonly rejects: number;
  };
  /** Null where nothing was published before. */
  readonly last: LastSnapshot | null;
  readonly checks: readonly CheckResult[];
  readonly panels: PanelSet | null;
  readonly trends: readonly Trend[];
  readonly ranking: Ranking | null;
  readonly heat: Heat | null;
  readonly shares: readonly ModelShares[];
  readonly rejects: { readonly groups: readonly RejectGroup[]; readonly more: number };
  readonly stages: readonly ReportStage[];
  /** Null where no record is kept of the run. */
  readonly lineage: ReportLineage | null;
  readonly coverage: Coverage;
  /** The newest documents, with their dimensions and main metrics; `dated_ahead` is 1 of those dated after the day of the run, which come last. */
  readonly documents: readonly Row[];
  readonly models: readonly ReportModel[];
  readonly formulas: readonly ReportFormula[];
  readonly settings: readonly ReportSetting[];
}

export interface ReportStage extends StageReport {
  /** What was made a second, where that can be told. */
  readonly throughput: Throughput | null;
}

export interface ReportLineage {
  /** The whole of it, once the run has ended: a path from the outputs folder that it was made in. */
  readonly file: string;
  /** As OpenLineage has it, before publishing. Input folders go by their last name alone. */
  readonly event: LineageEvent;
}

export interface LastSnapshot {
  readonly id: string;
  /** Null where it is of another corpus, and is not compared. */
  readonly difference: {
    readonly added: number;
    readonly gone: number;
    /** The text is another one. */
    readonly changed: number;
    /** The text is the same, a metric is not. */
    readonly remeasured: number;
  } | null;
}

export interface PanelSet {
  readonly metric: string;
  /** `documents`: a dot is a document. `bins`: a dot stands for `n` documents near it. */
  readonly dots: 'documents' | 'bins';
  readonly panels: readonly Panel[];
  /** Groups left out, because there are too many. */
  readonly more: number;
}

export interface Panel {
  readonly group: string;
  readonly documents: number;
  readonly dots: readonly Dot[];
  /** Means of the documents of a year; `t` is the mean of their times. */
  readonly yearly: readonly { readonly year: number; readonly t: number; readonly mean: number; readonly n: number }[];
}

/** `t` is a time in years: 2024.5 is the middle of 2024. */
export interface Dot {
  readonly t: number;
  readonly value: number;
  readonly n: number;
  readonly name: string | null;
}

export interface Trend {
  readonly metric: string;
  readonly description: string;
  readonly points: readonly TrendPoint[];
}

/** Over groups; `low` and `high` are the quartiles. */
export interface TrendPoint {
  readonly t: number;
  readonly groups: number;
  readonly centre: number;
  readonly low: number;
  readonly high: number;
}

export interface Ranking {
  readonly metric: string;
  /** Groups with a value. */
  readonly groups: number;
  /** The first and the last of them, in order. */
  readonly rows: readonly RankedGroup[];
}

export interface RankedGroup {
  readonly place: number;
  readonly group: string;
  readonly alias: string | null;
  readonly document_id: string;
  readonly beside: Row;
  readonly value: number;
}

export interface Heat {
  readonly years: readonly number[];
  readonly rows: readonly { readonly metric: string; readonly values: readonly (number | null)[] }[];
}

export interface ModelShares {
  readonly model: string;
  readonly name: string;
  /** Shares of the sentences that the model was asked about; `before` is null where the last snapshot is not compared. */
  readonly labels: readonly { readonly label: string; readonly share: number; readonly before: number | null }[];
}

export interface RejectGroup {
  readonly stage: string;
  /** The reason, with `…` for what differs from one reject to the other. */
  readonly reason: string;
  readonly n: number;
  /** `reason` is null where all of the group have the same. */
  readonly examples: readonly { readonly subject: string; readonly reason: string | null }[];
}

export interface Coverage {
  readonly years: readonly number[];
  readonly rows: readonly { readonly group: string; readonly total: number; readonly values: readonly number[] }[];
  /** The groups that have no row of their own, together. */
  readonly others: { readonly groups: number; readonly total: number; readonly values: readonly number[] } | null;
}

export interface ReportModel {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly fingerprint: string;
  /** Did a user's own package answer, in the place of the bundled one? */
  readonly own: boolean;
}

export interface ReportFormula {
  readonly name: string;
  readonly description: string;
  readonly formula: string;
  readonly range: readonly [number, number];
}

export interface ReportSetting {
  readonly flag: string;
  readonly value: string;
  readonly about: string;
}
