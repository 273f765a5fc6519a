/**
 * The report page as plain data: what the editor sends to the page, what the page keeps over a
 * reload and what a saved file is made of. Texts are rendered already, in the user's language;
 * numbers beside them are for drawing only. Leaves out how anything looks.
 */
import type { LedgerId } from '../account/ledger';
import type { BudgetTerms } from '../sglang/budgetFormula';
import type { Basis } from '../units/quantity';

/** How good or bad a thing is; the page pairs it with a word, never with colour alone. */
export type PageTone = 'good' | 'bad' | 'warning' | 'neutral';

/** A value as it reads, and the 1-based lines of the log that show it. */
export interface PageFigure {
  readonly label: string;
  readonly text: string;
  readonly lines: readonly number[];
}

/** One block of a rank's memory. `size` is in GiB, the most likely value. */
export interface PageBlock extends PageFigure {
  readonly id: LedgerId;
  readonly size: number;
}

/** Free memory before load, where it went, what is left. Empty `blocks`: the log does not tell. */
export interface PageRank {
  readonly name: string;
  readonly isBinding: boolean;
  readonly blocks: readonly PageBlock[];
}

/** What happened, in one word and in one sentence, with the line that shows it. */
export interface PageHeadline {
  readonly tone: PageTone;
  readonly verdict: string;
  readonly sentence: string;
  readonly lines: readonly number[];
}

/** The one thing to do; `flag` is to be pasted into the launch line. */
export interface PageAction {
  readonly sentence: string;
  readonly flag?: string;
}

export interface PageProblem {
  readonly severity: 'error' | 'warning' | 'information';
  readonly text: string;
  readonly line: number;
  readonly flag?: string;
}

/** Why a row of the table of fractions stands out. */
export type PageMark = 'current' | 'offered' | 'floor' | 'ceiling';

/** What one fraction gives. `value` is the fraction as a number. */
export interface PageRow {
  readonly value: number;
  readonly fraction: string;
  readonly pool: string;
  readonly tokens: string;
  readonly requests: string;
  readonly left: string;
  /** Several where two coincide. */
  readonly marks: readonly PageMark[];
  readonly isPossible: boolean;
}

/** A fact of the budget that survives JSON: null stands for an infinite bound. */
export interface PageFact {
  readonly term: keyof BudgetTerms;
  readonly lo: number | null;
  readonly hi: number | null;
  readonly basis: Basis;
  readonly assumptions: readonly string[];
  readonly lines: readonly number[];
  /** A decimal text for a Python int, a number for a float. */
  readonly nominal?: string | number;
}

/** What the page needs to answer what-if with the same graph. */
export interface PageWhatIf {
  readonly facts: readonly PageFact[];
  /** Where the slider stands at first: the value in force, else the offered one, else the floor. */
  readonly fraction: number;
  /** The value in force; absent where nothing tells. */
  readonly current?: number;
  readonly offered?: number;
  /** The floor: nothing fits at or below it. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Tokens of one full-length request. */
  readonly context?: number;
  /** What the release multiplies a typed fraction by; absent for nothing. */
  readonly multiplier?: number;
}

/** A piece of a formula; a piece with lines is a link to where its value stands. */
export interface PagePart {
  readonly text: string;
  readonly lines: readonly number[];
}

/** One step of the calculation: the formula with names, the same with values, what it comes to. */
export interface PageStep {
  readonly symbol: string;
  readonly name: string;
  readonly formula: readonly PagePart[];
  readonly values: readonly PagePart[];
  readonly result: string;
  readonly sources: readonly PagePart[];
}

/** One line of the receipt of bytes per token. `from`: the keys, flags and assumptions behind it. */
export interface PageReceiptLine {
  readonly label: string;
  readonly text: string;
  readonly from: readonly string[];
  readonly isResult: boolean;
}

export interface PageReceipt {
  readonly sentence: string;
  readonly lines: readonly PageReceiptLine[];
}

