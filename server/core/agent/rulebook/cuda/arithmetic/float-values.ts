import { compact, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** Names of floats, of arrays of floats, and of constants of the file that are floats. */
export function floatsIn({ kernel, model }: KernelView, place: SyntaxNode): ReadonlySet<string> {
  const own = kernel.facts.parameters
    .filter(({ type }) => /^(?:const )?float(?: const)?\s*[*&]?/.test(type) && !/double/.test(type))
    .map(({ name }) => name);
  const declared = place
    .descendantsOfType(["declaration", "parameter_declaration", "optional_parameter_declaration"])
    .filter((node) => fieldText(node, "type") === "float")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) =>
      node.type === "identifier" ? node.text : (node.descendantsOfType("identifier")[0]?.text ?? []),
    );
  const other = new Set(
    place
      .descendantsOfType(["declaration", "parameter_declaration"])
      .filter((node) => fieldText(node, "type") !== "float")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const isKernel = place.id === kernel.body.id;
  const constants = [...model.constants.values()].filter(({ text }) => singleLiteral.test(text));
  const all = [...constants.map(({ name }) => name), ...(isKernel ? own : []), ...declared];
  return new Set(all.filter((name) => !other.has(name)));
}

const single = new RegExp(
  "^(?:(?:exp2?|log|sin|cos|r?sqrt|fabs|f(?:max|min|ma|mod)|floor|rint|trunc|round|pow|tanh|erf|log1p|expm1)f" +
    "|__fdividef|__expf|__u?int2float_r[nzud])$",
);
const singleLiteral = /^(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fF]$/;
const doubleLiteral = /^(?:\d+\.\d*|\.\d+|\d+[eE][+-]?\d+)(?:[eE][+-]?\d+)?$/;

/** True where an expression is a float by one of its operands, and nothing in it may be a double. */
export function isFloat(node: SyntaxNode, floats: ReadonlySet<string>): boolean {
  const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
  const literals = node.descendantsOfType("number_literal");
  if (literals.some(({ text }) => doubleLiteral.test(text)) || /\bdouble\b/.test(node.text)) return false;
  const kinds = sides.map((side) => (side === null ? "other" : kindOf(side, floats)));
  return kinds.includes("float") && !kinds.includes("other");
}

type Kind = "float" | "whole" | "other";

/** What a value is: a float; a whole number, which becomes one beside a float; or something unknown. */
export function kindOf(node: SyntaxNode, floats: ReadonlySet<string>): Kind {
  const inner = unwrapped(node);
  if (inner.type === "number_literal" && /^\d+$/.test(inner.text)) return "whole";
  if (inner.type === "unary_expression") return kindOf(inner.childForFieldName("argument") ?? inner, floats);
  if (inner.type !== "binary_expression") return isFloatByItself(inner, floats) ? "float" : "other";
  const kinds = [inner.childForFieldName("left"), inner.childForFieldName("right")].map((side) =>
    side === null ? "other" : kindOf(side, floats),
  );
  if (!/^[-+*/]$/.test(fieldText(inner, "operator")) || kinds.includes("other")) return "other";
  return kinds.includes("float") ? "float" : "whole";
}

/** True for literals, names, elements, casts and calls that are floats. */
function isFloatByItself(node: SyntaxNode, floats: ReadonlySet<string>): boolean {
  const callee = compact(node.childForFieldName("function"));
  const tests: Readonly<Record<string, () => boolean>> = {
    number_literal: () => singleLiteral.test(node.text),
    identifier: () => floats.has(node.text),
    subscript_expression: () => floats.has(fieldText(node, "argument")),
    cast_expression: () => fieldText(node, "type") === "float",
    call_expression: () => /^(?:static_cast<float>|float)$/.test(callee) || single.test(callee),
  };
  return tests[node.type]?.() === true;
}

/** Value of a float that the source states: a literal with its suffix, or a constant that is one. */
export function floatConstant(view: KernelView, node: SyntaxNode, depth = 0): number | undefined {
  const inner = unwrapped(node);
  if (inner.type === "unary_expression" && inner.text.startsWith("-")) {
    const argument = inner.childForFieldName("argument");
    const value = argument === null ? undefined : floatConstant(view, argument, depth);
    return value === undefined ? undefined : -value;
  }
  const meaning = inner.type === "identifier" ? view.scope.meaning(inner.text) : inner;
  if (meaning === undefined || depth > 8) return undefined;
  if (typeof meaning !== "string" && meaning.id !== inner.id) return floatConstant(view, meaning, depth + 1);
  const text = (typeof meaning === "string" ? meaning : meaning.text).replace(/^\((.*)\)$/, "$1").trim();
  return singleLiteral.test(text) ? Number(text.slice(0, -1)) : undefined;
}
