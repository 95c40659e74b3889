import { at } from "../../base/known";
import { ByLine } from "../../cubin/index";
import type { KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import { isWrittenOut } from "./anchors";
import type { FlowGraph } from "./ways";

interface LineSums {
  /** PTX instructions that a warp executes on the line. */
  executed: number;
  /** Machine instructions that stand there. */
  written: number;
  /** One of the PTX instructions is written out by the machine. */
  hasWrittenOut: boolean;
}

/**
 * A first guess of how often a warp runs each block: the counts of its lines, in the ratio of what stands
 * there in both texts. Exact only where the line's code is all in one place. Undefined for blocks of nothing
 * but operations that the machine writes out, such as divisions, whose ratio says nothing.
 */
export function lineEstimates(
  executed: Executed,
  code: KernelMachineCode,
  { edges }: FlowGraph,
): readonly (number | undefined)[] {
  const lines = new ByLine<LineSums>();
  const sums = (file: string, line: number): LineSums =>
    lines.at(file, line, () => ({ executed: 0, written: 0, hasWrittenOut: false }));
  const warps = Math.max(1, executed.warps);
  for (const instruction of executed.instructions) {
    const line = sums(instruction.file, instruction.line);
    line.executed += instruction.executions / warps;
    if (isWrittenOut(instruction)) line.hasWrittenOut = true;
  }
  for (const block of new Set(edges.map(({ from }) => from)))
    for (let index = at(code.blocks, block).start; index < at(code.blocks, block).end; index += 1) {
      const { file, line } = at(code.instructions, index);
      sums(file, line).written += 1;
    }
  return code.blocks.map(({ start, end }) => {
    let [sum, known, skipped] = [0, 0, 0];
    for (let index = start; index < end; index += 1) {
      const { file, line } = at(code.instructions, index);
      const { executed: runs, written, hasWrittenOut } = sums(file, line);
      if (runs === 0 || written === 0) continue;
      if (hasWrittenOut) skipped += 1;
      else {
        sum += runs / written;
        known += 1;
      }
    }
    if (known > 0) return sum / known;
    return skipped > 0 ? undefined : 0;
  });
}
