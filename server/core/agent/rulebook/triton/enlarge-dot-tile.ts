import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, lineOf } from "../syntax";
import {
  gridFollows,
  isMasked,
  languageCalls,
  launchConstant,
  servesLaunchOnly,
  tritonKernel,
} from "./kernel-source";

/**
 * Doubles the side of the output tile of a matrix product, so that each loaded value is used twice as often.
 */
export const enlargeDotTile = defineRule("triton-enlarge-dot-tile", (input, entry) => {
  const kernel = tritonKernel(input);
  if (kernel === undefined || languageCalls(kernel.body, ["dot"]).length === 0 || !isMasked(kernel.body))
    return [];
  const sides = kernel.parameters
    .filter((parameter) => parameter.constexpr)
    .flatMap((parameter) => {
      const constant = launchConstant(kernel.launch, parameter.name);
      if (
        constant?.local === undefined ||
        !gridFollows(kernel.launch, parameter.name, constant.local) ||
        !servesLaunchOnly(kernel.launch, constant.local)
      )
        return [];
      return [{ ...constant, parameter: parameter.name, name: constant.local }];
    });
  const holders = new Map(sides.map((side) => [side.holder.id, side]));
  const values = [...holders.values()].map((side) => side.value);
  const most = threshold(entry, "sideMost");
  if (sides.length < 2 || values.some((value) => value * 2 > most)) return [];
  const loads = languageCalls(kernel.body, ["load"])
    .map((call) => enclosing(call, ["expression_statement"]) ?? call)
    .filter((node) => enclosing(node, ["for_statement"]) !== undefined)
    .map((node) => ({ line: lineOf(node), sectors: countsOf(input, node).globalLoadSectors }));
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const total = loads.reduce((sum, load) => sum + load.sectors, 0);
  if (
    worst === undefined ||
    worst.sectors === 0 ||
    shareSaved(total, input.counters.totals.globalLoadSectors) < threshold(entry, "shareLeast")
  )
    return [];
  const names = sides.map((side) => side.parameter).join(" and ");
  return [
    {
      tree: editedTree(
        input,
        [...holders.values()].map((side) => replaceNode(side.holder, String(side.value * 2))),
      ),
      hypothesis: fillSentence(entry.hypothesis, { names }),
      evidence: evidenceFor(
        entry,
        {
          file: input.file,
          line: worst.line,
          counter: "globalLoadSectors",
          value: worst.sectors,
          ideal: Math.ceil(worst.sectors / 2),
        },
        { names },
      ),
      gain: gainOn(
        input,
        ["dram", "l2"],
        shareSaved(
          total / 2,
          input.counters.totals.globalLoadSectors + input.counters.totals.globalStoreSectors,
        ),
      ),
    },
  ];
});
