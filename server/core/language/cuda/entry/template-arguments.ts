import { at } from "../../../base/known";
import type { ParameterFacts } from "../../facts";
import { collapse, partsOf } from "../../query";
import type { SyntaxNode } from "../../tree";
import { usualValue } from "../device/usual-instance";

interface NamedTemplate {
  /** With its namespaces. */
  readonly name: string;
  readonly facts: readonly ParameterFacts[];
  /** Of all sources. */
  readonly text: string;
}

/**
 * An argument for each parameter of a template, in order: those of an explicit instance or call in the
 * sources, with `float` rather than another type, else `float` for each type that the function's parameters
 * tell, and a usual value for each number. Empty for what is no template; undefined when one is not known.
 */
export function templateArguments(
  template: SyntaxNode | undefined,
  { name, facts, text }: NamedTemplate,
): ReadonlyMap<string, string> | undefined {
  const list = partsOf(template?.childForFieldName("parameters"));
  // A parameter without a name is known by its place.
  const names = list.map((each, index) => templateName(each) ?? `#${index}`);
  const plain = name.split("::").at(-1) ?? name;
  const used = [...text.matchAll(new RegExp(`\\b${plain}\\s*<([\\w\\s:,]+)>\\s*\\(`, "g"))]
    .map(([, words = ""]) => words.split(",").map((word) => word.trim()))
    .filter((words) => words.length === list.length && !words.some((word) => names.includes(word)));
  const [told] = [...used.filter((words) => words.includes("float")), ...used];
  if (told !== undefined) return new Map(names.map((each, index) => [each, at(told, index)]));
  const found = new Map<string, string>();
  for (const [index, each] of list.entries()) {
    const parameter = at(names, index);
    // Whatever is passed by value may be a function object.
    const isTold = facts.some(
      ({ type, pointer }) => (pointer || type.includes("<")) && type.split(/[^\w#]+/).includes(parameter),
    );
    // From a default on all have one.
    if (!isTold && each.type.startsWith("optional_")) break;
    const isType = each.type.endsWith("type_parameter_declaration");
    const value = isType ? undefined : usualValue(parameter, collapse(each.text), text);
    if (isType ? !isTold : value === undefined) return undefined;
    found.set(parameter, value ?? "float");
  }
  return found;
}

/** The name of a template's parameter; undefined where it has none: `class = void`. */
function templateName(parameter: SyntaxNode): string | undefined {
  const named = parameter.childForFieldName("name") ?? parameter.childForFieldName("declarator");
  if (named !== null) return named.descendantsOfType(["type_identifier", "identifier"]).at(-1)?.text;
  const plain = parameter.type === "type_parameter_declaration" ? partsOf(parameter)[0] : undefined;
  return plain?.text;
}
