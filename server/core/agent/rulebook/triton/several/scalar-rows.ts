import { enclosing, lineOf, partsOf } from "../../../../language/query";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { languageCalls, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { severalEdits, singleIndex } from "../spread/programs";

/**
 * Programs that walk a row each by single elements, each turn resting on the one before: a program of one
 * warp takes a row for each of its lanes.
 */
export const scalarRows = defineRule("triton-scalar-rows", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const blocks = languageCalls(view, ["arange", "make_block_ptr", "make_tensor_descriptor"]);
  if (blocks.length > 0) return not("no-pattern", "the program works on blocks of elements", view.line);
  const single = singleIndex(view);
  if (isNot(single)) return single;
  const walked = languageCalls(view, ["load", "store"])
    .filter((call) => enclosing(call, "for_statement", "while_statement") !== undefined)
    .filter((call) => {
      const [address] = positional(call);
      return address !== undefined && single.of(address).programs;
    })
    .map((call) => ({ call, counts: countsOf(input, statementOf(call)) }))
    .sort((a, b) => b.counts.globalLoadRequests - a.counts.globalLoadRequests);
  const [worst] = walked;
  if (worst === undefined)
    return not("no-pattern", "no loop goes through elements of the program's own", view.line);
  const value = walked.reduce(
    (sum, { counts }) => sum + counts.globalLoadRequests + counts.globalStoreRequests,
    0,
  );
  const rows = threshold(entry, "rows");
  const ideal = Math.ceil(value / rows);
  const gain = gainOn(input, ["issue", "latency", "fp32", "l1", "l2"], shareSaved(value - ideal, value));
  const edits = severalEdits(single, {
    ...{ name: "ROWS", each: String(rows), first: false },
    more: oneWarp(view),
  });
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(worst.call), counter: "globalLoadRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { rows }),
    evidence: evidenceFor(entry, { ...facts, value, ideal }),
    gain,
  };
});

/** The launch with one warp, whether it says a number or leaves it to the compiler. */
function oneWarp({ launch, decided }: TritonView): readonly TextEdit[] {
  const said = launch.keywords.get("num_warps");
  if (said !== undefined) return [replaceNode(said, "1")];
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (last === undefined || decided.has("num_warps")) return [];
  return [{ start: last.endIndex, end: last.endIndex, text: ", num_warps=1" }];
}
