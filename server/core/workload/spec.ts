import { at } from "../base/known";
import type { InstructionFamily } from "../base/instruction-families";

/**
 * How to run and judge a kernel: the contents of a NAME.kernel.json file after validation. The schema of the
 * file is `spec-file/shape.ts`; the JSON Schema that editors use derives from it.
 */

/** The dialects, and the endings of their kernels' files. */
export const dialectEndings = {
  cuda: [".cu", ".cuh", ".cpp"],
  triton: [".py"],
} as const;

export type Dialect = keyof typeof dialectEndings;

export const dialects = Object.keys(dialectEndings) as readonly Dialect[];

/** Endings of files that are not looked through for kernels but may hold them: what sources include. */
const includedEndings: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  cuda: [".h", ".hpp", ".hh", ".inl", ".cc", ".cxx"],
};

/** Endings of the files that a kernel may be named in. */
export const nameableEndings: readonly string[] = [
  ...Object.values(dialectEndings).flat(),
  ...Object.values(includedEndings).flat(),
];

/** The dialect of a file by its ending; undefined when we read no such file. */
export function dialectOf(path: string): Dialect | undefined {
  return dialects.find((dialect) =>
    [...dialectEndings[dialect], ...(includedEndings[dialect] ?? [])].some((ending) => path.endsWith(ending)),
  );
}

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

/**
 * Where a fact of a workload comes from. A spec's facts are the user's own unless its `origins` say
 * otherwise; a failure under a `guessed` fact is the guess's first.
 */
export type Provenance = "user" | "recorded" | "probed" | "inferred" | "guessed";

/**
 * How the values of an input are drawn, by a word. `permutation`: each number from 0 to below the length
 * once.
 */
export type PlainDistribution =
  | "normal"
  | "uniform"
  | "zero-one"
  | "integers"
  | "positive"
  | "sorted"
  | "permutation";

/**
 * How the values of an input are drawn, with figures. Bounds are inclusive and may name sizes. `skewed`:
 * whole numbers of which small ones are frequent (Zipf's law with this exponent). `offsets`: not decreasing,
 * from 0 to `total`, as the row offsets of a sparse matrix. `permutation`: each number from `first` on once.
 * `letters`: any of these, one as often as it stands there. `recorded`: what a program handed to the kernel;
 * other cases hold floats that are, where it says `within`, by no larger share away from the recorded ones.
 */
export type FiguredDistribution =
  | {
      readonly kind: "range";
      readonly low: SizeExpression;
      readonly high: SizeExpression;
      readonly sorted?: boolean;
    }
  | {
      readonly kind: "skewed";
      readonly low: SizeExpression;
      readonly high: SizeExpression;
      readonly exponent: number;
    }
  | { readonly kind: "offsets"; readonly total: SizeExpression }
  | { readonly kind: "permutation"; readonly first: number }
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "letters"; readonly letters: string }
  | { readonly kind: "recorded"; readonly within?: number };

export type Distribution = PlainDistribution | FiguredDistribution;

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
  /** Scalar arguments that are no sizes: any numbers, by name; every shape has the same names. */
  readonly values?: Readonly<Record<string, number>>;
  /** Hash (sha256) of the content of each input whose distribution is `recorded`. */
  readonly recorded?: Readonly<Record<string, string>>;
  /** Hash of the content that each output had after the recorded launch. */
  readonly results?: Readonly<Record<string, string>>;
  /** How often a program ran this case; 1 when left out. */
  readonly weight?: number;
}

/** A scalar argument. */
export interface ScalarArgument {
  readonly value: SizeExpression | number;
  readonly dtype: DataType;
}

/** A place in a structure that holds the address of a buffer; offsets in bytes. */
export interface PointerInBytes {
  readonly at: number;
  readonly buffer: string;
  readonly offset: number;
}

/** An argument by its bytes, as lower-case hex: a structure that is passed by value. */
export interface BytesArgument {
  readonly bytes: string;
  readonly pointers?: readonly PointerInBytes[];
}

/** What stands at a byte of a structure: the address of a buffer, a number, or an element of an input. */
export type StructureField = AddressField | ({ readonly at: number } & ScalarArgument) | ElementField;

/** The address of a buffer; in an array of structures each one's lies so many bytes behind the last. */
export interface AddressField {
  readonly at: number;
  readonly buffer: string;
  readonly stride?: SizeExpression;
}

/** In an array of structures: each one holds the next element of an input of numbers. */
export interface ElementField {
  readonly at: number;
  readonly each: string;
}

/**
 * A structure that is passed by value, by its fields; bytes that no field covers are zero. With a `count` the
 * address of so many of them in the memory of the GPU is passed.
 */
export interface FieldsArgument {
  readonly count?: SizeExpression;
  readonly fields: readonly StructureField[];
  readonly byteLength: number;
}

/** A pointer into an input or output, so many bytes behind its start. */
export interface PointerArgument {
  readonly buffer: string;
  readonly offset: SizeExpression;
}

/** A kernel argument: the name of an input or output, a place in one, a scalar, bytes, or a structure. */
export type ArgumentSpec = string | PointerArgument | ScalarArgument | BytesArgument | FieldsArgument;

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
  /**
   * The source that includes the kernel's file and is compiled for it, relative to the folder of the spec
   * file: of a file that does not compile by itself.
   */
  readonly includedBy?: string;
  /** Inputs and outputs that are no arguments but variables of the module (`__constant__`, `__device__`). */
  readonly symbols?: readonly string[];
  /** Which instance of a template: its arguments as the compiler writes them (`float`, `256`). */
  readonly instance?: readonly string[];
}

