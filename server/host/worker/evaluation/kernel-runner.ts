import type { Arithmetic } from "../../../core/base/arithmetic";
import type { TorchOperation } from "../../../core/timing/torch-work";
import type { SourceTree } from "../../../core/judge/candidate";
import type { LaunchModel, SimulationExtent } from "../../../core/timing/execution/launch-model";
import type { HostCalls } from "../../../core/timing/host/host-calls";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import type { KernelCounters } from "../../../core/timing/counters";
import type { LookedAt } from "../../../core/proof/report";
import type { CompiledFacts, Diagnostic, Finding } from "../../../core/judge/verdict";
import type { HeapUse, HostTraffic, KeptThings } from "../../../core/ports/entry-programs";
import type { CodeOutcome, CompileOutcome } from "../../../core/ports/evaluator";
import type { LastWriter } from "../gpu/virtual-gpu";
import type { ResolvedShape } from "./case-shapes";

export type { LaunchModel } from "../../../core/timing/execution/launch-model";

/** Outputs are filled before a run, with one pattern or with another that differs from it in every byte. */
export type Fill = "first" | "second";

/**
 * How a tensor lies that is a view: `sliced`, the columns from the middle of a wider one; `turned`, one with
 * its last two axes exchanged; `stepped`, every second element.
 */
export type ViewKind = "sliced" | "turned" | "stepped";

/** One run of a candidate on one case. */
export interface RunRequest {
  readonly shape: ResolvedShape;
  /** In the order of the spec. */
  readonly inputs: readonly Uint8Array[];
  readonly counters: boolean;
  /** With counters: simulate the launches too, or only the beginning of each. */
  readonly model?: SimulationExtent | undefined;
  /** With `model`: of long launches some blocks alone run, and outputs are of no use. */
  readonly sampled?: boolean;
  readonly detectors: boolean;
  /** Tell what holds of the kernels for all sizes, where that is looked at. */
  readonly proof?: boolean;
  /** Triton's launches come with what it made on the way to PTX. */
  readonly ir?: boolean;
  /** Which of its configurations an autotuned kernel takes, from 0; the first when left out. */
  readonly configuration?: number;
  /** An autotuned kernel runs all its configurations before that one, as the first call on a GPU does. */
  readonly tries?: boolean;
  /** What outputs hold before the run; the first pattern when left out. */
  readonly fill?: Fill;
  /** As a GPU computes when left out. */
  readonly arithmetic?: Arithmetic;
  /** The order in which blocks start; ascending when left out. */
  readonly order?: "ascending" | "descending";
  /**
   * Of streams without an order between them the one used last goes first; `others-first`: see `EntryCase`;
   * left out: as they are called.
   */
  readonly streams?: "latest-first" | "others-first";
  /**
   * Inputs of a launch that goes before in the same memory, so that variables of the module hold what it has
   * left there; a runner whose runs share a process has no need of it.
   */
  readonly earlier?: readonly Uint8Array[];
  /**
   * The very tensors of the run before are given again, with these inputs as if a kernel had stored them; a
   * runner whose calls are given addresses has no need of it.
   */
  readonly again?: boolean;
  /** One input is given as a view whose elements do not lie one behind the other. */
  readonly viewed?: { readonly input: string; readonly as: ViewKind };
  /** An element of an output whose last writer is asked for; both are counted from 0. */
  readonly watched?: { readonly output: number; readonly element: number };
  /**
   * What the call leaves changed for its caller is told. A Python entry is called from a stream of its own,
   * and random numbers begin at this seed; the caller of a C++ entry has the second of two devices.
   */
  readonly callerSeed?: number;
  /** With `callerSeed`: inputs require gradients, and which of them results lead back to is told. */
  readonly gradients?: boolean;
  /** No launch is run, and each leaves memory as it was: only what host code hands to them is asked for. */
  readonly withheld?: boolean;
  /** How long the run may take, where that is less than what any may. */
  readonly limitSeconds?: number;
  readonly signal: AbortSignal;
}