/** Least, mean and greatest of the samples of one bucket; null where it has none. */
export interface PageBuckets {
  readonly min: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** One measured thing over the course; `summary` is least, mean and greatest of all samples. */
export interface PageChannel extends PageBuckets {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly summary: readonly [min: string, mean: string, max: string];
  /** Line where the greatest was first printed. */
  readonly line: number;
}

/** What serving looked like, for one rank: at most 2,000 buckets of consecutive lines. */
export interface PageCourse {
  readonly rank: string;
  /** `seconds` since the first serving line; `lines` of the log, where it has no times. */
  readonly axis: 'seconds' | 'lines';
  readonly at: readonly number[];
  /** 1-based first line of each bucket. */
  readonly lines: readonly number[];
  readonly channels: readonly PageChannel[];
  /** Buckets in which requests were put back into the queue. */
  readonly retractions: readonly {
    readonly at: number;
    readonly line: number;
    /** False where the bucket begins at the line, and the retraction stands somewhere in it. */
    readonly isExact: boolean;
    readonly text: string;
  }[];
}

/** Everything of one run, or of values that a person gave. */
export interface PageRun {
  readonly headline: PageHeadline;
  readonly action?: PageAction;
  /** Who, what, how many: engine, release, model, ranks. */
  readonly facts: readonly PageFigure[];
  readonly figures: readonly PageFigure[];
  readonly problems: readonly PageProblem[];
  readonly ranks: readonly PageRank[];
  /** That what is left differs between ranks by nothing that matters; absent where it does, or not at all. */
  readonly ranksAlike?: string;
  readonly fractions: readonly PageFigure[];
  readonly rows: readonly PageRow[];
  /** True where the pools of `rows` and of what-if are two: the full one and the window's. */
  readonly hasWindow?: boolean;
  readonly whatIf?: PageWhatIf;
  /** Why there is no what-if. */
  readonly whatIfMissing?: string;
  readonly receipt?: PageReceipt;
  readonly receiptMissing?: string;
  readonly steps: readonly PageStep[];
  /** What serving came to over all ranks, in sentences. */
  readonly serving: readonly string[];
  readonly courses: readonly PageCourse[];
  readonly assumptions: readonly string[];
}

/** One thing in both runs. `share` is its part of the token difference; null where not known. */
export interface PageMove {
  readonly label: string;
  readonly a: string;
  readonly b: string;
  /** Lines of either log that show it. */
  readonly lines: readonly [a: readonly number[], b: readonly number[]];
  readonly hasMoved: boolean;
  readonly share: string;
  readonly size: number | null;
}

/** What a run would get with the other's fraction. */
export interface PagePrediction {
  readonly sentence: string;
  readonly advice?: PageAction;
  readonly rows: readonly PageRow[];
  /** As in PageRun. */
  readonly hasWindow?: boolean;
}

export interface PageComparison {
  readonly names: readonly [string, string];
  /** First line of either run in its log, where that log can be shown. */
  readonly starts: readonly [a: number | null, b: number | null];
  readonly headline: PageHeadline;
  readonly difference: string;
  readonly moves: readonly PageMove[];
  readonly predictions: readonly PagePrediction[];
}

/** A run that can be chosen in a log of several. */
export interface PageChoice {
  readonly label: string;
  readonly detail: string;
}

/** All that a page shows. */
export interface PageModel {
  readonly schema: 1;
  readonly title: string;
  readonly subtitle: string;
  /** BCP 47, for the page and for numbers that it writes itself. */
  readonly locale: string;
  readonly alsoShow: 'nothing' | 'bytes' | 'decimal';
  /** The page's own words by id. */
  readonly texts: Readonly<Record<string, string>>;
  /** The same report for pasting into an issue. */
  readonly markdown: string;
  /** True where lines of the log can be shown. */
  readonly hasLog: boolean;
  readonly choices: readonly PageChoice[];
  readonly chosen: number;
  /** Something to know of the whole page, such as that the log is gone. */
  readonly notice?: string;
  /** True where the rest of the log is not read, or not yet: `notice` says so. */
  readonly isPartial?: boolean;
  /** True where the user stopped the reading. */
  readonly isStopped?: boolean;
  readonly run?: PageRun;
  readonly comparison?: PageComparison;
}
