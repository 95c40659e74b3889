import { collapse, fieldText, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";
import { typeOfArgument } from "./helpers";
import { localTypes, plainType } from "./objects";

interface TemplateCall {
  readonly definition: SyntaxNode;
  readonly callee: SyntaxNode;
  readonly parameters: readonly SyntaxNode[];
  readonly given: readonly SyntaxNode[];
}

/**
 * What a call gives the parameters of a template: as it is written, or told by the types of what is passed.
 * Undefined where one cannot be told.
 */
export function templateGiven(
  view: KernelView,
  { definition, callee, parameters, given }: TemplateCall,
): ReadonlyMap<string, string> | undefined {
  const template = definition.parent?.type === "template_declaration" ? definition.parent : undefined;
  const names = partsOf(template?.childForFieldName("parameters")).map(
    (node) => node.descendantsOfType(["type_identifier", "identifier"]).at(-1)?.text ?? "",
  );
  const [list] = callee.type === "identifier" ? [] : callee.descendantsOfType("template_argument_list");
  const written = partsOf(list).map(({ text }) => collapse(text));
  const found = names.map((name, place) => written[place] ?? toldBy(view, { name, parameters, given }));
  const known = found.flatMap((each, place) =>
    each === undefined ? [] : [[names[place] ?? "", each] as const],
  );
  return known.length < names.length ? undefined : new Map(known);
}

interface Told extends Pick<TemplateCall, "parameters" | "given"> {
  readonly name: string;
}

/** The type of the first argument whose parameter is of the type, or points or refers to it. */
function toldBy(view: KernelView, { name, parameters, given }: Told): string | undefined {
  const place = parameters.findIndex((node) => plainType(fieldText(node, "type")) === name);
  const [parameter, argument] = [parameters[place], given[place]];
  if (parameter === undefined || argument === undefined) return undefined;
  if (/^pointer/.test(parameter.childForFieldName("declarator")?.type ?? ""))
    return pointedType(view, argument.text);
  if (argument.type === "compound_literal_expression") return plainType(fieldText(argument, "type"));
  return localTypes(view).get(argument.text) ?? typeOfArgument(view, argument);
}

function pointedType({ kernel }: KernelView, name: string): string | undefined {
  const found = kernel.facts.parameters.find((each) => each.name === name && each.pointer);
  return found && plainType(found.type.replace(/\b__restrict(?:__)?\b|\*/g, " "));
}
