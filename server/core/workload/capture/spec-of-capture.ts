import { at, known, mustGet } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type {
  ArgumentSpec,
  DataType,
  Dialect,
  KernelSpec,
  LaunchSpec,
  ProgramSpec,
  ShapeCase,
  SizeExpression,
  TensorSpec,
} from "../spec";
import { itemBytes } from "../item-bytes";
import type { CapturedLaunch } from "./captured";
import { type KernelParameter, type ReadArguments, readArguments } from "./parameters";

/** A kernel of a program and the launches that were recorded of it. */
export interface CapturedKernel {
  /** Relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  readonly parameters: readonly KernelParameter[];
  /** Arguments of its template. */
  readonly instance: readonly string[];
  readonly program: ProgramSpec;
  readonly launches: readonly CapturedLaunch[];
}

export interface CapturedSpec {
  readonly spec: KernelSpec;
  /** Recordings that the spec names. */
  readonly contents: readonly Uint8Array[];
  /** Different launches that the spec does not hold, since their arguments have another form. */
  readonly leftOut: number;
}

/** A launch with its arguments read. */
interface ReadLaunch {
  readonly launch: CapturedLaunch;
  readonly read: ReadArguments;
}

/**
 * The workload that a program has shown: each different launch is a shape, with the contents that it found
 * and those that it left. `hash`: sha256 in hex. The problem is a sentence.
 */
export function specOfCapture(
  captured: CapturedKernel,
  hash: (bytes: Uint8Array) => string,
): Outcome<CapturedSpec, string> {
  const readings = captured.launches.map((launch) => {
    const read = readArguments(launch, captured.parameters);
    return read.ok ? succeed({ launch, read: read.value }) : read;
  });
  const launches = ofOneForm(readings.flatMap((each) => (each.ok ? [each.value] : [])));
  const [first] = launches;
  if (first === undefined) {
    const problem = readings.find((each) => !each.ok);
    return problem ?? fail(`${captured.kernel} was never launched`);
  }
  const linked = first.launch.buffers.findIndex(({ addresses }) => addresses > 0);
  if (linked >= 0)
    return fail(
      `${at(first.read.buffers, linked).name} holds addresses of other memory of the GPU (a table of pointers, or linked structures), so that its launches cannot be replayed alone. Judge the host function that launches it, as the spec's entry`,
    );
  const seen = changedNames(launches);
  // What was right already is written again without a trace.
  const changed = seen.size > 0 ? seen : writableNames(first, captured.parameters);
  if (changed.size === 0) return fail(`${captured.kernel} changed nothing that its arguments reach`);
  const tensors = tensorsOf(launches);
  const shapes = new ShapeNames(launches);
  const contents = new Map<string, Uint8Array>();
  const keep = (bytes: Uint8Array): string => {
    const name = hash(bytes);
    contents.set(name, bytes);
    return name;
  };
  const inputs = tensors.filter(
    (tensor) =>
      !changed.has(tensor.name) || launches.some((each) => matters(contentOf(each, tensor.name), tensor)),
  );
  const spec: KernelSpec = {
    file: captured.file,
    kernel: captured.kernel,
    dialect: captured.dialect,
    run: { kind: "launch", launch: launchOf(first, shapes, captured.instance) },
    inputs: tensorSpecs(inputs, shapes, { distribution: { kind: "recorded" } }),
    outputs: tensorSpecs(
      tensors.filter(({ name }) => changed.has(name)),
      shapes,
      {},
    ),
    shapes: launches.map((each, index) =>
      shapeOf(each, index, { shapes, inputs: inputs.map(({ name }) => name), changed, keep, hash }),
    ),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    program: captured.program,
    origins: { launch: "recorded", inputs: "recorded", outputs: "recorded", shapes: "recorded" },
  };
  return succeed({
    spec,
    contents: [...contents.values()],
    leftOut: captured.launches.length - launches.length,
  });
}

