import { at } from "../../../base/known";
import type { FlowEdge } from "../../counts/ways";

/** How the blocks of machine code follow each other, and how many instructions a warp executes in each. */
interface WeighedFlow {
  readonly edges: readonly FlowEdge[];
  readonly executed: readonly number[];
}

/**
 * The number of the way out of a block that alone leads to more executed instructions than each other one;
 * undefined where two lead to as many.
 */
export function heaviestWay(block: number, { edges, executed }: WeighedFlow): number | undefined {
  const ways = [...edges.keys()].filter((edge) => at(edges, edge).from === block);
  const reached = ways.map((edge) => reachedFrom(at(edges, edge).to, block, edges));
  const weights = reached.map((own, place) => {
    const others = reached.filter((_, other) => other !== place);
    const alone = [...own].filter((each) => !others.some((other) => other.has(each)));
    return alone.reduce((sum, each) => sum + at(executed, each), 0);
  });
  const most = Math.max(...weights);
  const heaviest = ways.filter((_, place) => at(weights, place) === most);
  return heaviest.length === 1 ? heaviest[0] : undefined;
}

/** The blocks that come before the branch comes again. */
function reachedFrom(first: number, branch: number, edges: readonly FlowEdge[]): ReadonlySet<number> {
  const reached = new Set(first < 0 || first === branch ? [] : [first]);
  for (const block of reached)
    for (const { from, to } of edges) if (from === block && to >= 0 && to !== branch) reached.add(to);
  return reached;
}
