import type { TextRange } from "../base/text";
import type { Dialect } from "../workload/spec";

export interface ParameterFacts {
  readonly name: string;
  /** Type as written, blanks collapsed; empty where a Python parameter has no annotation. */
  readonly type: string;
  /** CUDA: a pointer or array parameter. Triton: a parameter that the kernel loads from or stores to. */
  readonly pointer: boolean;
  /** CUDA: the pointed-to data may not be written. Triton: the kernel never stores through it. */
  readonly readOnly: boolean;
  /** Triton only: a `tl.constexpr` parameter. */
  readonly constexpr: boolean;
  readonly defaultValue?: string;
}

export interface LaunchBounds {
  readonly maxThreads: string;
  readonly minBlocks?: string;
}

/** One `triton.Config`: values of constexpr parameters, and num_warps, num_stages and the like. */
export interface AutotuneConfig {
  readonly values: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  readonly range: TextRange;
}

/** What the source says about one kernel. */
export interface KernelFacts {
  readonly name: string;
  /** With namespaces or classes: `nn::scale`. */
  readonly qualifiedName: string;
  readonly dialect: Dialect;
  readonly nameRange: TextRange;
  /** Template head, decorators and body included. */
  readonly range: TextRange;
  /** The body alone, braces included. */
  readonly bodyRange: TextRange;
  readonly parameters: readonly ParameterFacts[];
  readonly templateParameters: readonly {
    readonly name: string;
    readonly kind: "type" | "value";
    readonly text: string;
  }[];
  readonly launchBounds?: LaunchBounds;
  readonly externC: boolean;
  readonly autotune: readonly AutotuneConfig[];
  /** Names that `triton.heuristics` computes, with the expression. */
  readonly heuristics: Readonly<Record<string, string>>;
  /** The kernel's own text does not parse without errors: facts may be incomplete. */
  readonly damaged: boolean;
}

/** A place where a kernel is launched. Expressions are text in the words of the host function. */
export interface LaunchSite {
  /** Name as called, without namespaces and template arguments. */
  readonly kernel: string;
  readonly dialect: Dialect;
  /** One to three expressions, x first; empty when the grid could not be read. */
  readonly grid: readonly string[];
  /** CUDA: one to three expressions, x first. Triton: empty. */
  readonly block: readonly string[];
  /** Dynamic shared memory in bytes. */
  readonly shared?: string;
  /** Positional arguments. */
  readonly arguments: readonly string[];
  /** Triton: keyword arguments, constexpr parameters and options such as num_warps alike. */
  readonly keywords: Readonly<Record<string, string>>;
  readonly templateArguments: readonly string[];
  /** Named constants and single-assignment locals that the expressions need, followed to their ends. */
  readonly constants: Readonly<Record<string, string>>;
  readonly hostFunction?: string;
  readonly hostParameters: readonly string[];
  readonly range: TextRange;
  /** The grid is not the text's own, but what it stands for in sizes that a spec can name. */
  readonly isInSizes?: true;
}

/** A symbol for the outline of a file. */
export interface SourceSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: "kernel" | "function" | "constant" | "type" | "namespace";
  readonly range: TextRange;
  readonly nameRange: TextRange;
}
