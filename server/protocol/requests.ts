import type { ReviewedHunk } from "../core/review/hunk";
import type { FileEdit } from "../core/review/line-edit";
import type {
  AskUserParams,
  EditorModelAnswer,
  EditorModelQuestion,
  FindEditorModel,
  FoundEditorModel,
} from "./editor-model";
import type {
  BegunCaseView,
  CandidateDetailView,
  CatalogueView,
  CheckResult,
  CheckpointsView,
  FactsView,
  KernelView,
  LocalServerView,
  MachineCodeView,
  ProgramMode,
  ProposalView,
  ReviewStatusView,
  SessionView,
  SourcePlace,
  WorkspaceKernelView,
} from "./views";
import type { DoctorRowView } from "./doctor-views";
import type { PerformanceView } from "./performance-views";
import type { MovedParams, MovedSpecView, MoveSpecsParams } from "./spec-moves";
import type { ServedModelsView, TriedModelView } from "./model-views";
import type { StepLabel, StepView, TimelineView } from "./timeline-views";

/**
 * Every request and notification beside the language server protocol's own, as one type map: method →
 * [params, result]. server/host/lsp/router.ts has one line for each (those about sessions in
 * handlers/sessions/session-routes.ts); a test compares the two.
 */
export interface Requests {
  "kernelwright/kernels": [{ readonly uri: string }, readonly KernelView[]];
  "kernelwright/workspaceKernels": [Record<string, never>, readonly WorkspaceKernelView[]];
  "kernelwright/editableFiles": [KernelParams, EditableFilesResult];
  "kernelwright/optimize": [OptimizeParams, { readonly sessionId: string }];
  /** The targets with a command of every folder's kernelwright.json. */
  "kernelwright/commandTargets": [Record<string, never>, readonly CommandTargetView[]];
  /** Begins a session on one, with the settings' strategy and budget. */
  "kernelwright/optimizeCommand": [OptimizeCommandParams, { readonly sessionId: string }];
  /** How the GPU of a target is now and who is on it, in one line; empty for one that is modelled. */
  "kernelwright/targetState": [{ readonly target: string }, { readonly text: string }];
  "kernelwright/check": [KernelParams, CheckResult];
  "kernelwright/profile": [KernelParams, ProfileResult];
  /** Runs the kernel where it was not counted yet as it is. */
  "kernelwright/performance": [PerformanceParams, PerformanceView];
  "kernelwright/machineCode": [KernelParams, MachineCodeView];
  /** The text of a `.clangd` for the folder of a file, else for the first; the client writes it. */
  "kernelwright/clangd": [{ readonly uri?: string }, { readonly uri: string; readonly text: string }];
  /** Semantic tokens as the language server protocol packs them; null for a document without any. */
  "kernelwright/colours": [{ readonly uri: string }, readonly number[] | null];
  /** What was counted last of a file's lines, for tools that show CPU profiles. */
  "kernelwright/cpuProfile": [{ readonly uri: string }, { readonly text: string; readonly fileName: string }];
  "kernelwright/createSpec": [KernelParams, CreateSpecResult];
  "kernelwright/preview": [PreviewParams, PreviewResult];
  /** What becomes of the kernel specs that name files which are about to be renamed. */
  "kernelwright/moveSpecs": [MoveSpecsParams, readonly MovedSpecView[]];
  "kernelwright/record": [RecordParams, RecordResult];
  "kernelwright/runProgram": [RunProgramParams, RunProgramResult];
  "kernelwright/catalogue": [Record<string, never>, CatalogueView];
  "kernelwright/doctor": [
    Record<string, never>,
    { readonly rows: readonly DoctorRowView[]; readonly markdown: string },
  ];
  /** Asks the usual ports of this machine: only when the user wants to choose a model. */
  "kernelwright/localModels": [Record<string, never>, readonly LocalServerView[]];
  /** Asks an endpoint, with its own key, which models it serves. */
  "kernelwright/servedModels": [{ readonly endpoint: string }, ServedModelsView];
  /** Asks the model of the settings for one word. */
  "kernelwright/tryModel": [Record<string, never>, TriedModelView];
  "kernelwright/sessions": [Record<string, never>, readonly SessionView[]];
  "kernelwright/session": [SessionParams, SessionView];
  "kernelwright/cancel": [SessionParams, { readonly cancelled: boolean }];
  /** Ends a run for the best version that it has found so far, which becomes its proposal. */
  "kernelwright/takeBest": [SessionParams, Record<string, never>];
  "kernelwright/say": [SayParams, Record<string, never>];
  /** What a session has said so far; of one that runs, `sessionWords` tells the rest from then on. */
  "kernelwright/listen": [SessionParams, { readonly text: string }];
  "kernelwright/pause": [PauseParams, Record<string, never>];
  "kernelwright/raiseBudget": [RaiseParams, Record<string, never>];
  "kernelwright/resume": [SessionParams, { readonly sessionId: string }];
  "kernelwright/renameSession": [RenameParams, Record<string, never>];
  "kernelwright/deleteSession": [SessionParams, Record<string, never>];
  /** Takes in a session from elsewhere: its folder, or the log of its events. */
  "kernelwright/importSession": [
    { readonly path: string },
    { readonly session: SessionView; readonly missingTexts: number },
  ];
  "kernelwright/proposal": [SessionParams & MovedParams, ProposalView | null];
  "kernelwright/candidate": [CandidateParams, CandidateDetailView];
  "kernelwright/candidatePerformance": [CandidatePerformanceParams, PerformanceView];
  "kernelwright/adopt": [CandidateName, ProposalView];
  /** Begins a session that goes on from a candidate, with the settings' strategy and budget. */
  "kernelwright/continueFrom": [CandidateName, { readonly sessionId: string }];
  "kernelwright/checkpoints": [SessionParams, CheckpointsView];
  "kernelwright/timeline": [TimelineParams, TimelineView];
  "kernelwright/step": [StepParams, StepView];
  "kernelwright/annotate": [AnnotateParams, { readonly labels: readonly StepLabel[] }];
  "kernelwright/decide": [DecideParams, ProposalView];
  "kernelwright/export": [ExportParams, { readonly text: string; readonly fileName: string }];
}

