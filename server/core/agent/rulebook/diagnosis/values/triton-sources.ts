import type { TritonModel } from "../../../../language/triton/model";
import { compact, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type Given, type Sources, turnOf } from "./influences";

const pythonLoops = ["for_statement", "while_statement"];

/** Where the values of a Triton kernel come from: programs, the elements of one, and loops. */
export function tritonSources({ names }: TritonModel, body: SyntaxNode): Sources {
  const acts = body.descendantsOfType(["assignment", "augmented_assignment", "for_statement"]);
  return {
    given: acts.flatMap((act) => givenBy(act, body)),
    own: (node) => {
      if (node.type !== "call") return undefined;
      const callee = node.childForFieldName("function");
      if (names.isLanguage(callee, "arange")) return "elements";
      if (!names.isLanguage(callee, "program_id")) return undefined;
      const [axis] = partsOf(node.childForFieldName("arguments"));
      return `program ${axis?.text.replace(/\D/g, "") ?? ""}`;
    },
  };
}

function givenBy(act: SyntaxNode, body: SyntaxNode): readonly Given[] {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (left === null || right === null) return [];
  const names = left.descendantsOfType("identifier").map(({ text }) => text);
  const from = [right, ...conditionsAround(act, body)];
  if (act.type === "for_statement") return names.map((name) => ({ name, from, also: [turnOf(act)] }));
  return names.map((name) => {
    const steps = act.type === "augmented_assignment" || usesOf(right, name).length > 0;
    return { name, from, also: steps ? loopsBeyond(act, body, name).map(turnOf) : [] };
  });
}

/** Loops around a change of a name that do not begin it anew in each turn. */
function loopsBeyond(act: SyntaxNode, body: SyntaxNode, name: string): readonly SyntaxNode[] {
  const begins = (other: SyntaxNode): boolean =>
    other.type === "assignment" &&
    other.childForFieldName("left")?.text === name &&
    usesOf(other.childForFieldName("right") ?? other, name).length === 0;
  return pythonLoopsAround(act, body).filter((loop) => !loop.descendantsOfType("assignment").some(begins));
}

/** Loops around a node, the innermost first. */
export function pythonLoopsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const loops: SyntaxNode[] = [];
  for (let at = node.parent; at !== null && isInside(at, body); at = at.parent)
    if (pythonLoops.includes(at.type)) loops.push(at);
  return loops;
}

function conditionsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = node.parent; at !== null && isInside(at, body); at = at.parent) {
    const condition = /^(?:if_statement|elif_clause)$/.test(at.type)
      ? at.childForFieldName("condition")
      : null;
    if (condition !== null) found.push(condition);
  }
  return found;
}

/** The last name of what is called: `exp` of `tl.math.exp`. */
export function pythonCallee(call: SyntaxNode): string {
  return compact(call.childForFieldName("function")).split(".").at(-1) ?? "";
}
