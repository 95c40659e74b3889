import { at } from "../../base/known";
import { ByLine } from "../../cubin/index";
import type { KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import type { FlowGraph } from "./ways";

interface LineSums {
  /** PTX instructions that a warp executes on the line. */
  executed: number;
  /** Machine instructions that stand there. */
  written: number;
}

/**
 * A first guess of how often a warp runs each block: the counts of its lines, in the ratio of what stands
 * there in both texts. Exact only where the line's code is all in one place.
 */
export function lineEstimates(
  executed: Executed,
  code: KernelMachineCode,
  { edges }: FlowGraph,
): readonly number[] {
  const lines = new ByLine<LineSums>();
  const sums = (file: string, line: number): LineSums =>
    lines.at(file, line, () => ({ executed: 0, written: 0 }));
  const warps = Math.max(1, executed.warps);
  for (const { file, line, executions } of executed.instructions)
    sums(file, line).executed += executions / warps;
  for (const block of new Set(edges.map(({ from }) => from)))
    for (let index = at(code.blocks, block).start; index < at(code.blocks, block).end; index += 1) {
      const { file, line } = at(code.instructions, index);
      sums(file, line).written += 1;
    }
  return code.blocks.map(({ start, end }) => {
    let [sum, known] = [0, 0];
    for (let index = start; index < end; index += 1) {
      const { file, line } = at(code.instructions, index);
      const { executed: runs, written } = sums(file, line);
      if (runs === 0 || written === 0) continue;
      sum += runs / written;
      known += 1;
    }
    return known === 0 ? 0 : sum / known;
  });
}
