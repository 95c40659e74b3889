import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { enclosing, lineOf } from "../../../../language/query";
import { countsOf, gainOnAccesses, shareSaved, wasteOf } from "../../evidence";
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
    const { globalLoadSectors: value, globalLoadRequests: requests } = counts;
    return { node, waste, value, requests, again };
  });
  const [worst] = measured.sort((a, b) => b.again - a.again);
  if (worst === undefined) return not("no-pattern", "no load stands in a loop", view.line);
  const fresh = Math.max(1, worst.value - worst.again);
  if (worst.again / fresh < threshold(entry, "times") || worst.waste >= threshold(entry, "ratio"))
    return not("no-evidence", "the loads of the loops bring in new sectors", worst.node);
  // Only what these lines load can be saved; the others of the loops load as often where they do so, too.
  const { globalLoadRequests, globalStoreRequests } = input.counters.totals;
  const rereads = measured.filter(
    ({ again, value }) => again >= threshold(entry, "times") * Math.max(1, value - again),
  );
  const lines = new Map(rereads.map(({ node, requests: own }) => [lineOf(node), own]));
  const requests = [...lines.values()].reduce((sum, own) => sum + own, 0);
  const fraction = threshold(entry, "share") * shareSaved(requests, globalLoadRequests + globalStoreRequests);
  const gain = gainOnAccesses(input, ["l1", "l2", "latency"], { requests: globalLoadRequests, fraction });
  return { at: worst.node, value: worst.value, ideal: fresh, gain };
});