/**
 * A host function that launches the kernel: `FILE::FUNCTION`, a Python callable or a C++ function; arguments
 * in order. A Python callable returns the outputs or fills them; a C++ function fills them. For what is no
 * function with plain arguments: `FILE.py::EXPRESSION` without arguments, an expression of Python over the
 * inputs, the outputs that it fills, the sizes and the values (`entry/python-call.ts`).
 */
export interface EntrySpec {
  readonly call: string;
  readonly arguments: readonly ArgumentSpec[];
  /** Structures that a C++ function takes and whose members stand among the arguments. */
  readonly structures?: readonly StructureSpec[];
  /**
   * Sources that define what the entry's file declares and calls, relative to the folder of the spec file.
   * They are compiled with it as one.
   */
  readonly sources?: readonly string[];
  /** Variables of the module that are filled before each call of a C++ function. */
  readonly symbols?: readonly EntrySymbol[];
  /**
   * Buffers that a C++ function is passed for what its kernels hand to each other. They hold nothing before a
   * call, and what they hold behind it is compared with nothing.
   */
  readonly scratch?: Readonly<Record<string, TensorSpec>>;
}

/** What a variable (`__constant__`, `__device__`) holds: an input, a number, bytes or a structure. */
export interface FilledSymbol {
  /** As C++ names it, with its namespaces. */
  readonly symbol: string;
  readonly with: ArgumentSpec;
}

/** A variable that has the name of an input, which it holds; or any other. */
export type EntrySymbol = string | FilledSymbol;

/** The scratch buffers of what is run; a kernel that is launched alone has none. */
export function scratchOf({ run }: Pick<KernelSpec, "run">): Readonly<Record<string, TensorSpec>> {
  return (run.kind === "entry" ? run.entry.scratch : undefined) ?? {};
}

/** Which variable holds what. */
export function filledSymbol(symbol: EntrySymbol): FilledSymbol {
  return typeof symbol === "string" ? { symbol, with: symbol } : symbol;
}

/** So many arguments from `first` on are the members of one structure, in their order. */
export interface StructureSpec {
  /** The type's name. */
  readonly type: string;
  readonly first: number;
  readonly members: number;
}

/**
 * A program of the user's that launches the kernel: what a capture ran, and how the sources are compiled.
 */
export interface ProgramSpec {
  /** Its first source or script, relative to the folder of the spec file. */
  readonly file: string;
  readonly arguments: readonly string[];
  /** Further sources and options for the compiler. */
  readonly compileOptions: readonly string[];
}

export type ReferenceSpec =
  /**
   * `FILE::FUNCTION`: called with the inputs as float64 numpy arrays, the sizes and the values, by keyword;
   * returns the output or a tuple of them.
   */
  | { readonly kind: "callable"; readonly callable: string }
  /** One numpy expression for each output, over the names of inputs, sizes and values. */
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
  /**
   * The sizes at which the work is priced, where those of the shapes are too small to fill a GPU. One case of
   * the full check has them; the others are the shapes'.
   */
  readonly pricedAt?: ShapeCase["sizes"];
  readonly reference: ReferenceSpec;
  /** Left out: by the dtype of each output (server/core/judge/tolerance.json). */
  readonly tolerance?: Tolerance;
  /**
   * Families of instructions that the kernel's machine code has to have (server/core/base/instruction-
   * families.json).
   */
  readonly requires?: readonly InstructionFamily[];
  /** What is made smaller. One choice as long as no target measures time. */
  readonly objective: "modelled-bound";
  /**
   * Other files, relative to the spec's folder, that a candidate may edit as well; at a pattern (`*`, `**`)
   * it may make new ones, too. The kernel's own file always may be edited.
   */
  readonly editable?: readonly string[];
  /** Where the cases were captured. */
  readonly program?: ProgramSpec;
  /**
   * Provenance of facts that are not the user's own, by their path in the file (`launch.grid`,
   * `inputs.x.shape`).
   */
  readonly origins?: Readonly<Record<string, Exclude<Provenance, "user">>>;
}

/**
 * True where the spec states a launch that is not the user's own: it was found out by running the kernel,
 * since no source says how it is launched.
 */
export function isLaunchOfOurs({ run, origins }: KernelSpec): boolean {
  const stated = run.kind === "launch" && run.launch.grid !== undefined && run.launch.block !== undefined;
  return stated && origins?.["launch.grid"] !== undefined && origins["launch.block"] !== undefined;
}

/**
 * The source that is compiled for a kernel, relative to the folder of the spec: its own file, the source that
 * the spec names for it, or the program that draws it in: a header, where templates have their instances, or
 * a source that leans on what stands before it there.
 */
export function compiledFile({ file, program, run }: KernelSpec): string {
  const includer = run.kind === "launch" ? run.launch.includedBy : undefined;
  if (includer !== undefined) return includer;
  if (program === undefined) return file;
  const isHeader = /\.(?:cuh|h|hpp)$/.test(file);
  // Of several sources any may be the one that draws it in.
  const [only, ...others] = programSources(program);
  return isHeader || (others.length === 0 && only !== file) ? program.file : file;
}

/** The program's sources: its first one, and those among the words for the compiler. */
export function programSources({ file, compileOptions }: Omit<ProgramSpec, "arguments">): readonly string[] {
  return [file, ...compileOptions.filter((word) => /^[^-].*\.(?:cu|cpp|cc|cxx|c)$/.test(word))];
}

/** The file of an entry's call or of a reference: `FILE::NAME`, relative to the spec's folder. */
export function fileOfCall(call: string): string {
  return at(call.split("::"), 0);
}
