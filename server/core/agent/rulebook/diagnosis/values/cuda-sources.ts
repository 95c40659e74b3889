import { declaredName } from "../../../../language/cuda/body/threads";
import { collapse, compact, fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { loopTypes } from "../places";
import { type Given, type Sources, turnOf } from "./influences";

/** Where the values of a CUDA kernel come from: threads, blocks, and loops that count or add up. */
export function cudaSources(body: SyntaxNode): Sources {
  const acts = body.descendantsOfType(["init_declarator", "assignment_expression", "update_expression"]);
  return {
    given: [...acts.flatMap((act) => givenBy(act, body)), ...givenByCalls(body)],
    own: (node) => {
      if (node.type !== "field_expression") return undefined;
      const text = compact(node);
      return /^(?:threadIdx|blockIdx)\.[xyz]$/.test(text) ? text : undefined;
    },
  };
}

function givenBy(act: SyntaxNode, body: SyntaxNode): readonly Given[] {
  const target =
    act.childForFieldName("declarator") ?? act.childForFieldName("left") ?? act.childForFieldName("argument");
  const value = act.childForFieldName("value") ?? act.childForFieldName("right");
  const name = target?.descendantsOfType("identifier")[0]?.text;
  if (target === null || name === undefined) return [];
  const steps = act.type !== "init_declarator" && (value === null || changesItself(act, value, name));
  const indices = target.descendantsOfType("subscript_argument_list");
  return [
    {
      name,
      from: [...(value === null ? [] : [value]), ...indices, ...conditionsAround(act, body)],
      also: steps ? loopsBeyond(act, body, name).map(turnOf) : [],
    },
  ];
}

/** Loops around a change of a name that do not begin it anew in each turn. */
function loopsBeyond(act: SyntaxNode, body: SyntaxNode, name: string): readonly SyntaxNode[] {
  const declared = body
    .descendantsOfType("declaration")
    .filter((each) => each.childrenForFieldName("declarator").some((part) => nameIn(part) === name));
  const isOwn = (loop: SyntaxNode): boolean =>
    declared.some((each) => isInside(each, loop.childForFieldName("body") ?? loop));
  return loopsAround(act, body).filter((loop) => !isOwn(loop));
}

/** The name that a declarator declares, behind its value and its stars. */
function nameIn(declarator: SyntaxNode): string | undefined {
  return declarator.descendantsOfType("identifier")[0]?.text;
}

/** `sum += x`, `sum = sum + x`. */
function changesItself(act: SyntaxNode, value: SyntaxNode, name: string): boolean {
  return fieldText(act, "operator") !== "=" || usesOf(value, name).length > 0;
}

/** `sincosf(angle, &s, &c)`: what a function may set by its address comes from all that it is given. */
function givenByCalls(body: SyntaxNode): readonly Given[] {
  return body.descendantsOfType("call_expression").flatMap((call) => {
    const list = call.childForFieldName("arguments");
    const targets = list?.namedChildren.filter((node) => /^&\s*\w+$/.test(collapse(node.text))) ?? [];
    if (list === null || targets.length === 0) return [];
    return targets.map((node) => ({ name: compact(node).slice(1), from: [list], also: [] }));
  });
}

/** Loops around a node, the innermost first; of a counter's own step the loop that it counts. */
export function loopsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const loops: SyntaxNode[] = [];
  for (let at = node.parent; at !== null && isInside(at, body); at = at.parent)
    if (loopTypes.some((type) => type === at?.type)) loops.push(at);
  const [innermost] = loops;
  const update = innermost?.childForFieldName("update");
  return innermost && update && isInside(node, update) ? [innermost] : loops;
}

/** Conditions that decide whether a node is reached, those of loops left out. */
function conditionsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = node.parent; at !== null && isInside(at, body); at = at.parent) {
    const condition = /^(?:if|switch)_statement$/.test(at.type) ? at.childForFieldName("condition") : null;
    if (condition !== null) found.push(condition);
  }
  return found;
}

/** Functions of the file in which a costly one is called, by their names. */
export function costlyFunctions(root: SyntaxNode, costly: RegExp): ReadonlySet<string> {
  const definitions = root
    .descendantsOfType("function_definition")
    .filter((definition) => !/__global__/.test(definition.text.slice(0, 200).split("{")[0] ?? ""));
  const found = new Set<string>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const definition of definitions) {
      const name = declaredName(definition);
      const calls = definition.descendantsOfType("call_expression").map((call) => calleeOf(call));
      if (name !== undefined && calls.some((callee) => costly.test(callee) || found.has(callee)))
        found.add(name);
    }
  }
  return found;
}

/** The last name of what is called: `powf` of `std::powf`. */
export function calleeOf(call: SyntaxNode): string {
  const text = compact(call.childForFieldName("function")).replace(/<.*$/, "");
  return text.split(/::|\.|->/).at(-1) ?? text;
}
