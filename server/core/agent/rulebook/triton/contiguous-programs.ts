import { compact, lineOf, operands, partsOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import {
  combiningCalls,
  firstLoop,
  isCallOf,
  languageCalls,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";

/**
 * Gives each program a run of neighbouring elements instead of every n-th one. The programs together cover
 * the same elements.
 */
export const contiguousPrograms = defineRule("triton-contiguous-programs", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const held = combines(view);
  if (held !== undefined) return held;
  const offsets = view.body
    .descendantsOfType("assignment")
    .flatMap((node) => stridedOffsets(view, node) ?? []);
  const [found] = offsets;
  if (found === undefined) return not("no-pattern", "no program takes every n-th element", view.line);
  const worst = worstAccess(input, view);
  if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "no access moves many more sectors than it needs", worst?.line ?? view.line);
  const { totals } = input.counters;
  const moved = totals.globalLoadSectors + totals.globalStoreSectors;
  const wasted = moved - totals.globalLoadSectorsIdeal - totals.globalStoreSectorsIdeal;
  const { value, program, span, block } = found;
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(value, `${program.text} * ${block} + ${span.text}`)]),
    hypothesis: fillSentence(entry.hypothesis, { block }),
    evidence: evidenceFor(entry, { file: input.file, ...worst }),
    gain: gainOn(input, ["dram", "l2"], shareSaved(wasted, moved)),
  };
});

/** What makes it matter which program handles an element. */
function combines(view: TritonView): RuleHold | undefined {
  const loop = firstLoop(view);
  if (loop !== undefined) return not("no-pattern", "a program works in a loop", loop);
  const call =
    combiningCalls(view)[0] ??
    languageCalls(view, ["debug_barrier"])[0] ??
    view.body
      .descendantsOfType("call")
      .find((node) => /\.atomic_\w+$/.test(compact(node.childForFieldName("function"))));
  if (call !== undefined)
    return not("cooperation", `${compact(call.childForFieldName("function"))} combines elements`, call);
  const [, second] = languageCalls(view, ["program_id"]);
  return second && not("dependence", "the number of the program is used more than once", second);
}

interface StridedOffsets {
  readonly value: SyntaxNode;
  readonly program: SyntaxNode;
  readonly span: SyntaxNode;
  readonly block: string;
}

/** `tl.program_id(0) + tl.arange(0, BLOCK) * tl.num_programs(0)`. */
function stridedOffsets(view: TritonView, assignment: SyntaxNode): StridedOffsets | undefined {
  const value = assignment.childForFieldName("right");
  const terms = value === null ? [] : operands(value, "+");
  const program = terms.find((term) => isProgram(view, term));
  const factors = terms.filter((term) => term !== program).flatMap((term) => operands(term, "*"));
  const span = factors.find((factor) => isCallOf(view, factor, "arange"));
  const stride = factors.find((factor) => isProgramCount(view, factor));
  const block = span === undefined ? undefined : positional(span)[1];
  if (value === null || terms.length !== 2 || factors.length !== 2) return undefined;
  return program && span && stride && block?.type === "identifier"
    ? { value, program, span, block: block.text }
    : undefined;
}

/** `tl.program_id(0)`, or a name that is set to it once. */
function isProgram(view: TritonView, term: SyntaxNode): boolean {
  const value =
    term.type === "identifier" ? onlyAssignment(view.body, term.text)?.childForFieldName("right") : term;
  return !!value && isCallOf(view, value, "program_id") && isFirstAxis(value);
}

/**
 * `tl.num_programs(0)`, a name for it, or a parameter for which the launch passes what its grid is made of.
 */
function isProgramCount(view: TritonView, factor: SyntaxNode): boolean {
  const { launch, parameters } = view;
  if (isCallOf(view, factor, "num_programs")) return isFirstAxis(factor);
  if (factor.type !== "identifier") return false;
  const value = onlyAssignment(view.body, factor.text)?.childForFieldName("right");
  if (value) return isCallOf(view, value, "num_programs") && isFirstAxis(value);
  const place = parameters.findIndex(({ name }) => name === factor.text);
  const passed = launch.keywords.get(factor.text) ?? launch.positional[place];
  const extents =
    launch.grid === undefined ? [] : [compact(launch.grid), ...partsOf(launch.grid).map(compact)];
  return passed !== undefined && place >= 0 && extents.includes(compact(passed));
}

function isFirstAxis(call: SyntaxNode): boolean {
  return /^\((axis=)?0\)$/.test(compact(call.childForFieldName("arguments")));
}

function worstAccess(input: RuleInput, view: TritonView) {
  const rows = languageCalls(view, ["load", "store"])
    .map(statementOf)
    .flatMap((node) => {
      const counts = countsOf(input, node);
      return (["globalLoadSectors", "globalStoreSectors"] as const).map((counter) => ({
        line: lineOf(node),
        counter,
        value: counts[counter],
        ideal: counts[`${counter}Ideal`],
      }));
    });
  const [worst] = rows.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  return worst;
}
