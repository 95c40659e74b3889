import type { DataType } from "../../../workload/spec";
import { parameterName } from "../../../language/triton/names";
import type { RuleInput } from "../rule";
import { languageCalls, onlyAssignment, positional, type TritonView } from "./kernel";

/**
 * The dtype of what a local name of the kernel was loaded from: kernel parameter → launch argument → wrapper
 * parameter → spec input.
 */
export function loadedType(input: RuleInput, view: TritonView, name: string): DataType | undefined {
  const assignment = onlyAssignment(view.body, name);
  const load = assignment?.childForFieldName("right");
  if (assignment === undefined || !load || languageCalls(view, ["load"], assignment)[0]?.id !== load.id)
    return undefined;
  const pointers = new Set(
    view.parameters.filter((parameter) => !parameter.constexpr).map((parameter) => parameter.name),
  );
  const address = positional(load)[0];
  const bases = [
    ...new Set(
      (address?.descendantsOfType("identifier") ?? [])
        .map((node) => node.text)
        .filter((text) => pointers.has(text)),
    ),
  ];
  const types = bases.flatMap((base) => parameterType(input, view, base) ?? []);
  return types.length === 1 ? types[0] : undefined;
}

function parameterType(input: RuleInput, view: TritonView, parameter: string): DataType | undefined {
  const { run, inputs } = input.spec;
  const argument = view.launch.positional[view.parameters.findIndex((entry) => entry.name === parameter)];
  const { host } = view;
  if (run.kind !== "entry" || argument?.type !== "identifier") return undefined;
  if (host.childForFieldName("name")?.text !== run.entry.call.split("::").at(-1)) return undefined;
  if (
    host
      .descendantsOfType("assignment")
      .some((node) => node.childForFieldName("left")?.text === argument.text)
  )
    return undefined;
  const names = (host.childForFieldName("parameters")?.namedChildren ?? []).map(parameterName);
  const passed = run.entry.arguments[names.indexOf(argument.text)];
  return typeof passed === "string" ? inputs[passed]?.dtype : undefined;
}
