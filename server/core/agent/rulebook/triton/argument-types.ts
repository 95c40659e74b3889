import type { DataType } from "../../../workload/spec";
import type { RuleInput, RuleNode } from "../rule";
import { enclosing } from "../syntax";
import type { TritonKernel } from "./kernel-source";
import { languageCalls, onlyAssignment, positional } from "./kernel-source";

/**
 * The dtype of what a local name of the kernel was loaded from: kernel parameter → launch argument → wrapper
 * parameter → spec input.
 */
export function loadedType(input: RuleInput, kernel: TritonKernel, name: string): DataType | undefined {
  const assignment = onlyAssignment(kernel.body, name);
  const load = assignment?.childForFieldName("right");
  if (assignment === undefined || !load || languageCalls(assignment, ["load"])[0]?.id !== load.id)
    return undefined;
  const pointers = new Set(
    kernel.parameters.filter((parameter) => !parameter.constexpr).map((parameter) => parameter.name),
  );
  const address = positional(load)[0];
  const bases = [
    ...new Set(
      (address?.descendantsOfType("identifier") ?? [])
        .map((node) => node.text)
        .filter((text) => pointers.has(text)),
    ),
  ];
  const types = bases.flatMap((base) => parameterType(input, kernel, base) ?? []);
  return types.length === 1 ? types[0] : undefined;
}

function parameterType(input: RuleInput, kernel: TritonKernel, parameter: string): DataType | undefined {
  const { run, inputs } = input.spec;
  const argument = kernel.launch.positional[kernel.parameters.findIndex((entry) => entry.name === parameter)];
  const host = enclosing(kernel.launch.call, ["function_definition"]);
  if (run.kind !== "entry" || argument?.type !== "identifier" || host === undefined) return undefined;
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

function parameterName(node: RuleNode): string {
  return node.type === "identifier"
    ? node.text
    : ((node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? "");
}
