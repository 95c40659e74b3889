import { invariant } from "../../base/assert";
import { staticLayout } from "../layout";
import { type ValueType, type Wasm, get, getGlobal, i32, op } from "../wasm/code";
import { FunctionBuilder, type ModuleBuilder, type Signature } from "../wasm/module";
import { multipliesAndAddsAtOnce } from "../wasm/multiply-add";

/** Indices of the imported globals of every kernel module. */
export const globals = {
  static: 0,
  shared: 1,
  sharedBytes: 2,
  localBytes: 3,
  sites: 4,
  blocks: 5,
  shadow: 6,
  fuel: 7,
  reuse: 8,
} as const;

/** Linear address of the scratch vector: the result of the last address translation. */
export const addressVector: Wasm = op("i32.add", getGlobal(globals.static), i32(staticLayout.addresses));

/** What the builder of a library function may use. */
export interface LibraryContext {
  /** Index of another library function, emitted on first use. */
  require(name: string): number;
  imported(name: string): number;
  /** The engine multiplies and adds with one rounding. */
  readonly fuses: boolean;
  readonly builder: FunctionBuilder;
  readonly parameters: readonly Wasm[];
}

/** Indices of named locals. */
type Locals<Name extends string> = Readonly<Record<Name, number>>;

function localsOf<Name extends string>(
  builder: FunctionBuilder,
  type: ValueType,
  names: readonly Name[],
): Locals<Name> {
  return Object.fromEntries(names.map((name) => [name, builder.local(type)])) as Record<Name, number>;
}

/** One new local of 32 bits for each name, in the order of the names. */
export function wordLocals<Name extends string>(
  builder: FunctionBuilder,
  ...names: readonly Name[]
): Locals<Name> {
  return localsOf(builder, "i32", names);
}

/** One new local of 128 bits for each name, in the order of the names. */
export function vectorLocals<Name extends string>(
  builder: FunctionBuilder,
  ...names: readonly Name[]
): Locals<Name> {
  return localsOf(builder, "v128", names);
}

/** One new local in double precision for each name, in the order of the names. */
export function doubleLocals<Name extends string>(
  builder: FunctionBuilder,
  ...names: readonly Name[]
): Locals<Name> {
  return localsOf(builder, "f64", names);
}

export interface LibraryFunction {
  readonly signature: Signature;
  build(context: LibraryContext): Wasm;
}

export type LibraryTable = Readonly<Record<string, LibraryFunction>>;

/** Emits library functions into a module, each at most once and only when something calls it. */
export class Library {
  /** The engine multiplies and adds with one rounding, and may. */
  readonly fuses: boolean;
  private readonly known = new Map<string, number>();

  constructor(
    private readonly module: ModuleBuilder,
    private readonly table: LibraryTable,
    { fuses = true }: { readonly fuses?: boolean },
  ) {
    this.fuses = fuses && multipliesAndAddsAtOnce();
  }

  require(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const entry = this.table[name];
    invariant(entry, `the library has a function ${name}`);
    const index = this.module.reserve(entry.signature);
    this.known.set(name, index);
    const builder = new FunctionBuilder(entry.signature.parameters.length);
    const context: LibraryContext = {
      require: (other) => this.require(other),
      imported: (other) => this.module.imported(other),
      fuses: this.fuses,
      builder,
      parameters: entry.signature.parameters.map((_, at) => get(at)),
    };
    this.module.define(index, builder.encode(entry.build(context)));
    return index;
  }
}