/** The launches whose arguments have the form that most have: the same buffers in the same places. */
function ofOneForm(readings: readonly ReadLaunch[]): readonly ReadLaunch[] {
  const forms = new Map<string, ReadLaunch[]>();
  for (const reading of readings) {
    const { launch, read } = reading;
    const key = JSON.stringify([read.arguments, launch.variables.map(({ name }) => name)]);
    forms.set(key, [...(forms.get(key) ?? []), reading]);
  }
  const [most = []] = [...forms.values()].sort((a, b) => threadsOf(b) - threadsOf(a));
  return [...most].sort((a, b) => threadsOf([b]) - threadsOf([a]));
}

function threadsOf(readings: readonly ReadLaunch[]): number {
  return readings.reduce(
    (sum, { launch }) => sum + launch.count * [...launch.grid, ...launch.block].reduce((a, b) => a * b, 1),
    0,
  );
}

/** A buffer or a variable of a launch, by its name in the spec. */
interface Content {
  readonly name: string;
  readonly dtype: DataType | undefined;
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  readonly untouched: boolean;
}

function contentsOf({ launch, read }: ReadLaunch): readonly Content[] {
  const buffers = launch.buffers.map((buffer, index) => ({ ...buffer, ...at(read.buffers, index) }));
  const variables = launch.variables.map((variable) => ({ ...variable, dtype: undefined, untouched: false }));
  return [...buffers, ...variables];
}

function contentOf(reading: ReadLaunch, name: string): Content {
  return known(
    contentsOf(reading).find((each) => each.name === name),
    "a buffer of every launch",
  );
}

/**
 * Whether the content before a launch may matter: something had been written there, or elements stay that the
 * launch does not write.
 */
function matters({ before, after, untouched }: Content, { dtype }: NamedTensor): boolean {
  if (!untouched || after === undefined) return true;
  const size = itemBytes[dtype];
  for (let element = 0; element + size <= before.byteLength; element += size) {
    const isSame = before.subarray(element, element + size).every((byte, at) => byte === after[element + at]);
    if (isSame) return true;
  }
  return false;
}

function changedNames(launches: readonly ReadLaunch[]): ReadonlySet<string> {
  return new Set(
    launches.flatMap((each) =>
      contentsOf(each)
        .filter(({ after }) => after !== undefined)
        .map(({ name }) => name),
    ),
  );
}

function writableNames({ read }: ReadLaunch, parameters: readonly KernelParameter[]): ReadonlySet<string> {
  const writable = parameters.filter(({ pointer, readOnly }) => pointer && !readOnly).map(({ name }) => name);
  return new Set(read.buffers.map(({ name }) => name).filter((name) => writable.includes(name)));
}

interface NamedTensor {
  readonly name: string;
  readonly dtype: DataType;
}

/** A buffer whose bytes are no whole number of elements is one of bytes. */
function tensorsOf(launches: readonly ReadLaunch[]): readonly NamedTensor[] {
  return contentsOf(at(launches, 0)).map(({ name, dtype }) => {
    const fits = launches.every(
      (each) => contentOf(each, name).before.byteLength % itemBytes[dtype ?? "uint8"] === 0,
    );
    return { name, dtype: dtype !== undefined && fits ? dtype : "uint8" };
  });
}

function tensorSpecs(
  tensors: readonly NamedTensor[],
  shapes: ShapeNames,
  more: Pick<TensorSpec, "distribution">,
): Readonly<Record<string, TensorSpec>> {
  return Object.fromEntries(
    tensors.map(({ name, dtype }) => [name, { dtype, shape: [shapes.length(name, dtype)], ...more }]),
  );
}

function launchOf({ launch, read }: ReadLaunch, shapes: ShapeNames, instance: readonly string[]): LaunchSpec {
  const symbols = launch.variables.map(({ name }) => name);
  return {
    grid: axes.map((axis) => shapes.dimension("grid", axis)),
    block: axes.map((axis) => shapes.dimension("block", axis)),
    sharedBytes: shapes.sharedBytes(),
    arguments: read.arguments.map((argument) => shapes.argument(argument)),
    ...(symbols.length > 0 ? { symbols } : {}),
    ...(instance.length > 0 ? { instance } : {}),
  };
}

const axes = [0, 1, 2] as const;
type Axis = (typeof axes)[number];
const axisNames = ["x", "y", "z"] as const;

/**
 * What differs from launch to launch, as sizes with names: scalars have their parameter's name, the rest
 * names such as `grid_x` and `x_length`. What is equal in all launches stands in the spec as a number.
 */
