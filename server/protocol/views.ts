import type { ProposedFile, ReviewedHunk } from "../core/review/hunk";

/**
 * What the editor shows, as plain data. Core types never cross the wire: server/host/lsp/views makes these,
 * and no other folder of the server may import this file.
 */

/** An entry of a catalogue, as a menu offers it. */
interface ChoiceView {
  /** What goes into a setting or a request. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
}

/** What this server offers. A menu of the editor shows these and has no list of its own. */
export interface CatalogueView {
  /** The first is the default. */
  readonly formats: readonly ChoiceView[];
  readonly strategies: readonly StrategyView[];
  /** Architectures of the virtual GPU that can be compiled and modelled. */
  readonly targets: readonly ChoiceView[];
}

/** How candidates are found. */
interface StrategyView extends ChoiceView {
  readonly needsModel: boolean;
}

/** A server of models that answers on this machine. */
export interface LocalServerView {
  /** Whose port it is by default. */
  readonly name: string;
  readonly endpoint: string;
  readonly models: readonly string[];
}

export interface LineFactsView {
  /** One-based. */
  readonly line: number;
  /** Its part of the modelled cost of all lines, 0 to 1. */
  readonly share: number;
  /**
   * Short dim text for the line's end, empty for a line that is only warm: `32-way bank conflict: 32,768
   * wavefronts, ideal 1,024`.
   */
  readonly text: string;
  /** Markdown for the hover: every counter with its meaning. */
  readonly detail: string;
  /** `fault`: something is wasted on this line; `plain`: worth knowing, nothing to mend. */
  readonly kind: "fault" | "plain";
  /** What rules would write anew here; of the whole kernel on the line of its name. */
  readonly rewrites?: readonly RewriteView[];
}

/** What one rule would write anew. */
export interface RewriteView {
  /** What the rule does: `Pad the rows of a shared tile`. */
  readonly title: string;
  /** Of a run that tries this alone. */
  readonly strategy: string;
}

export interface FactsView {
  readonly uri: string;
  readonly kernel: string;
  /** `Counted by the virtual GPU for vgpu:sm_80 at rows=256 cols=256; cost, … are modelled, not measured.` */
  readonly origin: string;
  /** sha256 of the text these facts are bound to; they are stale when the document differs. */
  readonly textDigest: string;
  /** Length of that text in UTF-16 units, so that most edits are seen without a digest. */
  readonly textLength: number;
  readonly lines: readonly LineFactsView[];
}

/** The code of a kernel, as it was made of the text on disk. */
export interface MachineCodeView {
  readonly kernel: string;
  /** sha256 and length in UTF-16 units of the source that the links are about. */
  readonly textDigest: string;
  readonly textLength: number;
  /** Each form of each instance of a template; the machine's own comes first. */
  readonly listings: readonly ListingView[];
}

export interface ListingView {
  /** `ptx`, `sass`, `ttir`, `ttgir` or `llir`: also the ending of a file of this form. */
  readonly form: string;
  /** `SASS`, `Triton GPU IR` … */
  readonly title: string;
  /** With the arguments of its template. */
  readonly kernel: string;
  readonly text: string;
  /**
   * Lines of the listing that come from a line of the kernel's file: [of the listing, of the file], one-
   * based.
   */
  readonly links: readonly (readonly [number, number])[];
}

export interface SourcePlace {
  readonly uri: string;
  /** One-based. */
  readonly line: number;
}

/** A shape in all of its cases. */
export interface CheckedShape {
  /** `rows=256 cols=256` or `held out`. */
  readonly name: string;
  /** What is wrong in its first case that failed; null for a shape that passed. */
  readonly failure: string | null;
  /** The line at fault, where one is known. */
  readonly place: SourcePlace | null;
}

export interface KernelView {
  readonly uri: string;
  readonly name: string;
  readonly dialect: "cuda" | "triton";
  /** Zero-based line of the kernel's name. */
  readonly line: number;
  readonly specUri?: string;
}

/** What a modelled time rests on: the machine code's schedule, or the limits of the hardware alone. */
export type ModelledTimeKind = "simulation" | "bound";

/** A kernel of the workspace and what is known of it. */
export interface WorkspaceKernelView extends KernelView {
  /** Relative to its workspace folder. */
  readonly file: string;
  /** Of its last check since the server started. */
  readonly verdict: KernelVerdictView | null;
  /** Its newest session. */
  readonly session: KernelSessionView | null;
  /** `5.39 µs`, of the kind that the figure of its session is; null where none of that kind is known. */
  readonly time: { readonly text: string; readonly kind: ModelledTimeKind } | null;
  /** Modelled bound of all launches of its workload, `12.3 µs`; null where none is known. */
  readonly workload: string | null;
  /** Its part of the modelled time of a recorded program, all of whose kernels are known. */
  readonly share: {
    readonly program: string;
    readonly fraction: number;
  } | null;
  /** What its kernel spec was recorded of, with the sizes of each case; null for any other spec. */
  readonly recorded: { readonly program: string; readonly cases: readonly string[] } | null;
}

interface KernelVerdictView {
  readonly passed: boolean;
  /** A failure that rests on guesses. */
  readonly isGuess: boolean;
  /** The file has another text since. */
  readonly isStale: boolean;
  /** One line. */
  readonly text: string;
}

interface KernelSessionView {
  readonly sessionId: string;
  readonly status: SessionStatus;
  /** Of its best candidate: modelled time and change, `5.39 µs, −78%`; null where nothing was better. */
  readonly figure: string | null;
}

type CandidateState = "running" | "dropped" | "accepted" | "best";

/** How far a candidate came. */
type CandidateStage = "proposed" | "parsed" | "compiled" | "launched" | "correct" | "faster";

export interface CandidateView {
  readonly id: string;
  readonly parent?: string;
  readonly hypothesis: string;
  readonly origin: string;
  readonly stage: CandidateStage;
  readonly state: CandidateState;
  /** Its modelled bound and the change against the baseline, for a correct one: `5.39 µs, −78%`. */
  readonly figure?: string;
  /** One line: why it was accepted or dropped, or what is wrong with it. */
  readonly reason: string;
}

/** What one candidate changes, and what was found about it. */
export interface CandidateDetailView {
  readonly hypothesis: string;
  /** The files that differ; none for the baseline itself. */
  readonly files: readonly ProposalFileView[];
  /** Markdown: how far it came, its verdict, the cases, what the compiler says, counters by line. */
  readonly detail: string;
}

/** `crashed`: neither an end nor a writer; `damaged`: the log cannot be trusted. */
export type SessionStatus =
  | "running"
  | "succeeded"
  | "no_gain"
  | "failed"
  | "cancelled"
  | "limit"
  | "crashed"
  | "damaged";

/** How far a run has come. */
export interface ProgressView {
  /** Modelled bound of the best version and its change: `5.39 µs, −78%`; left out before the baseline's. */
  readonly figure?: string;
  /** The bound over time as block characters: `█▆▃▁`; empty before there is anything to compare. */
  readonly scores: string;
  /** What goes on now: `checking c3`; empty when nothing does. */
  readonly stage: string;
  /** `7 of 24 candidates`, `12,300 tokens`, `0.92 of 1 US dollars left`. */
  readonly spent: readonly string[];
  /** Minutes that were left at a moment, and of how many; of a run that goes on. */
  readonly timeLeft?: { readonly minutes: number; readonly of: number; readonly asOf: string };
  /** What the model said last, on one line; empty without a model. */
  readonly lastWords: string;
  /** When it was started or resumed last. */
  readonly began: string;
  /** When it ended. */
  readonly ended?: string;
}

interface NextView {
  /** `7 candidates: 1 faster, 4 correct and not faster, 2 wrong.` */
  readonly tried: string;
  /** What binds the best version, and what is below it; empty where nothing was modelled. */
  readonly headroom: string;
  /** What suits best first. */
  readonly moves: readonly NextMoveView[];
}

export interface NextMoveView {
  readonly kind: "review" | "model" | "continue" | "resume" | "test-model" | "address" | "price" | "mend";
  readonly text: string;
  /** The candidate that it is about. */
  readonly candidate?: string;
}

export interface SessionView {
  readonly sessionId: string;
  /** What the user calls it. */
  readonly name?: string;
  readonly file: string;
  readonly kernel: string;
  /** In words: `A100 40GB SXM (sm_80), modelled`. */
  readonly target: string;
  readonly strategy: string;
  readonly status: SessionStatus;
  readonly reason: string;
  readonly started: string;
  readonly folder: string;
  /** The candidate of an earlier session that it goes on from. */
  readonly from?: { readonly sessionId: string; readonly candidate: string };
  readonly candidates: readonly CandidateView[];
  /** The user lets it rest; it goes on when told so. */
  readonly paused: boolean;
  /** Null in the rows of a list. */
  readonly progress: ProgressView | null;
  readonly hasProposal: boolean;
  /** What holds rules of the rulebook back, the most telling first: `Exchange the thread axes: line 4: …`. */
  readonly heldBack: readonly string[];
  /** Of a session that has ended: how it went and what can be done now; left out in rows of a list. */
  readonly next?: NextView;
  /**
   * Of a proposal of which only a part was accepted: what came of that part; `passed` is null while
   * unchecked.
   */
  readonly partly: {
    readonly text: string;
    readonly passed: boolean | null;
  } | null;
  /** What its figures are; the bound when left out. */
  readonly timeKind?: ModelledTimeKind;
}

/** One file of a proposal. */
export interface ProposalFileView extends ProposedFile {
  readonly uri: string;
}

export interface ProposalView {
  readonly sessionId: string;
  /** Events of the session's log that it was made of: of two views the one with more is the newer. */
  readonly asOf: number;
  /** Name of the kernel that the session was about; empty for a command. */
  readonly kernel: string;
  readonly candidate: string;
  readonly hypothesis: string;
  readonly files: readonly ProposalFileView[];
  /** From top to bottom of each file; lines are one-based in the base text. */
  readonly hunks: readonly ReviewedHunk[];
  /**
   * One line: `correct on 6 cases · modelled bound 12.4 µs → 3.1 µs (A100 40GB SXM) · bank conflict ways
   * 32 → 1`.
   */
  readonly verdict: string;
  /** What has to be looked at before it is accepted, a sentence each; left out by older servers. */
  readonly needsReview?: readonly string[];
  /**
   * Markdown: tier, shapes, tolerance, counters before and after for the lines at fault, the bound's terms,
   * what it is based on.
   */
  readonly detail: string;
  readonly review: ReviewStatusView;
}

/** States of a session's files that the user can go back to. */
export interface CheckpointsView {
  readonly files: readonly { readonly file: string; readonly uri: string }[];
  /** Before the session, then each accepted step, in their order. */
  readonly checkpoints: readonly CheckpointView[];
  /** The files with the changes that the user accepted, by path; null where that is none. */
  readonly decided: Readonly<Record<string, string>> | null;
}

export interface CheckpointView {
  /** `baseline` or a candidate. */
  readonly id: string;
  /** The candidate's idea; empty for the baseline. */
  readonly title: string;
  /** Its modelled bound and the change against the baseline: `5.39 µs, −78%`. */
  readonly figure?: string;
  /** In UTC. */
  readonly time: string;
  /** Every file that some step changes, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What is known of a proposal under review, next to the text as it is now. */
export interface ReviewStatusView {
  /** Whether it is known which hunks need each other; `bounded`: as far as the budget for trying allowed. */
  readonly grouping: "known" | "running" | "unknown" | "bounded";
  readonly claim: ClaimView;
}

export interface ClaimView {
  /** `proposal`: the text is the proposal's or the baseline's, and the proposal's own verdict holds. */
  readonly state: "proposal" | "unchecked" | "checking" | "checked" | "conflict";
  /** Whether what the claim is about was found correct; null where nothing was checked. */
  readonly passed: boolean | null;
  /** One line. */
  readonly text: string;
}

/** How a whole program is run: as it is, with the sanitizer, or with counters. */
export type ProgramMode = "run" | "sanitize" | "profile";

/** One case of a kernel that is being run, for a check or a profile. */
export interface BegunCaseView {
  readonly uri: string;
  readonly kernel: string;
  /** One-based, of `of`. */
  readonly number: number;
  readonly of: number;
  /** `n=1024`, or `held out`. */
  readonly shape: string;
}

export interface CheckResult {
  readonly passed: boolean;
  /** One line. */
  readonly summary: string;
  readonly detail: string;
  /** What had to be guessed for want of a kernel spec. */
  readonly unknowns: readonly string[];
  /** A failure that rests on guesses, which come before any fault of the kernel. */
  readonly isGuess: boolean;
  /** Each shape that was run; held-out ones share a name. None of a kernel that did not run. */
  readonly shapes: readonly CheckedShape[];
  /** Where a kernel that did not run failed; null where that is not known. */
  readonly place: SourcePlace | null;
}
