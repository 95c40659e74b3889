import { collapse, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";

/**
 * Tries the autotuner's other configurations in the place of the first, which is the one that is judged. One
 * that wins leaves the loser out: its verdict was worse over the sizes of the objective.
 */
export const otherConfiguration = defineRule("triton-other-configuration", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  if (!view.tuned) return not("no-pattern", "no autotuner chooses for the kernel", view.line);
  const { configuration: first } = view;
  if (first === undefined)
    return not("launch", "the autotuner's first configuration cannot be read off", view.line);
  const others = othersOf(view, first);
  if (others.length === 0) return not("no-pattern", "the autotuner has no other configuration", first);
  const value = input.counters.totals.instructions;
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: value }, { count: others.length + 1 });
  return others.slice(0, threshold(entry, "most")).map((other) => ({
    kind: "proposal",
    tree: editedTree(input, inPlaceOf(first, other)),
    hypothesis: fillSentence(entry.hypothesis, { other: argumentsOf(other) }),
    evidence,
    gain: gainOn(input, ["latency", "issue"], threshold(entry, "share")),
  }));
});

/** The other configurations that the list writes, each once. */
function othersOf({ list, model }: TritonView, first: SyntaxNode): readonly SyntaxNode[] {
  const written = partsOf(list).filter(
    (node) => node.type === "call" && model.names.is(node.childForFieldName("function"), "Config"),
  );
  const distinct = new Map(written.map((node) => [argumentsOf(node), node]));
  distinct.delete(argumentsOf(first));
  return [...distinct.values()];
}

function argumentsOf(configuration: SyntaxNode): string {
  return collapse(configuration.childForFieldName("arguments")?.text ?? "").replace(/^\( ?|,? ?\)$/g, "");
}

/** The other one first, and nowhere else. */
function inPlaceOf(first: SyntaxNode, other: SyntaxNode): readonly TextEdit[] {
  const before = other.previousNamedSibling ?? first;
  return [replaceNode(first, other.text), { start: before.endIndex, end: other.endIndex, text: "" }];
}
