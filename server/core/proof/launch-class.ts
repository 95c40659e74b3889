import type { PtxFunction } from "../vgpu/ptx/module";
import { itemBytes } from "../workload/item-bytes";
import { parseSizeExpression } from "../workload/size-expression";
import type { SizeNode } from "../workload/size-syntax";
import type { ArgumentSpec, DataType, KernelSpec, SizeExpression } from "../workload/spec";
import {
  constantForm,
  type Form,
  isConstant,
  minus,
  OutOfReachError,
  plus,
  product,
  scaled,
  shifted,
} from "./decide/form";
import { number, type Region } from "./follow/machine";
import { Prover, type Value } from "./follow/state";
import type { Symbols } from "./decide/symbols";

/** The greatest size, number of elements of a buffer, and so on, that is spoken of. */
const greatestSize = 1_000_000_000;
/** What a GPU takes: threads of a block, and along its last axis; threads of a launch along one axis. */
const mostThreads = 1024;
const mostThreadsAlong = greatestSize;

/** Launches that differ in the sizes of a workload alone. */
export interface LaunchClass {
  readonly spec: Pick<KernelSpec, "kernel" | "inputs" | "outputs" | "shapes" | "run" | "origins">;
  /** Where the workload does not state them: the block of its first shape, and no grid in particular. */
  readonly block: readonly SizeExpression[];
  readonly grid?: readonly SizeExpression[];
  readonly sharedBytes?: SizeExpression;
}

/** What a kernel finds when it starts, in symbols. */
export interface Surroundings {
  readonly regions: ReadonlyMap<string, Region>;
  readonly parameters: ReadonlyMap<number, Value>;
  readonly specials: ReadonlyMap<string, Form>;
  /** The symbol of each size, as a form. */
  readonly sizes: ReadonlyMap<string, Form>;
}

const axes = ["x", "y", "z"] as const;

/** Puts a class of launches into symbols. */
export function surroundings(
  { spec, block, grid, sharedBytes }: LaunchClass,
  entry: PtxFunction,
  symbols: Symbols,
): Surroundings {
  const sizes = new Map<string, Form>();
  for (const name of new Set(spec.shapes.flatMap((shape) => Object.keys(shape.sizes))))
    sizes.set(name, symbols.add({ name, low: 1, high: greatestSize, isUniform: true }));
  const reader = new SizeReader(sizes, symbols);
  const regions = buffersOf(spec, reader);
  const shared = sharedBytes === undefined ? undefined : reader.read(sharedBytes);
  regions.set("dynamic-shared", {
    ...{ name: "dynamic shared memory", space: "shared", alignment: 16 },
    ...(shared && { bytes: shared }),
  });
  const parameters = new Map<number, Value>();
  const given = spec.run.kind === "launch" ? spec.run.launch.arguments : [];
  for (const [index, parameter] of entry.parameters.entries()) {
    const value = argumentOf(given[index], reader);
    if (value) parameters.set(parameter.offset, value);
  }
  return { regions, parameters, specials: threadsOf({ block, grid }, reader, symbols), sizes };
}

function buffersOf({ inputs, outputs }: LaunchClass["spec"], reader: SizeReader): Map<string, Region> {
  const regions = new Map<string, Region>();
  for (const [name, { dtype, shape }] of Object.entries({ ...inputs, ...outputs })) {
    const elements = reader.product(shape);
    if (elements) reader.limit(elements);
    regions.set(name, {
      ...{ name, space: "global", alignment: 256 },
      ...(elements && { bytes: scaled(elements, itemBytes[dtype]) }),
    });
  }
  return regions;
}

const integers: ReadonlySet<DataType> = new Set([
  ...(["int64", "int32"] as const),
  ...(["uint64", "uint32"] as const),
]);

function argumentOf(argument: ArgumentSpec | undefined, reader: SizeReader): Value | undefined {
  if (argument === undefined) return undefined;
  if (typeof argument === "string") return number(constantForm(0), argument);
  if ("buffer" in argument) {
    const offset = reader.read(argument.offset);
    return offset && number(offset, argument.buffer);
  }
  if (!("value" in argument) || !integers.has(argument.dtype)) return undefined;
  const form = reader.read(argument.value);
  return form && number(form);
}

