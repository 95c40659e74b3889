import { isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  constantEdits,
  gridFollows,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  numbersPrograms,
  servesLaunchOnly,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { headOf } from "../passes/walks";
import { reachesPast } from "./reach";

/** A product of matrices whose loop adds up few elements in each turn adds up two or four times as many. */
export const longerSums = defineRule("triton-longer-sums", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const step = summedStep(view);
  if (isNot(step)) return step;
  const most = threshold(entry, "most");
  const { parameter, loop } = step;
  if (step.value * 2 > most)
    return not("no-evidence", `${step.value} elements of the sum are enough for a turn`, step.holder);
  const value = countsOf(input, loop).instructions;
  const share = shareSaved(value, input.counters.totals.instructions);
  return [4, 2]
    .filter((factor) => step.value * factor <= most)
    .map((factor): RuleProposal => {
      const size = step.value * factor;
      const ideal = Math.ceil(value * (1 - threshold(entry, "share") * (1 - 1 / factor)));
      const facts = { file: input.file, line: lineOf(loop), counter: "instructions" as const };
      const blanks = { parameter, before: String(step.value), size: String(size) };
      return {
        kind: "proposal",
        tree: editedTree(input, constantEdits(step, size)),
        hypothesis: fillSentence(entry.hypothesis, blanks),
        evidence: evidenceFor(entry, { ...facts, value, ideal }, blanks),
        gain: gainOn(
          input,
          ["latency", "shared", "issue"],
          share * threshold(entry, "share") * (1 - 1 / factor),
        ),
        isAlternative: true,
      };
    });
});

interface Step extends LaunchConstant {
  readonly parameter: string;
  readonly loop: SyntaxNode;
}

/** The constant by which the loop around a product steps, where nothing else of the launch follows it. */
function summedStep(view: TritonView): Step | RuleHold {
  const dots = languageCalls(view, ["dot"]);
  const [first] = dots;
  if (first === undefined) return not("no-pattern", "the kernel multiplies no matrices", view.line);
  const loops = view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .filter((loop) => dots.some((dot) => isInside(dot, loop)));
  const [loop, another] = loops;
  const head = loop && headOf(view, loop);
  if (loop === undefined || another !== undefined || head === undefined)
    return not("no-pattern", "no loop walks along the sum of a product in blocks", first);
  const parameter = head.block;
  const constant = launchConstant(view, parameter);
  if (constant === undefined)
    return not("launch", `${parameter} is computed at the launch`, view.launch.call);
  if (constant.local !== undefined && !servesLaunchOnly(view, constant.local))
    return not("fixed-elsewhere", `${constant.local} is used for more than the launch`, constant.holder);
  if (gridFollows(view, parameter, constant.local) || numbersPrograms(view, parameter))
    return not("launch", `the grid follows ${parameter}`, view.launch.call);
  return reachesPast(view, new Set([parameter])) ?? { ...constant, parameter, loop };
}