class ShapeNames {
  /** Values of each size, launch by launch. */
  private readonly sizes = new Map<string, readonly number[]>();
  private readonly values = new Map<string, readonly number[]>();

  constructor(private readonly launches: readonly ReadLaunch[]) {
    for (const [index, { name, dtype }] of at(launches, 0).read.scalars.entries()) {
      const each = launches.map(({ read }) => at(read.scalars, index).value);
      const isSize = /^u?int/.test(dtype) && each.every((value) => value >= 0);
      (isSize ? this.sizes : this.values).set(this.free(name), each);
    }
  }

  dimension(what: "grid" | "block", axis: Axis): SizeExpression {
    return this.sized(
      `${what}_${axisNames[axis]}`,
      this.launches.map(({ launch }) => launch[what][axis]),
    );
  }

  sharedBytes(): SizeExpression {
    return this.sized(
      "shared_bytes",
      this.launches.map(({ launch }) => launch.dynamicSharedBytes),
    );
  }

  length(name: string, dtype: DataType): SizeExpression {
    const lengths = this.launches.map((each) => contentOf(each, name).before.byteLength / itemBytes[dtype]);
    return this.expression(lengths) ?? this.sized(`${name}_length`, lengths);
  }

  /** A scalar by the name that its values have here. */
  argument(argument: ArgumentSpec): ArgumentSpec {
    if (typeof argument === "string" || !("value" in argument) || typeof argument.value === "number")
      return argument;
    return { ...argument, value: this.nameOf(argument.value) };
  }

  shape(index: number): Pick<ShapeCase, "sizes" | "values"> {
    const pick = (all: ReadonlyMap<string, readonly number[]>): Readonly<Record<string, number>> =>
      Object.fromEntries([...all].map(([name, each]) => [name, at(each, index)]));
    return { sizes: pick(this.sizes), ...(this.values.size > 0 ? { values: pick(this.values) } : {}) };
  }

  /** Names of tensors are taken. */
  private free(name: string): string {
    return contentsOf(at(this.launches, 0)).some((each) => each.name === name) ? `${name}_value` : name;
  }

  private nameOf(scalar: string): string {
    const name = this.free(scalar);
    return this.sizes.has(name) || this.values.has(name) ? name : scalar;
  }

  private sized(name: string, each: readonly number[]): SizeExpression {
    if (each.every((value) => value === each[0])) return at(each, 0);
    this.sizes.set(name, each);
    return name;
  }

  /** A product of up to three scalars that has these values in every launch. */
  private expression(each: readonly number[]): SizeExpression | undefined {
    const names = at(this.launches, 0)
      .read.scalars.map(({ name }) => this.nameOf(name))
      .filter((name) => this.sizes.has(name));
    const products = names.flatMap((a, index) => [
      [a],
      ...names
        .slice(index)
        .flatMap((b, further) => [[a, b], ...names.slice(index + further).map((c) => [a, b, c])]),
    ]);
    const found = products
      .sort((a, b) => a.length - b.length)
      .find((factors) =>
        each.every(
          (value, launch) =>
            value > 1 &&
            value === factors.reduce((product, name) => product * at(mustGet(this.sizes, name), launch), 1),
        ),
      );
    return found?.join(" * ");
  }
}

interface ShapeParts {
  readonly shapes: ShapeNames;
  readonly inputs: readonly string[];
  readonly changed: ReadonlySet<string>;
  readonly keep: (bytes: Uint8Array) => string;
  readonly hash: (bytes: Uint8Array) => string;
}

function shapeOf(
  reading: ReadLaunch,
  index: number,
  { shapes, inputs, changed, keep, hash }: ShapeParts,
): ShapeCase {
  const { count } = reading.launch;
  return {
    ...shapes.shape(index),
    recorded: Object.fromEntries(inputs.map((name) => [name, keep(contentOf(reading, name).before)])),
    results: Object.fromEntries(
      [...changed].map((name) => {
        const { before, after } = contentOf(reading, name);
        return [name, hash(after ?? before)];
      }),
    ),
    ...(count > 1 ? { weight: count } : {}),
  };
}
