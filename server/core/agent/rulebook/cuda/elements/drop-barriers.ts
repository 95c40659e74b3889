import { arraysOf } from "../../../../language/cuda/body/arrays";
import { formText } from "../../../../language/cuda/body/forms";
import { compact, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";

/** Drops the barriers of a kernel whose threads share nothing: each touches its own elements alone. */
export const dropBarriers = defineRule("cuda-drop-barriers", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const value = input.counters.totals.barriers;
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const [first] = shared;
  if (first === undefined || shared.some(({ escape }) => escape !== undefined))
    return not("no-pattern", "no shared array is private to its threads", view.line);
  const own = (node: SyntaxNode): boolean => formText(formIn(view, node)) === "threadIdx.x";
  const other = shared
    .flatMap(({ accesses }) => accesses)
    .find(({ indices }) => indices.length !== 1 || !indices.every(own));
  if (other !== undefined)
    return not("no-pattern", `${compact(other.node)} is another thread's element`, other.node);
  const gain = gainOn(input, ["shared", "issue", "latency"], threshold(entry, "share"));
  const block = rowOfThreads(input, view);
  if (isNot(block)) return { ...block, gain };
  const barriers = view.body
    .descendantsOfType("expression_statement")
    .filter((statement) => compact(statement) === "__syncthreads();");
  const [barrier] = barriers;
  if (barrier === undefined)
    return { ...not("no-rewrite", "the barriers stand in a function", first.declaration), gain };
  const facts = {
    ...{ file: input.file, line: lineOf(barrier), counter: "barriers" as const },
    ...{ value, ideal: 0 },
  };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      barriers.map((statement) =>
        replaceNode(statement, statement.parent?.type === "compound_statement" ? "" : ";"),
      ),
    ),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});