/** Server → client notifications. */
export interface Notifications {
  /** A session moved: the whole view again (small), at most every 100 ms. */
  "kernelwright/sessionChanged": SessionView;
  /**
   * What a session that is listened to has said since: the model's words as they come, calls of tools,
   * verdicts. At most every 100 ms.
   */
  "kernelwright/sessionWords": SessionParams & { readonly text: string };
  /** New facts for a file. */
  "kernelwright/facts": FactsView;
  /** Something that `workspaceKernels` tells has changed. */
  "kernelwright/kernelsChanged": Record<string, never>;
  /** Sessions have gone with the files of their kernels: they are to be read anew. */
  "kernelwright/sessionsMoved": Record<string, never>;
  /** What a program that `runProgram` runs has written since. */
  "kernelwright/programOutput": { readonly run: string; readonly text: string };
  /** A case of a check or of a profile has begun. */
  "kernelwright/caseBegun": BegunCaseView;
  /** What is known of a proposal under review has changed. */
  "kernelwright/reviewChanged": ReviewChange;
  /** A run waits for a GPU, again and again: one line. */
  "kernelwright/gpuWaited": { readonly text: string };
}

/** Server → client requests. */
export interface ClientRequests {
  /** The key of a model endpoint from SecretStorage; null when there is none. Never logged. */
  "kernelwright/secret": [
    { readonly name: "model-key"; readonly endpoint: string },
    { readonly value: string | null },
  ];
  "kernelwright/findEditorModel": [FindEditorModel, FoundEditorModel];
  "kernelwright/askEditorModel": [EditorModelQuestion, EditorModelAnswer];
  /** A model's question to the user; null where they want to give no answer. Cancelled after a long wait. */
  "kernelwright/askUser": [AskUserParams, { readonly answer: string | null }];
}

