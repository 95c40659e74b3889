import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isLoaded, loadedNames } from "../../cuda/causes/loaded-names";
import { formIn } from "../../cuda/kernel";
import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";
import { chainedLoad } from "../values/looked-up";

/** Lines on which each access looks at a place that was loaded from memory. */
export function lookedUpLines({ view }: Measured): ReadonlySet<number> {
  if (view === undefined) return new Set();
  const loaded = loadedNames(view.body);
  const counters = countedLoops(view.body).map(({ variable }) => variable);
  // From a place that was loaded on, a row is walked: that is how its elements lie.
  const walks = (index: SyntaxNode): boolean => {
    const form = formIn(view, index);
    return counters.some((name) => form.get(name) === 1);
  };
  const found = new Map<number, boolean>();
  for (const { node, indexNode } of cudaAccesses(view.kernel).accesses) {
    const isLookUp = indexNode !== undefined && isLoaded(indexNode, loaded) && !walks(indexNode);
    found.set(lineOf(node), isLookUp || (found.get(lineOf(node)) ?? false));
  }
  return new Set([...found].flatMap(([line, isLookUp]) => (isLookUp ? [line] : [])));
}

/** Elements all over an array, at places that come out of memory themselves. */
export function lookedUpElements(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const own = lookedUpLines(measured);
  const lines = measured.lines.filter(({ line, ...counts }) => {
    const [value, ideal] = [counts.globalLoadSectors, counts.globalLoadSectorsIdeal];
    return own.has(line) && value >= limitIn(entry, "ratio") * ideal;
  });
  const [worst] = [...lines].sort((a, b) => b.globalLoadSectors - a.globalLoadSectors);
  if (worst === undefined) return [];
  const { globalLoadSectors: value, globalLoadSectorsIdeal: ideal } = sumOf(lines);
  const { totals } = measured;
  const part = fraction(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors);
  const share = shareOn(measured, ["dram", "l2", "l1", "latency"], part * limitIn(entry, "saved"));
  return [{ line: worst.line, share, blanks: { value, ideal } }];
}

/** Loads of a loop that wait for one another: each says where the next one looks. */
export function dependentLoads(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, warps, totals } = measured;
  const load = view && chainedLoad(view);
  const line = load && lineOf(load);
  const counts = measured.lines.find((each) => each.line === line);
  if (line === undefined || counts === undefined) return [];
  const each = counts.globalLoadRequests / warps;
  if (each < limitIn(entry, "each")) return [];
  const part = fraction(counts.globalLoadRequests, totals.globalLoadRequests);
  const waits = shareOn(measured, ["latency"], part * limitIn(entry, "saved"));
  const moved = fraction(counts.globalLoadSectors, totals.globalLoadSectors + totals.globalStoreSectors);
  const share = Math.max(waits, shareOn(measured, ["dram", "l2", "l1"], moved * limitIn(entry, "saved")));
  return [{ line, share, blanks: { each: Math.round(each) } }];
}
