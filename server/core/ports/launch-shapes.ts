import type { Outcome } from "../base/outcome";
import type { ArgumentSpec } from "../workload/spec";

export interface LaunchShapeQuestion {
  readonly path: string;
  /** Source of the candidate: a candidate may change its launch. */
  readonly text: string;
  readonly kernel: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly sizes: Readonly<Record<string, number>>;
}

/** A launch in numbers. */
export interface SourceLaunchShape {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  /** As written at the launch site, for kernels that are templates. */
  readonly templateArguments: readonly string[];
  /** Grid and block as expressions over the sizes, where they are known. */
  readonly formulas?: { readonly grid: readonly string[]; readonly block: readonly string[] };
  /** The arguments of every launch of the kernel in the text, as written, each list once. */
  readonly passed: readonly string[];
}

/** A launch that a function of a text states for its kernel, with the text without that function. */
export interface OwnLaunchShape extends SourceLaunchShape {
  readonly rest: string;
}

/** Reads grid, block and shared bytes from the launch site in a source. The problem is a sentence. */
export interface LaunchShapes {
  read(question: LaunchShapeQuestion): Promise<Outcome<SourceLaunchShape, string>>;
  /**
   * The launch of a kernel whose only launch in the text is that of a function which hands its own parameters
   * on and does nothing else; undefined where there is no such function.
   */
  own(question: LaunchShapeQuestion): Promise<Outcome<OwnLaunchShape, string> | undefined>;
}