/** Client → server notifications. */
export interface ClientNotifications {
  "kernelwright/trust": { readonly trusted: boolean };
}

export interface KernelParams {
  readonly uri: string;
  readonly kernel: string;
}

export interface PerformanceParams extends KernelParams {
  /** Index among the visible shapes; the first when left out. */
  readonly shape?: number;
  /** A GPU of the catalogue that the same launches are modelled on as well. */
  readonly gpu?: string;
  /** Runs the kernel even where its file has not changed since it was counted. */
  readonly again?: boolean;
}

export interface OptimizeParams extends KernelParams {
  /** Left out, this and what follows: as the settings say. */
  readonly strategy?: string;
  readonly target?: string;
  readonly budget?: BudgetView;
  /**
   * Workspace-relative paths besides the kernel's own file that candidates may change, none when empty. Left
   * out: what the kernel's spec names.
   */
  readonly mayTouch?: readonly string[];
  /** For the model, before its first turn; refused where the strategy asks none. */
  readonly messages?: readonly string[];
}

/** A target with a number of its own, which a command prints. */
export interface CommandTargetView {
  /** Uri of the workspace folder whose kernelwright.json names it. */
  readonly folder: string;
  readonly name: string;
  /** What is run, a line for each step: `build: make -j2`. */
  readonly commands: readonly string[];
}

export interface OptimizeCommandParams {
  readonly folder: string;
  readonly name: string;
  /** The commands that the user agreed to; others are not run. */
  readonly seen: readonly string[];
}

/** What a run may use: each zero or more, candidates whole. */
export interface BudgetView {
  readonly usd: number;
  readonly minutes: number;
  readonly candidates: number;
  /** Left out, this and the next: as many as it takes. */
  readonly tokens?: number | undefined;
  /** For which a real GPU is held. */
  readonly gpuMinutes?: number | undefined;
}

/** Workspace-relative paths. */
export interface EditableFilesResult {
  /** The kernel's own, which every run may change. */
  readonly file: string;
  /** What it draws in and what its spec names; `bySpec`: may be changed where nothing else is said. */
  readonly others: readonly { readonly path: string; readonly bySpec: boolean }[];
}

export interface SessionParams {
  readonly sessionId: string;
}

interface RenameParams extends SessionParams {
  /** One line of at most 80 letters; empty takes the name away. */
  readonly name: string;
}

interface SayParams extends SessionParams {
  /** A constraint, a hint or a question of the user's, for the model. */
  readonly text: string;
}

interface RaiseParams extends SessionParams {
  /** What comes on top: each zero or more. Left out: the budget of the settings. */
  readonly more?: BudgetView;
}

interface PauseParams extends SessionParams {
  /** False: it goes on. */
  readonly paused: boolean;
}

/** The facts themselves come before it, as `kernelwright/facts`. */
interface ProfileResult {
  /** One line. */
  readonly summary: string;
  /** Of a kernel that did not run to its end, so that there are no facts. */
  readonly refusal: ProfileRefusal | null;
}

export interface ProfileRefusal {
  /** It rests on guesses, which come before any fault of the kernel. */
  readonly isGuess: boolean;
  /** Where the kernel failed; null where that is not known. */
  readonly place: SourcePlace | null;
}

/** What a failed request carries beside its sentence. */
export interface RequestErrorData {
  /** Of `OperationalCode`, or "bug". */
  readonly code: string;
  /** One command for a terminal that mends it. */
  readonly remedy?: string;
  /** Where the user mends it: a file by its path in a folder of the workspace, and a line from 1. */
  readonly place?: { readonly file: string; readonly line: number };
  /** The program that brings back what is gone when it is recorded again. */
  readonly recordAgain?: RecordParams;
}

