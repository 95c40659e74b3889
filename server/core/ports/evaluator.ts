import type { Measurement, ToolRun } from "../hardware/measurement";
import type { LaunchModel } from "../timing/execution/launch-model";
import type { LaunchProfile } from "../timing/launch-profile";
import type { SourceTree } from "../judge/candidate";
import type { KernelProof } from "../judge/proof";
import type { KernelCounters } from "../timing/counters";
import type { BuildSettings } from "../workload/build-settings";
import type { CommandSpec } from "../workload/command/command-spec";
import type { MadeUpCase } from "../workload/cases/made-up-case";
import type { KernelSpec, ShapeCase } from "../workload/spec";
import type { Target } from "../timing/target";
import type {
  CheckedCase,
  CommandScore,
  CompiledFacts,
  Diagnostic,
  Finding,
  InputVariant,
  ModelledBound,
  ShapeBound,
  ShapeCost,
  Tier,
  Verdict,
} from "../judge/verdict";

/** What is judged: fixed for a session. */
export interface EvaluationTask {
  readonly spec: KernelSpec;
  /** Folder of the spec file relative to the workspace folder, POSIX, `` for the top. */
  readonly specFolder: string;
  readonly target: Target;
  /**
   * The baseline's files: the reference when the spec says `baseline`, and the source of files that a
   * candidate leaves out.
   */
  readonly baseline: SourceTree;
  /** What its sources are compiled with. Left out: nothing but themselves. */
  readonly build?: BuildSettings;
}

/** A target with a command: fixed for a session. */
export interface CommandTask {
  readonly name: string;
  readonly command: CommandSpec;
  /** Every file that may change, as it was. */
  readonly baseline: SourceTree;
}