/** Numbers of threads and blocks, and where a thread stands among them. */
function threadsOf(
  { block, grid }: Pick<LaunchClass, "block"> & { readonly grid: LaunchClass["grid"] | undefined },
  reader: SizeReader,
  symbols: Symbols,
): ReadonlyMap<string, Form> {
  const specials = new Map<string, Form>([["WARP_SZ", constantForm(32)]]);
  for (const [axis, letter] of axes.entries()) {
    const threads =
      reader.read(block[axis] ?? 1) ??
      symbols.add({ name: "threads", low: 1, high: mostThreads, isUniform: true });
    if (!isConstant(threads)) reader.between(threads, 1, mostThreads);
    const stated = grid === undefined ? undefined : reader.read(grid[axis] ?? 1);
    const blocks = stated ?? symbols.add({ name: "blocks", low: 1, high: mostThreadsAlong, isUniform: true });
    if (!isConstant(blocks)) reader.between(blocks, 1, mostThreadsAlong);
    if (stated === undefined) symbols.state(shifted(scaled(product(threads, blocks), -1), mostThreadsAlong));
    const thread = symbols.add({ name: `threadIdx.${letter}`, low: 0 });
    symbols.state(shifted(minus(threads, thread), -1));
    const own = symbols.add({ name: `blockIdx.${letter}`, low: 0, isUniform: true });
    symbols.state(shifted(minus(blocks, own), -1));
    specials.set(`%ntid.${letter}`, threads);
    specials.set(`%nctaid.${letter}`, blocks);
    specials.set(`%tid.${letter}`, thread);
    specials.set(`%ctaid.${letter}`, own);
  }
  return specials;
}

/** A form; undefined where it grows too large, as that of a tensor of five dimensions does. */
function withinReach(form: () => Form | undefined): Form | undefined {
  try {
    return form();
  } catch (thrown) {
    if (thrown instanceof OutOfReachError) return undefined;
    throw thrown;
  }
}

/** Reads size expressions as forms over the symbols of the sizes. */
class SizeReader {
  private readonly prover: Prover;

  constructor(
    private readonly sizes: ReadonlyMap<string, Form>,
    private readonly symbols: Symbols,
  ) {
    this.prover = new Prover(symbols, 200);
  }

  /** The value of an expression; undefined for one that is not understood here. */
  read(expression: SizeExpression): Form | undefined {
    if (typeof expression === "number")
      return Number.isSafeInteger(expression) ? constantForm(expression) : undefined;
    const parsed = parseSizeExpression(expression);
    if (!parsed.ok) return undefined;
    return withinReach(() => this.node(parsed.value));
  }

  product(expressions: readonly SizeExpression[]): Form | undefined {
    let result: Form | undefined = constantForm(1);
    for (const expression of expressions) {
      const form = this.read(expression);
      const before: Form | undefined = result;
      result = before && form && withinReach(() => product(before, form));
    }
    return result;
  }

  /** States that a number of elements is none that is not spoken of. */
  limit(elements: Form): void {
    this.between(elements, 0, greatestSize);
  }

  between(form: Form, low: number, high: number): void {
    this.symbols.state(shifted(form, -low));
    this.symbols.state(shifted(scaled(form, -1), high));
  }

  private node(node: SizeNode): Form | undefined {
    switch (node.kind) {
      case "number":
        return node.real || !Number.isSafeInteger(node.value) ? undefined : constantForm(node.value);
      case "variable":
        return this.sizes.get(node.name);
      case "unary": {
        const operand = this.node(node.operand);
        return node.operator === "-" && operand ? scaled(operand, -1) : undefined;
      }
      case "binary":
        return this.binary(node.operator, this.node(node.left), this.node(node.right));
      case "call":
        return this.call(
          node.name,
          node.operands.map((operand) => this.node(operand)),
        );
      case "choice":
        return undefined;
    }
  }

  private binary(operator: string, a: Form | undefined, b: Form | undefined): Form | undefined {
    if (a === undefined || b === undefined) return undefined;
    if (operator === "+") return plus(a, b);
    if (operator === "-") return minus(a, b);
    if (operator === "*") return product(a, b);
    if (operator === "/" || operator === "//") return this.quotient(a, b);
    const quotient = operator === "%" ? this.quotient(a, b) : undefined;
    return quotient && minus(a, product(quotient, b));
  }

  /** The floor of a quotient, where the divisor is at least 1. */
  private quotient(a: Form, b: Form): Form | undefined {
    const nothing = { facts: [], choices: [] };
    if (!this.prover.holds(nothing, shifted(b, -1))) return undefined;
    if (isConstant(a) && isConstant(b)) return constantForm(Math.floor(a.constant / b.constant));
    return this.symbols.quotient(a, b, this.prover.holds(nothing, a) ? 0 : undefined);
  }

  private call(name: string, operands: readonly (Form | undefined)[]): Form | undefined {
    const [a, b] = operands;
    if (name === "@whole" || name === "floor" || name === "ceil") return a;
    if (a === undefined || b === undefined || operands.length !== 2) return undefined;
    if (name === "ceil_div") return this.quotient(shifted(plus(a, b), -1), b);
    if (name !== "min" && name !== "max") return undefined;
    const nothing = { facts: [], choices: [] };
    const [more, less] = name === "max" ? [a, b] : [b, a];
    if (this.prover.holds(nothing, minus(more, less))) return a;
    if (this.prover.holds(nothing, minus(less, more))) return b;
    return undefined;
  }
}