export type RunOutcome =
  /**
   * `outputs` in the order of the spec; `findings` are faults of a run that went to its end (a changed input,
   * for instance). `remarks`: what the virtual GPU could not look at, in sentences. `hostWritten`: contents
   * that the host code computed itself and handed to a launch; none of them may be the answer already.
   */
  | {
      readonly kind: "ran";
      readonly outputs: readonly Uint8Array[];
      readonly findings: readonly Finding[];
      readonly remarks: readonly string[];
      readonly counters: KernelCounters | undefined;
      readonly launches: readonly LaunchProfile[];
      /** Of launches that were simulated, where that was asked for. */
      readonly models?: readonly LaunchModel[];
      readonly facts: readonly CompiledFacts[];
      readonly hostWritten: readonly Uint8Array[];
      /** What copies within the device and fills moved, in and out; left out where there are none. */
      readonly movedBytes?: number;
      /** How many copies within the device and fills there were. */
      readonly moves?: number;
      /** What host code asks of the CUDA runtime beside; left out where that is not known. */
      readonly hostCalls?: HostCalls;
      /** The most configurations that an autotuned kernel chose from; left out where none may be. */
      readonly configurations?: number;
      /** Strides of each output in elements; left out where outputs are no tensors that are returned. */
      readonly strides?: readonly (readonly number[] | undefined)[];
      /** The call has changed what one before it returned; left out where that is not known. */
      readonly overwrites?: boolean;
      /** Settings that the call leaves changed, by name; left out where that is not asked for. */
      readonly behind?: Readonly<Record<string, string>>;
      /** What torch computed beside the kernels; left out where there is no torch. */
      readonly torch?: readonly TorchOperation[];
      /** What host code did with device memory; left out where it sees all of its inputs anyway. */
      readonly hostTraffic?: HostTraffic;
      /**
       * Digest of all that host code handed to the launches beside inputs: contents, scalars, grids and code.
       * Left out where it is not known.
       */
      readonly handed?: string;
      /** Left out where nothing is taken in the end. */
      readonly heap?: HeapUse;
      /** Left out where host code does not run as a process of its own. */
      readonly kept?: KeptThings;
      /** Which thread stored last to the watched element; left out where that is not known. */
      readonly writer?: LastWriter | "nobody";
      /** What holds of kernels for all sizes, where it was asked for and looked at. */
      readonly lookedAt?: readonly LookedAt[];
    }
  | { readonly kind: "did-not-compile"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "refused"; readonly reason: string; readonly file?: string; readonly line?: number }
  | {
      readonly kind: "did-not-run";
      readonly reason: string;
      readonly findings: readonly Finding[];
      /** As of a run that came to its end. */
      readonly lookedAt?: readonly LookedAt[];
    }
  | { readonly kind: "timed-out"; readonly stage: string; readonly limitSeconds: number };

/** Compiles and runs candidates of one dialect. */
export interface KernelRunner {
  /** Names of what stands between the last candidate that ran and this machine (words/protections.ts). */
  readonly protections: readonly string[];
  compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome>;
  /** See Evaluation. */
  code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome>;
  /**
   * Begins the runs of one candidate: whatever the candidate keeps between its runs ends with the session.
   */
  start(tree: SourceTree): KernelSession;
  close(): Promise<void>;
}

export interface KernelSession {
  /** Its runs tell who wrote a watched element. */
  readonly tellsWriters?: boolean;
  /** What its runs return is held, and looked at again in the next ones. */
  readonly holdsResults?: boolean;
  /** Its runs take inputs as views. */
  readonly takesViews?: boolean;
  /** Its launches can be withheld. */
  readonly withholds?: boolean;
  /** Its host code launches, on streams whose order can be another one. */
  readonly ordersStreams?: boolean;
  run(request: RunRequest): Promise<RunOutcome>;
  close(): Promise<void>;
}
