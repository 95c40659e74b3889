import { operands } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonView } from "../kernel";

/** Names that are followed into each other at most. */
const DEPTH = 8;

/**
 * The terms that an address is the sum of, names followed to all that they are given or that is added to
 * them.
 */
export function addressTerms(view: TritonView, address: SyntaxNode, depth = 0): readonly SyntaxNode[] {
  return operands(address, "+").flatMap((term) => {
    if (term.type !== "identifier" || depth >= DEPTH) return [term];
    const given = view.body
      .descendantsOfType(["assignment", "augmented_assignment"])
      .filter((act) => act.childForFieldName("left")?.text === term.text);
    const values = given.flatMap((act) => act.childForFieldName("right") ?? []);
    const followed = values.flatMap((value) => addressTerms(view, value, depth + 1));
    const parameter = view.parameters.some(({ name }) => name === term.text);
    return parameter || values.length === 0 ? [term, ...followed] : followed;
  });
}
