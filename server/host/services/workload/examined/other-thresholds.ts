import { madeUpFloat } from "../../../../core/workload/probe/range-names";
import type { ArgumentSpec, KernelSpec } from "../../../../core/workload/spec";
import type { FoundWorkload } from "../finders";

/** Less than what usual inputs overlap by, or differ. */
const lesser = 1 / 16;

/** Floating numbers that were made up, smaller: as a threshold nothing may be above the usual one. */
export function withThresholds(found: FoundWorkload): readonly FoundWorkload[] {
  const { run, origins } = found.spec;
  const given = run.kind === "launch" ? run.launch.arguments : run.entry.arguments;
  const paths = given.flatMap((each, index) => (isMadeUp(each) ? `${run.kind}.arguments.${index}` : []));
  if (paths.length === 0) return [];
  const passed = given.map((each) => (isMadeUp(each) ? { ...each, value: lesser } : each));
  const sentence = `${lesser} is a guess, as any other number would be: with ${usual} the check would also pass for a constant.`;
  const guessed = Object.fromEntries(paths.map((path) => [path, "guessed" as const]));
  const spec = { ...found.spec, run: withArguments(run, passed), origins: { ...origins, ...guessed } };
  return [{ ...found, spec, unknowns: [...paths.map((path) => ({ path, sentence })), ...found.unknowns] }];
}

const usual = madeUpFloat("");

function isMadeUp(argument: ArgumentSpec): argument is Extract<ArgumentSpec, { readonly dtype: unknown }> {
  return (
    typeof argument === "object" &&
    "dtype" in argument &&
    argument.dtype.includes("float") &&
    argument.value === usual
  );
}

function withArguments(run: KernelSpec["run"], passed: readonly ArgumentSpec[]): KernelSpec["run"] {
  return run.kind === "launch"
    ? { ...run, launch: { ...run.launch, arguments: passed } }
    : { ...run, entry: { ...run.entry, arguments: passed } };
}
