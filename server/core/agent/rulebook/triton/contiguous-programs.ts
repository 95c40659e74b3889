import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, enclosing, lineOf, operands } from "../syntax";
import { languageCalls, tritonKernel } from "./kernel-source";

/**
 * Gives each program a run of neighbouring elements instead of every n-th one. The programs together cover
 * the same elements.
 */
export const contiguousPrograms = defineRule("triton-contiguous-programs", (input, entry) => {
  const kernel = tritonKernel(input);
  if (kernel === undefined || kernel.body.descendantsOfType(["for_statement", "while_statement"]).length > 0)
    return [];
  const mixes =
    /\btl\.(dot|sum|max|min|argmax|argmin|cumsum|reduce|associative_scan|sort|atomic_\w+|debug_barrier)\b/;
  if (mixes.test(kernel.body.text.replace(/tl\.(maximum|minimum|max_contiguous)/g, ""))) return [];
  if ((kernel.body.text.match(/\bprogram_id\b/g) ?? []).length !== 1) return [];
  return kernel.body.descendantsOfType("assignment").flatMap((assignment) => {
    const value = assignment.childForFieldName("right");
    const terms = value === null ? [] : operands(value, "+");
    const program = terms.find(
      (term) => compact(term) === "tl.program_id(0)" || compact(term) === "tl.program_id(axis=0)",
    );
    const factors = terms.filter((term) => term !== program).flatMap((term) => operands(term, "*"));
    const span = factors.find((factor) => /^tl\.arange\(0,[A-Z_a-z]\w*\)$/.test(compact(factor)));
    const stride = factors.find((factor) => /^tl\.num_programs\((axis=)?0\)$/.test(compact(factor)));
    if (
      value === null ||
      terms.length !== 2 ||
      program === undefined ||
      factors.length !== 2 ||
      span === undefined ||
      stride === undefined
    )
      return [];
    const block = /,(\w+)\)$/.exec(compact(span))?.[1] ?? "";
    const loads = languageCalls(kernel.body, ["load", "store"])
      .map((call) => enclosing(call, ["expression_statement"]) ?? call)
      .map((node) => ({ line: lineOf(node), counts: countsOf(input, node) }));
    const [worst] = loads
      .map(({ line, counts }) =>
        counts.globalLoadSectors >= counts.globalStoreSectors
          ? {
              line,
              counter: "globalLoadSectors" as const,
              value: counts.globalLoadSectors,
              ideal: counts.globalLoadSectorsIdeal,
            }
          : {
              line,
              counter: "globalStoreSectors" as const,
              value: counts.globalStoreSectors,
              ideal: counts.globalStoreSectorsIdeal,
            },
      )
      .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
    if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio")) return [];
    const { totals } = input.counters;
    const wasted =
      totals.globalLoadSectors +
      totals.globalStoreSectors -
      totals.globalLoadSectorsIdeal -
      totals.globalStoreSectorsIdeal;
    return [
      {
        tree: editedTree(input, [replaceNode(value, `${program.text} * ${block} + ${span.text}`)]),
        hypothesis: fillSentence(entry.hypothesis, { block }),
        evidence: evidenceFor(entry, { file: input.file, ...worst }),
        gain: gainOn(
          input,
          ["dram", "l2"],
          shareSaved(wasted, totals.globalLoadSectors + totals.globalStoreSectors),
        ),
      },
    ];
  });
});
