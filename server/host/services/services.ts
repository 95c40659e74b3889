import type { CommandName, CommandTargets } from "./running/command-targets";
import type { Target } from "../../core/timing/target";
import type { SeenCall } from "../../core/workload/capture/recorded-call";
import type { CompiledFacts, Diagnostic } from "../../core/judge/verdict";
import type { Patience, ProgramResult, ProgramTrouble } from "../../core/ports/program-runner";
import type { CodeForm } from "../../core/listing/index";
import type { ProposedFile } from "../../core/review/hunk";
import type {
  BudgetLimits,
  EventData,
  SessionEvent,
  SessionOutcome,
  StoredText,
  StoredVerdict,
} from "../../core/trajectory/events";
import type { Annotations, RunStore, SessionShelf } from "../../core/ports/run-store";
import type { Catalogue, ModelFinder } from "./catalogue";
import type { PreviewService } from "./preview";
import type { JudgeService } from "./running/judging";
import type { FileMove } from "./sources/spec-moves";
import type {
  BuildService,
  FoundSpec,
  InferenceOptions,
  KernelName,
  NameSearch,
  SpecService,
} from "./sources/ports";

export type { JudgedBeside, JudgeQuestion, JudgeService } from "./running/judging";
export type { Preview, PreviewService, TouchedBuffer } from "./preview";
export type {
  BuildService,
  FoundSpec,
  InferenceOptions,
  KernelName,
  NameSearch,
  SpecService,
} from "./sources/ports";

/**
 * What the product does, without saying who asks: the language server, the command line and later MCP are
 * thin routers over this. Paths are workspace-relative POSIX; each service belongs to one workspace folder.
 * Operational failures throw OperationalError.
 */
export interface Services {
  readonly workspaceFolder: string;
  readonly catalogue: Catalogue;
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly names: NameSearch;
  readonly compile: CompileService;
  readonly machineCode: MachineCodeService;
  readonly judge: JudgeService;
  readonly previews: PreviewService;
  readonly captures: CaptureService;
  readonly programs: ProgramService;
  readonly optimize: OptimizeService;
  readonly sessions: SessionService;
  readonly review: ReviewService;
  readonly doctor: DoctorService;
  readonly targets: TargetService;
  readonly models: ModelFinder;
  dispose(): Promise<void>;
}

