/**
 * How to run and judge a kernel: the contents of a NAME.kernel.json file after validation. The JSON Schema
 * that the editor uses is server/protocol/kernel-spec.schema.json; both say the same and a test compares
 * them.
 */

export type Dialect = "cuda" | "triton";

export type DataType =
  | "float64"
  | "float32"
  | "float16"
  | "bfloat16"
  | "int64"
  | "int32"
  | "int16"
  | "int8"
  | "uint64"
  | "uint32"
  | "uint16"
  | "uint8"
  | "bool";

/**
 * An integer expression over the shape variables: + - * / // % ( ), ceil_div(a, b), min, max, comparison, a ?
 * b : c. `/` floors.
 */
export type SizeExpression = string | number;

export type Distribution = "normal" | "uniform" | "zero-one" | "integers" | "positive";

export interface TensorSpec {
  readonly dtype: DataType;
  /** Row-major sizes, slowest dimension first. */
  readonly shape: readonly SizeExpression[];
  /** Inputs only; `normal` when left out. */
  readonly distribution?: Distribution;
}

export interface ShapeCase {
  /** Value of each shape variable. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Never shown to the agent and used in the full tier only. */
  readonly heldOut?: boolean;
}

/** A kernel argument: the name of an input or output, or a scalar. */
export type ArgumentSpec = string | { readonly value: SizeExpression | number; readonly dtype: DataType };

/**
 * A direct launch of a `__global__` function. Grid and block left out: they are read from the launch site in
 * the source.
 */
export interface LaunchSpec {
  readonly grid?: readonly SizeExpression[];
  readonly block?: readonly SizeExpression[];
  /** Dynamic shared memory in bytes. */
  readonly sharedBytes?: SizeExpression;
  readonly arguments: readonly ArgumentSpec[];
}

/**
 * A Python callable that launches the kernel: `FILE::FUNCTION`; arguments in order; it returns the outputs or
 * fills them.
 */
export interface EntrySpec {
  readonly call: string;
  readonly arguments: readonly ArgumentSpec[];
}

export type ReferenceSpec =
  /**
   * `FILE::FUNCTION`: called with the inputs and the sizes by keyword as float64 numpy arrays; returns the
   * output or a tuple of them.
   */
  | { readonly kind: "callable"; readonly callable: string }
  /** One numpy expression for each output, over the inputs' and sizes' names. */
  | { readonly kind: "expression"; readonly expressions: Readonly<Record<string, string>> }
  /** The kernel as it was before the session. */
  | { readonly kind: "baseline" };

export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

export interface KernelSpec {
  /** File of the kernel, relative to the folder of the spec file, POSIX. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  readonly run:
    | { readonly kind: "launch"; readonly launch: LaunchSpec }
    | { readonly kind: "entry"; readonly entry: EntrySpec };
  readonly inputs: Readonly<Record<string, TensorSpec>>;
  readonly outputs: Readonly<Record<string, TensorSpec>>;
  readonly shapes: readonly ShapeCase[];
  readonly reference: ReferenceSpec;
  /** Left out: by the dtype of each output (server/core/judge/tolerance.json). */
  readonly tolerance?: Tolerance;
  /** What is made smaller. One choice as long as no target measures time. */
  readonly objective: "modelled-bound";
  /**
   * Other files, relative to the spec's folder, that a candidate may edit as well. The kernel's own file
   * always may be.
   */
  readonly editable?: readonly string[];
}
