import { enclosing, fieldText, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot } from "../../rule";
import { tritonKernel, languageCalls, positional, type TritonView, isCallOf } from "../../triton/kernel";
import { dependencesOf } from "../../triton/spread/dependence";
import { isAxis } from "../../triton/spread/programs";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOn } from "../measured";

/**
 * Loads in a loop of which all programs of a group ask for the same: their addresses follow a quotient of the
 * program's number, as those of keys do that several heads share. A product of tiles shares operands as well,
 * and is left out.
 */
export function groupedPrograms(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { input, lines, totals } = measured;
  if (input.dialect !== "triton") return [];
  const view = tritonKernel(input);
  if (isNot(view) || languageCalls(view, ["dot"]).length > 0) return [];
  const shared = sharedLoads(view).map(lineOf);
  const [first] = shared;
  const own = lines.filter(({ line }) => shared.includes(line));
  const sectors = own.reduce((sum, each) => sum + each.globalLoadSectors, 0);
  const part = fraction(sectors, totals.globalLoadSectors + totals.globalStoreSectors);
  if (first === undefined || part < limitIn(entry, "part")) return [];
  const share = shareOn(measured, ["dram", "l2", "l1", "issue", "latency"], limitIn(entry, "saved") * part);
  return [{ line: first, share: Math.max(share, limitIn(entry, "share")), blanks: { value: sectors } }];
}

/** Loads of blocks in loops whose addresses tell programs along an axis apart by quotients alone. */
function sharedLoads(view: TritonView): readonly SyntaxNode[] {
  const loads = languageCalls(view, ["load"]).filter((load) => {
    const loop = enclosing(load, "for_statement", "while_statement");
    return loop !== undefined && isInside(loop, view.body);
  });
  return [0, 1, 2].flatMap((axis) => {
    const all = dependencesOf(view, (node) => seedOf(view, node, axis));
    const quotient = (node: SyntaxNode): boolean => {
      const left = partsOf(node)[0];
      const divides = node.type === "binary_operator" && fieldText(node, "operator") === "//";
      return divides && left !== undefined && all(left).programs;
    };
    const coarse = { programs: false, lanes: false };
    const fine = dependencesOf(
      view,
      (node) => seedOf(view, node, axis) ?? (quotient(node) ? coarse : undefined),
    );
    return loads.filter((load) => {
      const [address] = positional(load);
      // What no program has for itself is another waste.
      return address !== undefined && all(address).lanes && all(address).programs && !fine(address).programs;
    });
  });
}

function seedOf(
  view: TritonView,
  node: SyntaxNode,
  axis: number,
): ReturnType<Parameters<typeof dependencesOf>[1]> {
  if (isCallOf(view, node, "program_id")) return { programs: isAxis(node, axis), lanes: false };
  return isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined;
}