export interface CompileService {
  /**
   * Compiles one file as it is in `text` (unsaved content counts) and gives facts for every kernel in it and
   * mapped diagnostics.
   */
  facts(request: {
    readonly file: string;
    readonly text: string;
    readonly target: Target;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly facts: readonly CompiledFacts[];
    readonly diagnostics: readonly Diagnostic[];
    /** What was found about how to compile it and is not used, one sentence each. */
    readonly notes: readonly string[];
  }>;
}

export interface MachineCodeService {
  /**
   * The code of a kernel as it is on disk, each instance of a template in all of its forms; a Triton kernel's
   * as its spec launches it. Compiles, and for Triton runs host code. Throws `tool-missing`, `tool-failed`
   * for what does not compile and `kernel-not-found` for a kernel of which no code is made.
   */
  forms(name: KernelName, how: InferenceOptions): Promise<readonly KernelForm[]>;
}

/** One form of the code of one instance of a kernel. */
export interface KernelForm extends CodeForm {
  /** With the arguments of its template: `scale<float>`. */
  readonly kernel: string;
}

/** A program of the workspace that is to be run once. */
export interface CaptureRequest {
  /** Workspace-relative. */
  readonly file: string;
  readonly arguments: readonly string[];
  /** Further sources and options for the compiler; paths are relative to the workspace folder. */
  readonly compileOptions: readonly string[];
  readonly target: Target;
  /**
   * Descriptors that become the program's standard input, output and errors. Left out: there is no input, and
   * the end of the output is kept.
   */
  readonly descriptors?: readonly [number, number, number];
  /**
   * Time after which the program is ended; the launches until then count, and of those that show nothing
   * new some are skipped. Left out: it runs as it would by itself.
   */
  readonly patience?: Patience;
  readonly signal: AbortSignal;
  /** What the program has launched counts when `signal` ends it while it runs. */
  readonly keepsWhenEnded?: boolean;
}

/** The workload of one kernel of a program. */
export interface CapturedWorkload {
  readonly found: FoundSpec;
  /** With the arguments of its template: `scale<float>`. */
  readonly kernel: string;
  /** Where it is defined, workspace-relative. */
  readonly file: string;
  /** How often the program launched it in the ways that were kept. */
  readonly launches: number;
  /** Of its longest launch, where that is known. */
  readonly warpInstructions?: number;
  /** Different launches that were not kept. */
  readonly leftOut: number;
  /** Of a function in Python: the call with most contents. */
  readonly call?: SeenCall;
}

export interface CapturedProgram {
  /** The program's exit code. */
  readonly code: number;
  readonly signal: string | undefined;
  /** Why not all of it was run, as a clause; undefined for a program that ran to its end. */
  readonly cut: string | undefined;
  /** Of all kernels. */
  readonly launches: number;
  readonly problems: readonly ProgramTrouble[];
  readonly workloads: readonly CapturedWorkload[];
  /** Why a kernel has no workload, one sentence each. */
  readonly notes: readonly string[];
  /** Kernels whose buffers were too large to be recorded, with the numbers that they were passed. */
  readonly tooLarge?: readonly UnrecordedKernel[];
  /** The end of what the program wrote, where nobody was given it. */
  readonly output: string;
}

/** A kernel of whose launches none was recorded. */
export interface UnrecordedKernel {
  /** Workspace-relative. */
  readonly file: string;
  readonly kernel: string;
  /** By the names of its parameters. */
  readonly passed: Readonly<Record<string, number>>;
}

export interface CaptureService {
  /**
   * Runs a program once on the virtual GPU, as the user would, and makes a workload of each kernel that it
   * launches. Recordings are kept; no file of the workspace is written. Throws `tool-failed` when it does not
   * compile.
   */
  capture(request: CaptureRequest): Promise<CapturedProgram>;
}

/** A program that is run while somebody looks on. */
interface WatchedProgram {
  /** Workspace-relative; of a Python test with its name: `tests/test_scale.py::test_scale`. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly target: Target;
  readonly sanitize: boolean;
  readonly profile: boolean;
  /** See `ProgramRequest`. */
  readonly repeatLimit?: number;
  /** Receives what the program writes, and what the user should know while it runs. */
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface ProgramService {
  /**
   * Runs a program once on the virtual GPU, without input. Paths of the result are relative to the workspace
   * folder or absolute. Throws `file-not-found` for a program that is not there.
   */
  run(program: WatchedProgram): Promise<ProgramResult>;
}

/** A candidate by its session; the best one of it when no candidate is named. */
export interface CandidateName {
  readonly sessionId: string;
  readonly candidate?: string;
}

export interface OptimizeRequest extends KernelName {
  readonly target: Target;
  readonly strategy: string;
  readonly budget: BudgetLimits;
  /** Besides the kernel's file, instead of the spec's `editable`; may reject with `file-not-found`. */
  readonly mayTouch?: readonly string[];
  readonly signal: AbortSignal;
  /** Called for each event after it is on disk. */
  readonly onEvent: (event: SessionEvent) => void;
  /** Told the model's words as they come, which no event holds; for display only. */
  readonly onWords?: (delta: string) => void;
  /**
   * What the user says to the model beforehand; nothing when left out. Rejects with `usage` where the
   * strategy asks no model.
   */
  readonly messages?: readonly string[];
  /**
   * The candidate of an earlier session that this one goes on from; the baseline when left out. Rejects with
   * `usage` where its changes do not go into the files as they are now.
   */
  readonly from?: CandidateName;
}

export interface OptimizeResult {
  readonly sessionId: string;
  readonly outcome: SessionOutcome;
  readonly reason: string;
}

/** A running optimization: its id is known as soon as the log exists. */
export interface RunningSession {
  readonly sessionId: string;
  /** What is worth a word before the run, one sentence each. */
  readonly notes: readonly string[];
  /** The file that was made for a kernel which nobody had written. */
  readonly made?: string;
  readonly finished: Promise<OptimizeResult>;
  /**
   * Tells the model something, which it reads before its next turn; resolves when it is in the log. Throws
   * `usage` where the strategy asks no model, for a message that is empty or too long, and after the end.
   */
  readonly say: (text: string) => Promise<void>;
  /** The hand on the run; throws `usage` after its end. */
  readonly control: {
    pause(): Promise<void>;
    proceed(): Promise<void>;
    raise(more: BudgetLimits): Promise<void>;
    /** For a caller that fires the run's signal next: the end is no cancellation then. */
    takeBest(): void;
  };
}

export interface OptimizeService extends CommandTargets {
  start(request: OptimizeRequest): Promise<RunningSession>;
  /** Throws `usage` for a name that kernelwright.json does not have, and without the user's agreement. */
  startCommand(
    request: Omit<OptimizeRequest, "file" | "kernel" | "target" | "from" | "mayTouch"> & CommandName,
  ): Promise<RunningSession>;
  /** Continues a crashed, cancelled or limited session from its newest checkpoint. */
  resume(
    sessionId: string,
    request: {
      readonly signal: AbortSignal;
      readonly onEvent: (event: SessionEvent) => void;
      readonly onWords?: (delta: string) => void;
      /** In all; of what is left out the session's own limits hold. */
      readonly budget?: Partial<BudgetLimits>;
      readonly messages?: readonly string[];
    },
  ): Promise<RunningSession>;
}

export interface SessionService extends Pick<RunStore, "list" | "read" | "summary" | "opening"> {
  /** Names of sessions, and the way to be rid of one. */
  readonly shelf: SessionShelf;
  /** Files and folders have other paths: the sessions on kernels in them go along. Gives how many did. */
  follow(moves: readonly FileMove[]): Promise<number>;
  /** Base and proposed text of each file of the best candidate. */
  proposalTexts(sessionId: string): Promise<readonly ProposedFile[]>;
  /**
   * The files in which a candidate differs from another one (an id, or `parent`), with both texts; all of its
   * files against `nothing`. Throws `session-not-found` for a candidate that the session does not have.
   */
  candidateTexts(sessionId: string, candidate: string, against: string): Promise<readonly ProposedFile[]>;
  /**
   * The whole verdict on a candidate; null as long as it has none. Throws `session-not-found` for a candidate
   * that the session does not have.
   */
  verdict(sessionId: string, candidate: string): Promise<StoredVerdict>;
  /** Who made a candidate, by its origin, in words. */
  makerOf(origin: string): string;
  /** A text of the log, whole. Throws `session-damaged` when its blob is missing or altered. */
  text(stored: StoredText): Promise<string>;
  /** Labels of readers on events. */
  readonly annotations: Annotations;
  /** Records the user's decision in the trajectory (a live or a finished session). */
  decide(sessionId: string, decision: EventData["edit.hunk_decided"]): Promise<void>;
  /** Throws `usage` for a format that the catalogue does not name. */
  export(
    sessionId: string,
    format: string,
  ): Promise<{ readonly text: string; readonly fileName: string; readonly problems: readonly string[] }>;
}

/** Texts that a check is about, by workspace-relative path, and their digest. */
export interface ReviewCheck {
  readonly texts: Readonly<Record<string, string>>;
  readonly digest: string;
  readonly signal: AbortSignal;
}

export interface ReviewService {
  /**
   * Finds out which hunks of a session's proposal need each other, by compiling and checking subsets of them
   * within a budget, and records it. Does nothing where that is known.
   */
  group(sessionId: string, signal: AbortSignal): Promise<void>;
  /** Compiles and checks (quick tier, with counters) the workspace with these texts, and records it. */
  check(sessionId: string, check: ReviewCheck): Promise<void>;
  /** Makes a candidate the proposal, after the full check. Throws `usage` for one that is not correct. */
  adopt(sessionId: string, candidate: string, signal: AbortSignal): Promise<void>;
}

interface TargetService {
  /**
   * How a GPU is and who is on it now, in one line; empty for a target that is modelled. Throws
   * `tool-missing` where there is no such GPU.
   */
  look(target: Target, signal: AbortSignal): Promise<string>;
}

export interface DoctorRow {
  /** `CUDA compiler`, `Triton`, `GPU`, `profiler`, `editor`, `model`, … */
  readonly piece: string;
  readonly state: "found" | "missing" | "unusable";
  readonly detail: string;
  /** What its absence costs; empty when found. */
  readonly cost: string;
  /** One command that gets it; empty when found. */
  readonly remedy: string;
  /** Of the walls around candidates: each of them. */
  readonly protections?: readonly DoctorProtection[];
}

/** One of the walls around a candidate's code. */
interface DoctorProtection {
  readonly title: string;
  /** What it keeps from happening. */
  readonly against: string;
  readonly isActive: boolean;
  /** What brings it about; empty where it is active. */
  readonly mend: string;
}

export interface DoctorService {
  examine(signal: AbortSignal): Promise<readonly DoctorRow[]>;
}
