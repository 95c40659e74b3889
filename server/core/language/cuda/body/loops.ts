import { compact, fieldText, partsOf, unwrapped } from "../../query";
import type { SyntaxNode } from "../../tree";

/** `for (int VARIABLE = START; VARIABLE COMPARISON BOUND; VARIABLE STEP)`. */
export interface CountedLoop {
  readonly loop: SyntaxNode;
  readonly body: SyntaxNode;
  readonly variable: string;
  /** The variable's type as written. */
  readonly type: string;
  readonly start: SyntaxNode;
  readonly condition: SyntaxNode;
  readonly comparison: Comparison;
  readonly bound: SyntaxNode;
  readonly update: SyntaxNode;
  readonly step: LoopStep;
}

type Comparison = "<" | "<=" | ">" | ">=" | "!=" | "==";

/** How a loop's variable changes; without an amount by one. */
interface LoopStep {
  readonly operator: string;
  readonly amount: SyntaxNode | undefined;
}

/** Loops whose head counts one variable, in source order, inner ones included. */
export function countedLoops(body: SyntaxNode): readonly CountedLoop[] {
  return body.descendantsOfType("for_statement").flatMap((loop) => countedLoop(loop) ?? []);
}

function countedLoop(loop: SyntaxNode): CountedLoop | undefined {
  const head = declared(loop.childForFieldName("initializer"));
  const condition = loop.childForFieldName("condition");
  const update = loop.childForFieldName("update");
  const body = loop.childForFieldName("body");
  if (head === undefined || condition === null || update === null || body === null) return undefined;
  const compared = comparisonOf(condition, head.variable);
  const step = stepOf(update, head.variable);
  return compared && step && { loop, body, ...head, condition, ...compared, update, step };
}

/** The one variable that a loop declares. */
function declared(
  initializer: SyntaxNode | null,
): Pick<CountedLoop, "variable" | "type" | "start"> | undefined {
  const [declarator, ...others] = initializer?.childrenForFieldName("declarator") ?? [];
  const [name, start] = [declarator?.childForFieldName("declarator"), declarator?.childForFieldName("value")];
  const type = initializer?.childForFieldName("type")?.text;
  return others.length === 0 && name?.type === "identifier" && start && type !== undefined
    ? { variable: name.text, type, start }
    : undefined;
}

const turned: Readonly<Record<string, Comparison>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  "!=": "!=",
  "==": "==",
};

/** `name < bound`, also written `bound > name`; undefined for any other condition. */
export function comparisonOf(
  condition: SyntaxNode,
  name: string,
): { readonly comparison: Comparison; readonly bound: SyntaxNode } | undefined {
  const inner = unwrapped(condition);
  const operator = fieldText(inner, "operator");
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const mirrored = turned[operator];
  if (inner.type !== "binary_expression" || left === null || right === null || mirrored === undefined)
    return undefined;
  if (compact(unwrapped(left)) === name) return { comparison: operator as Comparison, bound: right };
  return compact(unwrapped(right)) === name ? { comparison: mirrored, bound: left } : undefined;
}

/** `++i`, `i += step`, `i = i + step`, `i >>= 1`. */
function stepOf(update: SyntaxNode, name: string): LoopStep | undefined {
  const target = update.childForFieldName("left") ?? update.childForFieldName("argument");
  if (compact(target) !== name) return undefined;
  if (update.type === "update_expression")
    return { operator: update.text.includes("--") ? "-" : "+", amount: undefined };
  const right = update.childForFieldName("right");
  const operator = fieldText(update, "operator");
  if (update.type !== "assignment_expression" || right === null) return undefined;
  return operator === "="
    ? stepIn(unwrapped(right), name)
    : { operator: operator.slice(0, -1), amount: right };
}

/** `name + step` or `step + name`. */
function stepIn(value: SyntaxNode, name: string): LoopStep | undefined {
  const [first, second] = [value.childForFieldName("left"), value.childForFieldName("right")];
  const operator = fieldText(value, "operator");
  if (value.type !== "binary_expression" || first === null || second === null) return undefined;
  if (compact(first) === name) return { operator, amount: second };
  return operator === "+" && compact(second) === name ? { operator, amount: first } : undefined;
}

/** The statements of a body, with or without braces. */
export function statementsOf(body: SyntaxNode | null | undefined): readonly SyntaxNode[] {
  if (!body) return [];
  return body.type === "compound_statement" ? partsOf(body) : [body];
}