export type CompileOutcome =
  | {
      readonly kind: "compiled";
      readonly facts: readonly CompiledFacts[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "did-not-compile"; readonly diagnostics: readonly Diagnostic[] }
  /**
   * Host code failed before or instead of the kernel: a Python exception, a kernel that is never launched.
   */
  | { readonly kind: "did-not-run"; readonly reason: string; readonly findings: readonly Finding[] }
  | { readonly kind: "timed-out"; readonly limitSeconds: number };

/** The code of one kernel, as the compilers left it. */
export interface KernelCode {
  /** Its mangled name, for Triton the name as it is. */
  readonly symbol: string;
  /** The module that holds it. */
  readonly ptx: string;
  readonly cubin: Uint8Array;
  /** What Triton made on the way to PTX, with locations, where Triton compiled it. */
  readonly stages?: Readonly<Partial<Record<TritonStage, string>>>;
}

/**
 * `ttir` and `ttgir`: Triton's own representation (MLIR), before and after it was given layouts for GPUs;
 * `llir`: LLVM's.
 */
export type TritonStage = "ttir" | "ttgir" | "llir";

export type CodeOutcome =
  | { readonly kind: "compiled"; readonly kernels: readonly KernelCode[] }
  | Exclude<CompileOutcome, { readonly kind: "compiled" }>;

export type CheckOutcome =
  /**
   * All cases ran; some may have failed (`passed: false`). Counters are of the first shape that is not held
   * out, when asked for.
   */
  | {
      readonly kind: "checked";
      readonly cases: readonly CheckedCase[];
      readonly counters: KernelCounters | undefined;
      readonly facts: readonly CompiledFacts[];
      readonly profiledShape: ShapeCase;
      /** From the counters and the launch shapes; there whenever the counters are. */
      readonly bound?: ModelledBound;
      /** Of each shape that was counted, where there are several; held-out ones as well. */
      readonly shapeCosts?: readonly ShapeCost[];
      /** The launches that were counted. */
      readonly launches?: readonly LaunchProfile[];
      /** Of each shape that has its part in the bound, the profiled one first. */
      readonly shapeBounds?: readonly ShapeBound[];
      /** Of launches that were simulated, where that was asked for and can be done. */
      readonly models?: readonly LaunchModel[];
      /** Of the profiled shape, by simulation of the machine code, where it can be done. */
      readonly simulatedNanoseconds?: number;
      /** Times on a GPU, where the target is one. */
      readonly measured?: Measurement;
      /** What NVIDIA's tools said on that GPU, where that was asked for. */
      readonly toolRuns?: readonly ToolRun[];
      /** What holds of the kernels for all sizes, where that was looked at. */
      readonly proofs?: readonly KernelProof[];
      /** Names of what kept the candidate from knowing its inputs and from reaching this machine. */
      readonly protections?: readonly string[];
    }
  /** What the command of a target gave. */
  | { readonly kind: "scored"; readonly score: CommandScore }
  | { readonly kind: "refused"; readonly reason: string; readonly file?: string; readonly line?: number }
  | Extract<Verdict, { readonly kind: "did-not-run" }>
  | { readonly kind: "timed-out"; readonly stage: string; readonly limitSeconds: number };

/** A case of a check that has begun. */
interface BegunCase {
  /** One-based, of `of` planned ones; a winner is asked more afterwards. */
  readonly number: number;
  readonly of: number;
  /** The sizes, as tables of cases name them. */
  readonly shape: ShapeCase;
}

export interface CheckRequest {
  readonly tree: SourceTree;
  readonly tier: Tier;
  readonly counters: boolean;
  /** With counters: simulate the counted launches on the target's GPU. */
  readonly model?: boolean;
  /** On a GPU: run NVIDIA's tools on one call of the profiled shape, too. */
  readonly tools?: boolean;
  /** Where a case ends the check with a fault: look at other shapes for others, too. */
  readonly allFaults?: boolean;
  /** Whether the tree is right is all that is asked: nothing is searched for by further launches. */
  readonly verdictAlone?: boolean;
  /** Is told of each planned case when it begins. */
  readonly onCase?: (begun: BegunCase) => void;
  readonly signal: AbortSignal;
}

/** One case that somebody made up, for a tree that passed the full check. */
export interface ChallengeRequest {
  readonly tree: SourceTree;
  readonly made: MadeUpCase & { readonly variant: InputVariant };
  readonly signal: AbortSignal;
}

export type ChallengeOutcome =
  | { readonly kind: "passed" }
  /** Nobody is to blame: the original does not pass it either, or it says nothing of the candidate. */
  | { readonly kind: "void"; readonly reason: string }
  /** The original passes, the tree does not: the case as it was judged, or why it did not run. */
  | { readonly kind: "failed"; readonly checked: CheckedCase }
  | Extract<Verdict, { readonly kind: "did-not-run" }>;

/**
 * A place where candidates of one task are compiled, checked and counted. Each call is one candidate; calls
 * may overlap.
 */
export interface Evaluation {
  compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome>;
  /** The code of every kernel that compiling a tree makes; for a Python entry of those that it launches. */
  code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome>;
  /** Compiles when the tree is new, then runs against the oracle with fresh secret seeds. */
  check(request: CheckRequest): Promise<CheckOutcome>;
  /**
   * Runs a case on the original and then, on the same inputs, on a tree. Left out by targets that have no
   * cases.
   */
  challenge?(request: ChallengeRequest): Promise<ChallengeOutcome>;
  /** For how long it held a real GPU until now. Left out by targets that have none. */
  gpuMicroseconds?(): number;
  /** Ends processes and removes scratch folders. */
  close(): Promise<void>;
}

/** What was counted and simulated of a tree that nobody judged. */
export interface Simulated {
  readonly models: readonly LaunchModel[];
  readonly launches: readonly LaunchProfile[];
  readonly counters: KernelCounters;
  readonly facts: readonly CompiledFacts[];
  readonly shape: ShapeCase;
}

/**
 * Runs the baseline of a task once on its first visible shape and simulates its launches, of long ones from
 * some blocks. Nothing is judged. Undefined where all blocks of all launches run, where it does not run to
 * its end, and where a launch cannot be simulated.
 */
export type SimulateLong = (task: EvaluationTask, signal: AbortSignal) => Promise<Simulated | undefined>;

/**
 * The port to everything that compiles and runs. Opening refuses, with OperationalError `spec-invalid`, a
 * task that a constant, zero, pass-through or permuted-input output would pass.
 */
export interface Evaluator {
  open(task: EvaluationTask, signal: AbortSignal): Promise<Evaluation>;
  /**
   * A target with the architecture of the GPU that it names; others as they are. Throws `tool-missing` where
   * there is no such GPU.
   */
  resolve(target: Target, signal: AbortSignal): Promise<Target>;
}
