import { partsOf } from "../../../../language/query";
import type { ArgumentSpec, EntrySpec } from "../../../../workload/spec";
import type { RuleInput } from "../../rule";
import type { KernelView } from "../kernel";

/** What the kernel spec passes for a parameter of the kernel, by its place; undefined where computed. */
export function passedArgument(
  { spec: { run } }: RuleInput,
  view: KernelView,
  position: number,
): ArgumentSpec | undefined {
  return run.kind === "launch" ? run.launch.arguments[position] : entryArgument(run.entry, view, position);
}

/** What an entry passes on, by way of the host function's parameter of that name. */
function entryArgument(
  entry: EntrySpec,
  { launches }: KernelView,
  position: number,
): ArgumentSpec | undefined {
  const [launch] = launches;
  const passed = partsOf(launch?.call.childForFieldName("arguments"))[position]?.text;
  const list = launch?.host?.descendantsOfType("parameter_list")[0];
  const place = partsOf(list).findIndex(
    (node) => node.descendantsOfType("identifier").at(-1)?.text === passed,
  );
  return passed === undefined || place < 0 ? undefined : entry.arguments[place];
}
