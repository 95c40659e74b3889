import { enclosing, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, type TritonView } from "../kernel";

/** What a value of a kernel differs along: the programs of a launch, and the elements of one program. */
export interface Dependence {
  readonly programs: boolean;
  readonly lanes: boolean;
}

/** Where the dependences of a kernel come from. */
type Seed = (node: SyntaxNode) => Dependence | undefined;

/** Tells for any expression of a kernel what it differs along. */
export type Dependences = (node: SyntaxNode) => Dependence;

const nothing: Dependence = { programs: false, lanes: false };

/** Members of `triton.language` that make one value of the elements of a program. */
export const reducing = ["sum", "max", "min", "argmax", "argmin"] as const;

/**
 * Follows values through the names of a kernel, whatever the order: a name depends on all that it is ever
 * given.
 */
export function dependencesOf(view: TritonView, seed: Seed): Dependences {
  const names = new Map<string, Dependence>();
  const of = (node: SyntaxNode): Dependence => {
    const seeded = seed(node);
    if (seeded !== undefined) return seeded;
    if (node.type === "identifier") return names.get(node.text) ?? nothing;
    if (node.type === "attribute") return nothing;
    if (node.type !== "call") return united(partsOf(node).map(of));
    const inner = united(operandsOf(node).map(of));
    const reduces = reducing.some((name) => isCallOf(view, node, name));
    return reduces ? { programs: inner.programs, lanes: false } : inner;
  };
  for (let grown = true; grown;) {
    grown = false;
    for (const { name, from } of givenNames(view.body)) {
      const known = names.get(name) ?? nothing;
      const now = united([known, of(from)]);
      if (now.programs === known.programs && now.lanes === known.lanes) continue;
      names.set(name, now);
      grown = true;
    }
  }
  return of;
}

function united(all: readonly Dependence[]): Dependence {
  return {
    programs: all.some(({ programs }) => programs),
    lanes: all.some(({ lanes }) => lanes),
  };
}

/** What a call works on: its arguments, and what its method belongs to. */
function operandsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const callee = call.childForFieldName("function");
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  const given = partsOf(call.childForFieldName("arguments")).map(
    (node) => (node.type === "keyword_argument" && node.childForFieldName("value")) || node,
  );
  return owner === null ? given : [owner, ...given];
}

/** Each name of a kernel with what it is given, loop variables with their ranges. */
function givenNames(body: SyntaxNode): readonly { readonly name: string; readonly from: SyntaxNode }[] {
  const acts = body.descendantsOfType(["assignment", "augmented_assignment", "for_statement"]);
  return acts.flatMap((act) => {
    const [left, from] = [act.childForFieldName("left"), act.childForFieldName("right")];
    if (left === null || from === null) return [];
    const [names, values] = [partsOf(left), partsOf(from)];
    const isPaired = from.type === "expression_list" && left.type === "pattern_list";
    if (isPaired && names.length === values.length && names.every(({ type }) => type === "identifier"))
      return names.map(({ text }, place) => ({ name: text, from: values[place] ?? from }));
    return left.descendantsOfType("identifier").map(({ text }) => ({ name: text, from }));
  });
}

/** Conditions and ranges that decide which statements run. */
export function decisions(body: SyntaxNode): readonly SyntaxNode[] {
  return body
    .descendantsOfType([
      "if_statement",
      "elif_clause",
      "while_statement",
      "for_statement",
      "conditional_expression",
      "assert_statement",
    ])
    .flatMap((node) => {
      if (node.type === "for_statement") return node.childForFieldName("right") ?? [];
      if (node.type === "conditional_expression") return partsOf(node)[1] ?? [];
      return node.childForFieldName("condition") ?? partsOf(node)[0] ?? [];
    });
}

/** True inside of a loop of the kernel. */
export function isInLoop(node: SyntaxNode): boolean {
  return enclosing(node, "for_statement", "while_statement") !== undefined;
}
