import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbol-name";
import type { CompiledEntry, CompiledModule } from "../compile/compiled-module";

/** The entry of the kernel's name; of a template's instances the one that the launch site names. */
export function chooseEntry(
  compiled: Extract<CompiledModule, { kind: "compiled" }>,
  kernel: string,
  templateArguments: readonly string[],
): Outcome<CompiledEntry, string> {
  const named = compiled.entries.filter(
    (entry) => entry.symbol === kernel || readableName(entry.symbol).name === kernel.split("::").at(-1),
  );
  const [only] = named;
  if (only === undefined)
    return fail(
      `the compiled file has no kernel ${kernel}; it has ${compiled.entries.map((entry) => entry.facts.kernel).join(", ") || "none (a template needs a launch or an explicit instance)"}`,
    );
  if (named.length === 1) return succeed(only);
  const wanted = templateArguments.map((text) => text.replace(/\s+/g, " ")).join(", ");
  const exact = named.find((entry) => readableName(entry.symbol).templateArguments.join(", ") === wanted);
  return exact === undefined
    ? fail(
        `${kernel} has the instances ${named.map((entry) => entry.facts.kernel).join("; ")}: the launch site must name one of them by plain types and numbers`,
      )
    : succeed(exact);
}
