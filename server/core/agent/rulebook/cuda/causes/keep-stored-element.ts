import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { isAssigned } from "../../../../language/cuda/body/scope";
import { compact, lineOf } from "../../../../language/query";
import { editedTree, insertBefore, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";

/**
 * Promises that pointers do not overlap where straight code stores an element several times: the compiler may
 * then keep it, and what was loaded, in registers.
 */
export const keepStoredElement = defineRule("cuda-keep-stored-element", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const stores = cudaAccesses(view.kernel).accesses.filter(({ stores: does }) => does);
  // A pointer that walks on is another element each time.
  const still = stores.filter(({ base }) => !isAssigned(view.body, base));
  const repeated = still.filter(
    ({ node }) =>
      still.filter((other) => compact(other.node) === compact(node)).length >= threshold(entry, "times"),
  );
  const [first] = repeated;
  if (first === undefined) return not("no-pattern", "no element is stored several times", view.line);
  const pointers = view.kernel.facts.parameters.filter(({ pointer }) => pointer);
  if (pointers.length < 2)
    return not("no-pattern", "no other array might overlap the one that is stored to", first.node);
  const gain = gainOn(input, ["l1", "l2", "issue", "latency"], threshold(entry, "share"));
  const edits = promises(view);
  if (edits.length === 0)
    return { ...not("no-rewrite", "the pointers are marked __restrict__ already", first.node), gain };
  const counter = "globalStoreRequests" as const;
  const facts = { file: input.file, line: lineOf(first.node), counter, value: repeated.length, ideal: 1 };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

/** `__restrict__` for each parameter that is a pointer without it. */
export function promises({ kernel }: KernelView): readonly TextEdit[] {
  const list = kernel.definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  return (list?.namedChildren ?? []).flatMap((parameter) => {
    const declarator = parameter.childForFieldName("declarator");
    const name = declarator?.childForFieldName("declarator");
    const plain = declarator?.type === "pointer_declarator" && name?.type === "identifier";
    return plain && !parameter.text.includes("restrict") ? [insertBefore(name, "__restrict__ ")] : [];
  });
}
