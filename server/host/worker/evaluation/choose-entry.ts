import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import { chooseInstance } from "../../../core/workload/build/instance";
import type { DataType } from "../../../core/workload/spec";
import type { CompiledEntry } from "../compile/compiled-module";

export interface EntryChoice {
  /** With or without namespaces. */
  readonly kernel: string;
  /** Template arguments as the launch or the spec writes them. */
  readonly named: readonly string[];
  /** Types that decide between instances of which none is named. */
  readonly types: ReadonlySet<DataType>;
}

interface ChosenEntry {
  readonly entry: CompiledEntry;
  /** That it was chosen among several, as a sentence; absent where there was no choice. */
  readonly remark?: string;
}

/**
 * The entry of the kernel's name; of a template's instances the one that is named, else the one that fits
 * best. The problem is a sentence.
 */
export function chooseEntry(
  entries: readonly CompiledEntry[],
  { kernel, named, types }: EntryChoice,
): Outcome<ChosenEntry, string> {
  const plain = kernel.split("::").at(-1);
  const matching = entries.filter(({ symbol }) => symbol === kernel || readableName(symbol).name === plain);
  if (matching.length === 0)
    return fail(
      `the compiled file has no kernel ${kernel}; it has ${entries.map(({ facts }) => facts.kernel).join(", ") || "none (a template needs a launch or an explicit instance)"}`,
    );
  const instances = matching.map(({ symbol }) => readableName(symbol).templateArguments);
  const { index, isNamed } = chooseInstance(instances, named, types);
  const entry = at(matching, index);
  if (isNamed) return succeed({ entry });
  const others = matching.filter((each) => each !== entry).map(({ facts }) => facts.kernel);
  const remark = `${entry.facts.kernel} was run; no launch names an instance, and there are also ${others.join("; ")}. "instance" in a kernel spec's launch names another one.`;
  return succeed({ entry, remark });
}
