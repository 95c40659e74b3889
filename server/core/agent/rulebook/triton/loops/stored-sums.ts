import { collapse, fieldText, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { isCallOf, languageCalls, onlyAssignment, positional, type TritonView } from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { zeroedTensor } from "./zeroed-tensor";

/** The stores of sums behind the loop, as atomic additions to tensors that begin at 0. */
export function storedSums(
  view: TritonView,
  loop: SyntaxNode,
  { sums, short }: { readonly sums: readonly string[]; readonly short: boolean },
): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const before = languageCalls(view, ["store"]).find(({ endIndex }) => endIndex < loop.startIndex);
  if (before !== undefined) return not("dependence", "memory is written in front of the loop", before);
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex > loop.endIndex);
  for (const store of behind.flatMap((statement) => languageCalls(view, ["store"], statement))) {
    const [address, value] = positional(store);
    const grows = value !== undefined && dependsOn(view, value, sums);
    if (address === undefined || value === undefined || !grows) continue;
    if (!isLinear(view, value, sums))
      return not("no-rewrite", `${collapse(value.text)} is no sum of sums`, store);
    const zeroed = zeroedTensor(view, address, short);
    if (isNot(zeroed)) return zeroed;
    const callee = store.childForFieldName("function");
    if (callee) edits.push(replaceNode(callee, `${libraryOf(view)}atomic_add`));
    // Parts are added up in single precision, whatever the result is rounded to.
    const converted = convertedBy(value);
    if (converted) edits.push({ start: converted.endIndex, end: value.endIndex, text: "" });
    edits.push(...zeroed.filter((edit) => !edits.some(({ start }) => start === edit.start)));
  }
  const other = behind.find(
    (statement) =>
      /^(?:if|for|while)_statement$/.test(statement.type) &&
      sums.some((name) => usesOf(statement, name).length > 0),
  );
  return other === undefined ? edits : not("no-rewrite", "a sum decides what is done behind the loop", other);
}

/** True where a sum of the loop decides a value. */
export function dependsOn(view: TritonView, node: SyntaxNode, sums: readonly string[]): boolean {
  const of = dependencesOf(view, (each) =>
    each.type === "identifier" && sums.includes(each.text) ? { programs: true, lanes: false } : undefined,
  );
  return of(node).programs;
}

/** True where the value of the whole is the sum of the values of its parts. */
function isLinear(view: TritonView, node: SyntaxNode, sums: readonly string[], depth = 0): boolean {
  const inner = unwrapped(node);
  if (depth > 12) return false;
  const follow = (part: SyntaxNode): boolean => isLinear(view, part, sums, depth + 1);
  if (inner.type === "binary_operator") return isLinearTerm(view, inner, { sums, follow });
  if (inner.type !== "identifier") {
    const [value] = isCallOf(view, inner, "sum") ? positional(inner) : [convertedBy(inner)];
    return value !== undefined && follow(value);
  }
  const value = onlyAssignment(view.body, inner.text)?.childForFieldName("right");
  return sums.includes(inner.text) || (!!value && follow(value));
}

/** What `.to(…)` converts. */
function convertedBy(call: SyntaxNode): SyntaxNode | undefined {
  const callee = call.type === "call" ? call.childForFieldName("function") : null;
  return fieldText(callee, "attribute") === "to"
    ? (callee?.childForFieldName("object") ?? undefined)
    : undefined;
}

interface Following {
  readonly sums: readonly string[];
  readonly follow: (node: SyntaxNode) => boolean;
}

/** A sum by a number, or two sums added. */
function isLinearTerm(view: TritonView, node: SyntaxNode, { sums, follow }: Following): boolean {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const operator = fieldText(node, "operator");
  if (left === null || right === null) return false;
  const [one, other] = [dependsOn(view, left, sums), dependsOn(view, right, sums)];
  if (/^[+-]$/.test(operator)) return one && other && follow(left) && follow(right);
  if (operator === "*") return one !== other && follow(one ? left : right);
  return operator === "/" && one && !other && follow(left);
}
