import type { SyntaxNode } from "../../../../language/tree";
import { fieldText, isInside } from "../../../../language/query";
import { not, type RuleHold } from "../../rule";
import { languageCalls, maskOf, positional, type TritonView } from "../kernel";

/**
 * An access that would reach past the end if the given sides were longer: one without a mask whose place
 * depends on them other than by a remainder, `(rows % m)`, which stays below the size.
 */
export function reachesPast(view: TritonView, sides: ReadonlySet<string>): RuleHold | undefined {
  const open = openNames(view, sides);
  const isSafe = (call: SyntaxNode): boolean => {
    if (maskOf(view, call) !== undefined) return true;
    const [pointer] = positional(call);
    return pointer !== undefined && !isOpen(pointer, open);
  };
  const stores = languageCalls(view, ["store"]).filter((call) => maskOf(view, call) === undefined);
  const bare = [...languageCalls(view, ["load"]).filter((call) => !isSafe(call)), ...stores][0];
  const found = bare ?? languageCalls(view, ["make_block_ptr", "make_tensor_descriptor"])[0];
  return (
    found && not("no-pattern", "an access has no mask, so a longer block would reach past the end", found)
  );
}

/** Names whose value depends on the sides, other than by a remainder. */
function openNames({ body }: TritonView, sides: ReadonlySet<string>): ReadonlySet<string> {
  const open = new Set(sides);
  const assignments = body.descendantsOfType(["assignment", "augmented_assignment"]);
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const node of assignments) {
      const [target, value] = [node.childForFieldName("left"), node.childForFieldName("right")];
      if (target === null || value === null || !isOpen(value, open)) continue;
      for (const { text } of target.descendantsOfType("identifier")) open.add(text);
    }
  }
  return open;
}

function isOpen(value: SyntaxNode, open: ReadonlySet<string>): boolean {
  return value
    .descendantsOfType("identifier")
    .some((name) => open.has(name.text) && !isWrapped(name, value, open));
}

/** True for what stands on the left of a `%` by something that the sides do not change. */
function isWrapped(name: SyntaxNode, value: SyntaxNode, open: ReadonlySet<string>): boolean {
  for (let at = name.parent; at !== null && isInside(at, value); at = at.parent) {
    const [left, right] = [at.childForFieldName("left"), at.childForFieldName("right")];
    const isRest = at.type === "binary_operator" && fieldText(at, "operator") === "%";
    if (isRest && left !== null && right !== null && isInside(name, left))
      return !right.descendantsOfType("identifier").some(({ text }) => open.has(text));
  }
  return false;
}
