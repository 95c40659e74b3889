import type { Capture, CaptureLimits } from "../workload/capture/captured";
import type { MissedLaunch, RecordedCall } from "../workload/capture/recorded-call";
import type { KernelProfile } from "../words/profile";

/**
 * Seconds that pass on the wall, or in which processors work for the program: those find the same however
 * busy the machine is.
 */
export interface Patience {
  readonly seconds: number;
  readonly of: "wall" | "work";
}

/** A whole program of the user's, to be run with its kernels on the virtual GPU. */
export interface ProgramRequest {
  /** As the user wrote it; relative to `folder`. */
  readonly file: string;
  /** The program's own arguments. */
  readonly arguments: readonly string[];
  /** Where the program runs, and what its names are relative to. */
  readonly folder: string;
  /** Where it runs instead, with its names as they are. */
  readonly startFolder?: string;
  /** The GPU that is modelled: `sm_80`. */
  readonly architecture: string;
  readonly sanitize: boolean;
  readonly profile: boolean;
  /** Warp-level instructions after which a launch counts as endless. */
  readonly launchBudget: number;
  /** Equal launches of a loop that are run; further ones that change memory are skipped, and told. */
  readonly repeatLimit?: number;
  /** Seconds for all reports of Triton benchmarks: longer ones leave out sizes. 0: none does. */
  readonly reportSeconds?: number;
  /** Receives what the user should know while the program runs, a line each. */
  readonly say?: (line: string) => void;
  /** Launches are recorded, up to these limits. */
  readonly record?: CaptureLimits;
  /** Further options, passed to the compiler unchanged. */
  readonly compileOptions: readonly string[];
  /** The program's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Descriptors of this process that become the program's standard input, output and errors. */
  readonly descriptors: readonly [number, number, number];
  /**
   * Time after which the program is ended, and what it did until then counts. Left out: it runs to its end.
   */
  readonly patience?: Patience;
  /** Ends the program and all that it started. */
  readonly signal: AbortSignal;
  /** What it has launched counts when `signal` ends it while it runs: as with `patience`. */
  readonly keepsWhenEnded?: boolean;
}

/** One cause of trouble, with its place as the user would write it. */
export interface ProgramTrouble {
  /** Empty when it is not known; `line` is 0 then. */
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  /** One sentence, with the other party and how often. */
  readonly message: string;
  /** The places that the sentence names besides: the other party, the allocation, the launch. */
  readonly related: readonly RelatedPlace[];
}

/** A place that has part in some trouble; its file is always known. */
export interface RelatedPlace {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** Which part: `launched`. */
  readonly what: string;
}

export type ProgramResult =
  | {
      readonly kind: "ran";
      /** The program's exit code; 128 plus the signal number when a signal ended it, as shells report it. */
      readonly code: number;
      /** The signal that ended it: `SIGSEGV`. */
      readonly signal?: string;
      /** True when it was ended because the request's patience was at an end, or by its signal. */
      readonly isCut: boolean;
      readonly launches: number;
      /** What the sanitizer found. */
      readonly findings: readonly ProgramTrouble[];
      /** Without the sanitizer: the fault that broke the context, and launches that were refused. */
      readonly problems: readonly ProgramTrouble[];
      /** All counted launches by kernel, named as the source has it, with the lines of the user's files. */
      readonly kernels: readonly KernelProfile[];
      /**
       * True when the program used times: they are the virtual GPU's own, or modelled ones while it profiles.
       */
      readonly timed: boolean;
      /** Where launches were to be recorded. */
      readonly capture?: Capture;
      /** The same of a Python program: its calls of host code. */
      readonly calls?: readonly RecordedCall[];
      /** The same: kernels with launches that were not recorded. */
      readonly missed?: readonly MissedLaunch[];
    }
  /** What the compiler or the linker said. */
  | { readonly kind: "did-not-compile"; readonly text: string };

export interface ProgramRunner {
  /**
   * Throws OperationalError for what is not the program's fault: no compiler, cancelled, a crash of the
   * virtual GPU.
   */
  run(request: ProgramRequest): Promise<ProgramResult>;
}
