import type { RuleNode } from "../rule";
import { compact } from "../syntax";
import type { NamedConstant } from "./constants";
import { constantValue } from "./constants";

/** What the parameters of a template stand for where it is launched. */
export interface TemplateArguments {
  readonly constants: ReadonlyMap<string, NamedConstant>;
  /** Type parameter → type without blanks. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * Reads the only launch of a template, or the parameters' defaults. A parameter that launches disagree about
 * is left out.
 */
export function templateArguments(
  root: RuleNode,
  definition: RuleNode,
  name: string,
  known: ReadonlyMap<string, NamedConstant>,
): TemplateArguments {
  const constants = new Map<string, NamedConstant>();
  const types = new Map<string, string>();
  const list =
    definition.parent?.type === "template_declaration"
      ? definition.parent.childForFieldName("parameters")
      : null;
  const launches = root
    .descendantsOfType("template_function")
    .filter(
      (node) =>
        node.childForFieldName("name")?.text === name &&
        node.parent?.children.some((child) => child.type === "kernel_call_syntax"),
    );
  for (const [position, parameter] of (list?.namedChildren ?? []).entries()) {
    const passed = launches.map(
      (launch) =>
        launch.childForFieldName("arguments")?.namedChildren[position] ??
        parameter.childForFieldName("default_value"),
    );
    const [argument] = passed;
    if (!argument || passed.some((each) => compact(each) !== compact(argument))) continue;
    const declared =
      parameter.childForFieldName("declarator")?.text ?? parameter.namedChildren[0]?.text ?? "";
    if (/type_parameter/.test(parameter.type)) {
      types.set(declared, compact(argument));
      continue;
    }
    const value = constantValue(argument, known);
    if (value !== undefined) constants.set(declared, { name: declared, value, valueNode: argument });
  }
  return { constants, types };
}
