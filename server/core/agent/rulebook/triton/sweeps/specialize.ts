import { lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";

/** Bytes that one instruction can move for a lane. */
const widest = 16;

/**
 * Takes `do_not_specialize` off a kernel whose accesses are narrow: where the compiler knows that a size is a
 * multiple of 16, rows begin at such addresses and are loaded as wide as an instruction can.
 */
export const specialize = defineRule("triton-specialize", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [first, ...others] = withheld(view);
  if (first === undefined) return not("no-pattern", "every size is specialised", view.line);
  const { globalLoadRequests, globalStoreRequests, globalBytesRequested } = input.counters.totals;
  const value = globalLoadRequests + globalStoreRequests;
  const ideal = Math.ceil(globalBytesRequested / (widest * 32));
  if (value < threshold(entry, "ratio") * ideal)
    return not("no-evidence", "the accesses are as wide as they can be", first);
  const facts = { file: input.file, line: lineOf(first), counter: "globalLoadRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      [first, ...others].map((node) => withComma(view, node)),
    ),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value, ideal }),
    gain: gainOn(
      input,
      ["issue", "latency", "l1"],
      threshold(entry, "share") * shareSaved(value - ideal, value),
    ),
  };
});

/** The arguments of `triton.jit` that keep the compiler from looking at sizes. */
function withheld({ definition }: TritonView): readonly SyntaxNode[] {
  const decorators = definition.parent?.type === "decorated_definition" ? partsOf(definition.parent) : [];
  return decorators
    .filter(({ type }) => type === "decorator")
    .flatMap((node) => node.descendantsOfType("keyword_argument"))
    .filter((node) =>
      /^do_not_specialize(?:_on_alignment)?$/.test(node.childForFieldName("name")?.text ?? ""),
    );
}

/** The argument and the comma behind it, or before it. */
function withComma(
  { source }: TritonView,
  { startIndex, endIndex }: SyntaxNode,
): { readonly start: number; readonly end: number; readonly text: string } {
  const behind = /^\s*,\s*/.exec(source.slice(endIndex))?.[0].length ?? 0;
  const before = behind > 0 ? 0 : (/,\s*$/.exec(source.slice(0, startIndex))?.[0].length ?? 0);
  return { start: startIndex - before, end: endIndex + behind, text: "" };
}
