import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import { symbolParameters } from "../../../core/base/symbols/symbol-parameters";
import { chooseInstance } from "../../../core/workload/build/instance";
import { overloadsTaking, passedTypes, type PassedType } from "../../../core/workload/build/overload";
import type { SourceLaunchShape } from "../../../core/ports/launch-shapes";
import type { DataType, KernelSpec, LaunchSpec } from "../../../core/workload/spec";
import type { CompiledEntry } from "../compile/compiled-module";

interface EntryChoice {
  /** With or without namespaces. */
  readonly kernel: string;
  /** Template arguments as the launch or the spec writes them. */
  readonly named: readonly string[];
  /** Types that decide between instances of which none is named. */
  readonly types: ReadonlySet<DataType>;
  /** What the launch passes, which decides between overloads; left out where nothing is known of it. */
  readonly passed?: readonly PassedType[];
}

/** The choice of a spec; the launch in the source names an instance where the spec's launch does not. */
export function choiceOf(
  spec: KernelSpec,
  launch: LaunchSpec,
  { templateArguments }: Pick<SourceLaunchShape, "templateArguments">,
): EntryChoice {
  const tensors = [...Object.values(spec.inputs), ...Object.values(spec.outputs)];
  return {
    kernel: spec.kernel,
    named: launch.instance ?? templateArguments,
    types: new Set(tensors.map(({ dtype }) => dtype)),
    passed: passedTypes(spec, launch.arguments),
  };
}

interface ChosenEntry {
  readonly entry: CompiledEntry;
  /** That it was chosen among several, as a sentence; absent where there was no choice. */
  readonly remark?: string;
}

/**
 * The entry of the kernel's name; of overloads one that takes what is passed, of a template's instances the
 * one that is named, else the one that fits best. The problem is a sentence.
 */
export function chooseEntry(
  entries: readonly CompiledEntry[],
  { kernel, named, types, passed }: EntryChoice,
): Outcome<ChosenEntry, string> {
  const plain = kernel.split("::").at(-1);
  const namesakes = entries.filter(({ symbol }) => symbol === kernel || readableName(symbol).name === plain);
  if (namesakes.length === 0)
    return fail(
      `the compiled file has no kernel ${kernel}; it has ${entries.map(({ facts }) => facts.kernel).join(", ") || "none (a template needs a launch or an explicit instance)"}`,
    );
  // What names an instance has the say about its types.
  const told = named.length === 0 ? passed : passed?.map(({ kind }) => ({ kind }));
  const matching = told === undefined ? namesakes : thoseTaking(namesakes, told);
  const instances = matching.map(({ symbol }) => readableName(symbol).templateArguments);
  const { index, isNamed } = chooseInstance(instances, named, types);
  const entry = at(matching, index);
  if (isNamed) return succeed({ entry });
  const others = matching.filter((each) => each !== entry).map(({ facts }) => facts.kernel);
  const remark = `${entry.facts.kernel} was run; no launch names an instance, and there are also ${others.join("; ")}. "instance" in a kernel spec's launch names another one.`;
  return succeed({ entry, remark });
}

function thoseTaking(
  entries: readonly CompiledEntry[],
  passed: readonly PassedType[],
): readonly CompiledEntry[] {
  const parameters = entries.map(({ symbol }) => symbolParameters(symbol));
  return overloadsTaking(parameters, passed).map((index) => at(entries, index));
}
