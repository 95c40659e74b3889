import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { arraysOf } from "../../../../language/cuda/body/arrays";
import { enclosing } from "../../../../language/query";
import { countsOf, gainOn, wasteOf } from "../../evidence";
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
  const gain = gainOn(input, ["l1", "l2", "issue", "latency", "fp32"], threshold(entry, "share"));
  return { at: worst.node, value: worst.value, ideal: fresh, gain };
});

/** An array of each thread that an index of run time puts into local memory. */
export const indexRegisters = namingRule("cuda-index-registers", (input, view, entry) => {
  const value = input.counters.totals.localRequests;
  const local = arraysOf(view.body).find(({ storage }) => storage === "local");
  if (local === undefined) return not("no-pattern", "no thread has an array of its own", view.line);
  if (value === 0) return not("no-evidence", "nothing goes to local memory", local.declaration);
  return {
    at: local.declaration,
    value,
    gain: gainOn(input, ["l1", "l2", "issue"], threshold(entry, "share")),
  };
});
