import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { enclosing } from "../../../../language/query";
import { countsOf, gainOnAccesses, wasteOf } from "../../evidence";
import { not } from "../../rule";
import { threshold } from "../../rule-table";
import { namingRule } from "../named";

/** Operands that a block loads again and again in a loop, though each time coalesced. */
export const stageOperands = namingRule("cuda-stage-operands", (input, view, entry) => {
  const loads = cudaAccesses(view.kernel).accesses.filter(
    ({ node, loads: does, stores }) =>
      does && !stores && enclosing(node, "for_statement", "while_statement") !== undefined,
  );
  const measured = loads.map(({ node }) => {
    const counts = countsOf(input, enclosing(node, "expression_statement", "declaration") ?? node);
    const again = counts.loadReuse?.sameBlock.reduce((sum, count) => sum + count, 0) ?? 0;
    const waste = wasteOf(counts.globalLoadSectors, counts.globalLoadSectorsIdeal);
    return { node, waste, value: counts.globalLoadSectors, again };
  });
  const [worst] = measured.sort((a, b) => b.again - a.again);
  if (worst === undefined) return not("no-pattern", "no load stands in a loop", view.line);
  const fresh = Math.max(1, worst.value - worst.again);
  if (worst.again / fresh < threshold(entry, "times") || worst.waste >= threshold(entry, "ratio"))
    return not("no-evidence", "the loads of the loops bring in new sectors", worst.node);
  const requests = input.counters.totals.globalLoadRequests;
  const fraction = threshold(entry, "share");
  const gain = gainOnAccesses(input, ["l1", "l2", "latency"], { requests, fraction });
  return { at: worst.node, value: worst.value, ideal: fresh, gain };
});