interface CreateSpecResult {
  readonly uri: string;
  readonly text: string;
  /** What could not be known and is marked in the text. */
  readonly unknowns: readonly string[];
  readonly exists: boolean;
}

/** A spec file. */
export interface PreviewParams {
  readonly uri: string;
}

interface PreviewResult {
  /** Whether the kernel ran without anything to complain of. */
  readonly passed: boolean;
  /** One line. */
  readonly summary: string;
  /** Markdown: the launch, what is touched of each buffer, findings. */
  readonly detail: string;
}

/** A program of the workspace that is run once. */
export interface ProgramParams {
  readonly uri: string;
  /** One test of a Python file, as pytest names it there: `TestScale::test_double`. */
  readonly test?: string;
  /** The program's own; none when left out. */
  readonly arguments?: readonly string[];
}

export interface RecordParams extends ProgramParams {
  /** Further sources and options for the compiler, relative to the workspace folder. */
  readonly compileOptions?: readonly string[];
}

interface RunProgramParams extends ProgramParams {
  readonly mode: ProgramMode;
  /** Names this run in `programOutput`; the client makes it up. */
  readonly run: string;
}

/** Before it come diagnostics (findings, the compiler's errors), and lines' costs as `kernelwright/facts`. */
export interface RunProgramResult {
  /** One line: how the program ended and what was found. */
  readonly summary: string;
  /**
   * What is to be read below the program's output, a line each; what the compiler said of one that does not
   * compile.
   */
  readonly report: readonly string[];
  /** It ended with 0, every kernel ran, and nothing was found. */
  readonly passed: boolean;
  /** False for one that does not compile. */
  readonly hasRun: boolean;
  /** Of all kernels. */
  readonly launches: number;
}

export interface RecordResult {
  /** One line: how the program ended and what was recorded. */
  readonly summary: string;
  /** Markdown: what was recorded, what was left out and why, and the end of the program's output. */
  readonly detail: string;
  /** Of all kernels. */
  readonly launches: number;
  readonly specs: readonly RecordedSpec[];
}

/** The spec of a recorded kernel; the client writes it. */
export interface RecordedSpec {
  readonly kernel: string;
  readonly uri: string;
  readonly text: string;
  /** `same`: a file with this text is there; `other`: one with another text. */
  readonly there: "nothing" | "same" | "other";
}

/** One candidate of a session, dropped ones too. */
export interface CandidateName extends SessionParams {
  readonly candidate: string;
}

interface CandidatePerformanceParams extends CandidateName {
  /** A GPU of the catalogue that the same launches are modelled on as well. */
  readonly gpu?: string;
}

export interface CandidateParams extends CandidateName {
  /**
   * What its texts are shown against: the id of a candidate (`baseline` is one), `parent`, or `nothing` for
   * all of its files as they are.
   */
  readonly against: string;
}

interface TimelineParams extends SessionParams {
  /** Steps after this event; 0 for all. */
  readonly after: number;
}

interface StepParams extends SessionParams {
  /** Number of the event. */
  readonly seq: number;
}

/** A label of the user's on an event; empty tag and note take it away. */
interface AnnotateParams extends StepParams {
  readonly tag: string;
  readonly note: string;
}

export interface ReviewChange extends SessionParams {
  /** As in `ProposalView`. */
  readonly asOf: number;
  readonly hunks: readonly ReviewedHunk[];
  readonly review: ReviewStatusView;
}

/** A decision that stands in the editor already: the server only records it. */
export interface DecideParams extends SessionParams {
  readonly hunks: readonly string[];
  readonly decision: "accepted" | "rejected" | "undone";
  /** What was changed for it; empty when the text stood so already. */
  readonly edits: readonly FileEdit[];
}

interface ExportParams extends SessionParams {
  /** Id of a format of the catalogue. */
  readonly format: string;
}

/** The format of the report that the editor shows as a page. */
export const reportFormat = "markdown";
