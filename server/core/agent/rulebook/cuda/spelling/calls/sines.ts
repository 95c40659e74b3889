import { isPure } from "../../../../../language/cuda/body/scope";
import { compact, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode } from "../../../edits";
import { turnValue } from "../../tables/turn-value";
import type { Spelling } from "../spelling";

/** `sincosf` with its sine and its cosine. */
const both: Readonly<Record<string, readonly [string, string]>> = {
  sincosf: ["sinf", "cosf"],
  sincospif: ["sinpif", "cospif"],
};

/** `sincosf(step * k, &s, &c);` of a loop's turn `k` as `s = sinf(step * k); c = cosf(step * k);`. */
export const sinesApart: Spelling = (view) => {
  for (const call of view.body.descendantsOfType("call_expression")) {
    const statement = call.parent;
    const text = partsText(call);
    const [angle] = partsOf(call.childForFieldName("arguments"));
    const whole =
      statement?.type === "expression_statement" && statement.parent?.type === "compound_statement";
    if (text === undefined || angle === undefined || !whole) continue;
    if (turnValue(view, angle) !== undefined) return [replaceNode(statement, text)];
  }
  return undefined;
};

/** The two assignments; undefined where one of them changes the angle. */
function partsText(call: SyntaxNode): string | undefined {
  const names = both[compact(call.childForFieldName("function"))];
  const [angle, ...targets] = partsOf(call.childForFieldName("arguments"));
  const [sine, cosine] = targets.map(targetOf);
  if (names === undefined || angle === undefined || sine === undefined || cosine === undefined)
    return undefined;
  if (!isPure(angle) || [sine, cosine].some((name) => usesOf(angle, name).length > 0)) return undefined;
  const text = `${sine} = ${names[0]}(${angle.text}); ${cosine} = ${names[1]}(${angle.text});`;
  return text.replace(/\s*\n\s*/g, " ");
}

/** `s` of `&s`. */
function targetOf(node: SyntaxNode): string | undefined {
  const target = node.type === "pointer_expression" ? node.childForFieldName("argument") : null;
  return target?.type === "identifier" && node.text.startsWith("&") ? target.text : undefined;
}
