import { at } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { Dialect, KernelSpec, LaunchSpec, ProgramSpec, ShapeCase, TensorSpec } from "../spec";
import type { CapturedLaunch } from "./captured";
import { type KernelParameter, readArguments } from "./parameters";
import {
  changedNames,
  contentOf,
  matters,
  type NamedTensor,
  ofOneForm,
  type ReadLaunch,
  storedNames,
  tensorsOf,
  writableNames,
} from "./read-launch";
import { axes, ShapeNames } from "./shape-names";

/** A kernel of a program and the launches that were recorded of it. */
interface CapturedKernel {
  /** Relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  readonly parameters: readonly KernelParameter[];
  /** Arguments of its template. */
  readonly instance: readonly string[];
  /** What the kernel is compiled as a part of; undefined for one that a Python program loads. */
  readonly program: ProgramSpec | undefined;
  readonly launches: readonly CapturedLaunch[];
}

export interface CapturedSpec {
  readonly spec: KernelSpec;
  /** Recordings that the spec names. */
  readonly contents: readonly Uint8Array[];
  /** Different launches that the spec does not hold, since their arguments have another form. */
  readonly leftOut: number;
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
  const changed = outputNames(captured, launches, first);
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
    ...(captured.program === undefined ? {} : { program: captured.program }),
    origins: { launch: "recorded", inputs: "recorded", outputs: "recorded", shapes: "recorded" },
  };
  return succeed({
    spec,
    contents: [...contents.values()],
    leftOut: captured.launches.length - launches.length,
  });
}

/** What launches changed, or may have: what was right already is written again without a trace. */
function outputNames(
  { parameters }: CapturedKernel,
  launches: readonly ReadLaunch[],
  first: ReadLaunch,
): ReadonlySet<string> {
  const seen = changedNames(launches);
  const writable = writableNames(first, parameters);
  if (seen.size === 0) return writable;
  // Memory that nobody had written before is no input; zeros may have been stored there.
  const fresh = [...writable].filter((name) => launches.every((each) => contentOf(each, name).untouched));
  const { launch } = first;
  const variables = new Set(launch.variables.map(({ name }) => name));
  const stored = [...storedNames(launches)].filter((name) => writable.has(name) || variables.has(name));
  // A flag that is set for some values only is not set by these.
  const mayBe = parameters.filter(({ name, stores }) => stores && writable.has(name)).map(({ name }) => name);
  return new Set([...seen, ...fresh, ...stored, ...mayBe]);
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
