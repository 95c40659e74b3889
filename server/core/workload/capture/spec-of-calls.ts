import { at, entry } from "../../base/known";
import { fail, type Outcome, succeed } from "../../base/outcome";
import type { KernelSpec, ProgramSpec, ShapeCase, SizeExpression, TensorSpec } from "../spec";
import type { RecordedCall, RecordedTensor } from "./recorded-call";
import type { CapturedSpec } from "./spec-of-capture";

/** A Triton kernel and the calls of a program that launched it. */
interface CalledKernel {
  /** Both relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly program: ProgramSpec;
  /** How a real path stands in the spec. */
  readonly pathOf: (file: string) => string;
  readonly calls: readonly RecordedCall[];
}

/** A workload of calls; `largest`: the one with most contents. */
interface CalledSpec extends CapturedSpec {
  readonly largest: RecordedCall;
}

/**
 * The workload that the calls of a Python program have shown: those of one form, each different one a shape
 * with the contents that it was handed. Of several forms a function's is taken before a launch, the one that
 * launches fewest kernels, then the one with most cases. `hash`: sha256 in hex. The problem is a sentence.
 */
export function specOfCalls(
  { file, kernel, program, pathOf, calls }: CalledKernel,
  hash: (bytes: Uint8Array) => string,
): Outcome<CalledSpec, string> {
  const chosen = chooseForm(calls);
  const [first] = chosen;
  if (first === undefined) return fail(`no call of ${kernel} was recorded`);
  const changed = first.changed.map(({ name }) => name);
  const outputs = [...first.returned, ...first.changed];
  if (outputs.length === 0) return fail(`${kernel} changed nothing that its caller can see`);
  const sizes = new CallSizes(chosen);
  const contents = new Map<string, Uint8Array>();
  const keep = (bytes: Uint8Array): string => {
    const name = hash(bytes);
    contents.set(name, bytes);
    return name;
  };
  const spec: KernelSpec = {
    file,
    kernel,
    dialect: "triton",
    run: { kind: "entry", entry: { call: `${pathOf(first.file)}::${first.call}`, arguments: [] } },
    inputs: sizes.tensors(
      ({ inputs }) => inputs,
      () => ({ distribution: { kind: "recorded" } }),
    ),
    outputs: {
      ...sizes.tensors(
        ({ returned }) => returned,
        () => ({}),
      ),
      ...sizes.tensors(
        ({ inputs }) => inputs.filter(({ name }) => changed.includes(name)),
        () => ({}),
      ),
    },
    shapes: chosen.map((call, index): ShapeCase => ({
      sizes: sizes.of(index),
      recorded: Object.fromEntries(call.inputs.map(({ name, content }) => [name, keep(content)])),
      results: Object.fromEntries(
        [...call.returned, ...call.changed].map(({ name, content }) => [name, hash(content)]),
      ),
      ...(call.count > 1 ? { weight: call.count } : {}),
    })),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    program,
    origins: { "entry.call": "recorded", inputs: "recorded", outputs: "recorded", shapes: "recorded" },
  };
  return succeed({
    spec,
    contents: [...contents.values()],
    leftOut: calls.length - chosen.length,
    largest: first,
  });
}

/** The calls of the best form, the largest first. */
function chooseForm(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const forms = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    const key = formOf(call);
    forms.set(key, [...(forms.get(key) ?? []), call]);
  }
  const distance = (form: readonly RecordedCall[]): number =>
    Math.min(...form.map(({ kernels, isLaunch }) => (isLaunch ? Infinity : kernels.length)));
  const all = [...forms.values()];
  const nearest = Math.min(...all.map(distance));
  // Of nested calls the inner one has ended first.
  const [best = []] = all.filter((form) => distance(form) === nearest).sort((a, b) => b.length - a.length);
  return [...best].sort((a, b) => bytesOf([b]) - bytesOf([a]));
}

/** What calls have to share to be cases of one workload. */
function formOf({ file, call, numbers, inputs, returned, changed }: RecordedCall): string {
  const shape = (tensors: readonly RecordedTensor[]): readonly unknown[] =>
    tensors.map(({ name, dtype, shape: { length } }) => [name, dtype, length]);
  const names = changed.map(({ name }) => name);
  return JSON.stringify([file, call, Object.keys(numbers), shape(inputs), shape(returned), names]);
}

function bytesOf(calls: readonly RecordedCall[]): number {
  return calls.reduce(
    (sum, { inputs }) => sum + inputs.reduce((bytes, { content }) => bytes + content.byteLength, 0),
    0,
  );
}

/** Numbers of the calls by name, and sizes of tensors: those that differ from call to call have names. */
class CallSizes {
  private readonly named = new Map<string, readonly number[]>();

  constructor(private readonly calls: readonly RecordedCall[]) {
    for (const name of Object.keys(at(calls, 0).numbers))
      this.named.set(
        name,
        calls.map(({ numbers }) => entry(numbers, name)),
      );
  }

  tensors(
    of: (call: RecordedCall) => readonly RecordedTensor[],
    more: () => Pick<TensorSpec, "distribution">,
  ): Readonly<Record<string, TensorSpec>> {
    return Object.fromEntries(
      of(at(this.calls, 0)).map(({ name, dtype, shape }, position) => [
        name,
        {
          dtype,
          shape: shape.map((_, axis) =>
            this.size(
              `${name}_${axis}`,
              this.calls.map((call) => at(at(of(call), position).shape, axis)),
            ),
          ),
          ...more(),
        },
      ]),
    );
  }

  of(index: number): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.named].map(([name, values]) => [name, at(values, index)]));
  }

  private size(name: string, values: readonly number[]): SizeExpression {
    if (values.every((value) => value === values[0])) return at(values, 0);
    const same = [...this.named].find(([, each]) => each.every((value, index) => value === values[index]));
    if (same !== undefined) return same[0];
    this.named.set(name, values);
    return name;
  }
}
