import { at } from "../../base/known";
import type { KernelMachineCode, PlacedInstruction } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import type { MachineCounts } from "./block-counts";

/**
 * How many distinct addresses each load from constant memory asks for, on average, by the index of the
 * machine instruction: constant memory answers them one after the other (CUDA C++ Best Practices Guide,
 * "Constant Memory"). Those of a line are the line's; loads that have no line in common with any of PTX share
 * what is left. One where nothing was counted, as of parameters.
 */
export function constantPlaces(
  executed: Executed,
  code: KernelMachineCode,
  counts: MachineCounts,
): ReadonlyMap<number, number> {
  const loads = loadsOf(code, counts, executed.warps);
  const more = new Map<string, number>();
  for (const { file, line, constants } of executed.instructions) {
    if (constants === undefined) continue;
    const key = JSON.stringify([file, line]);
    more.set(key, (more.get(key) ?? 0) + constants.places - constants.requests);
  }
  const lines = new Set(loads.map(({ key }) => key));
  const elsewhere = [...more].reduce((sum, [key, count]) => sum + (lines.has(key) ? 0 : count), 0);
  const all = executionsOf(loads);
  return new Map(
    loads.map(({ index, key }) => {
      const own = executionsOf(loads.filter((each) => each.key === key));
      return [index, 1 + Math.max(0, (more.get(key) ?? 0) / own + elsewhere / all)];
    }),
  );
}

/** A load from constant memory whose address is a lane's own, and how often warps executed it. */
interface ConstantLoad {
  readonly index: number;
  /** Of its line. */
  readonly key: string;
  readonly executions: number;
}

function loadsOf(code: KernelMachineCode, counts: MachineCounts, warps: number): readonly ConstantLoad[] {
  const isRun = (executions: number): boolean => executions > 0;
  return code.blocks.flatMap(({ start, end }, block) => {
    const executions = at(counts.blocks, block) * warps;
    const within = code.instructions.slice(start, end);
    return within.flatMap((instruction, n) =>
      isRun(executions) && isOfLanes(instruction)
        ? [{ index: start + n, key: JSON.stringify([instruction.file, instruction.line]), executions }]
        : [],
    );
  });
}

/** Others read one address for the whole warp. */
function isOfLanes({ operation }: PlacedInstruction): boolean {
  return operation.name === "LDC";
}

function executionsOf(loads: readonly ConstantLoad[]): number {
  return loads.reduce((sum, { executions }) => sum + executions, 0);
}
