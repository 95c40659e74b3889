import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { lineOf } from "../../../../language/query";
import { editedTree, type TextEdit } from "../../edits";
import { type BoundTerm, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";

/** What a rule makes of the arrays that each thread has for itself. */
interface Moved {
  /** Terms of the bound that it lowers. */
  readonly terms: readonly BoundTerm[];
  readonly edits: (view: KernelView, arrays: readonly KernelArray[]) => readonly TextEdit[] | RuleHold;
}

/** A rule's answer for arrays of each thread that lie in local memory, and lie elsewhere in the proposal. */
export function localArraysMoved(
  input: RuleInput,
  entry: RuleEntry,
  { terms, edits: editsOf }: Moved,
): RuleAnswer {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const arrays = arraysOf(view.body).filter(({ storage }) => storage === "local");
  const [first] = arrays;
  if (first === undefined) return not("no-pattern", "no thread has an array of its own", view.line);
  const value = input.counters.totals.localRequests;
  if (value === 0) return not("no-evidence", "nothing goes to local memory", first.declaration);
  const gain = gainOn(input, terms, threshold(entry, "share"));
  const edits = editsOf(view, arrays);
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(first.declaration), counter: "localRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { arrays: arrays.map(({ name }) => name).join(" and ") }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 0 }),
    gain,
  };
}
