import { at, known, mustGet } from "../../base/known";
import type { KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import type { MachineCounts } from "../counts/block-counts";

const subCores = 4;

/** What the rate of a product depends on. */
interface TensorType {
  /** Name of its rate in the data on GPUs. */
  readonly rate: keyof ArchitectureTiming["tensor"];
  /** Sums of floats in 32 bits run at half the rate on some GPUs; those of integers and doubles do not. */
  readonly floatSums?: true;
}

/** By PTX's name of the type of what is multiplied. */
const tensorTypes: ReadonlyMap<string, TensorType> = new Map([
  ["f16", { rate: "fp16", floatSums: true }],
  ["bf16", { rate: "bf16", floatSums: true }],
  ["tf32", { rate: "tf32", floatSums: true }],
  ["e4m3", { rate: "fp8", floatSums: true }],
  ["e5m2", { rate: "fp8", floatSums: true }],
  ["f64", { rate: "fp64" }],
  ["s8", { rate: "int8" }],
  ["u8", { rate: "int8" }],
  ["s4", { rate: "int4" }],
  ["u4", { rate: "int4" }],
  // No rate is published.
  ["b1", { rate: "fp16" }],
]);

interface TensorParts {
  readonly code: KernelMachineCode;
  readonly counts: MachineCounts;
  readonly executed: Executed;
  readonly timing: ArchitectureTiming;
  readonly tensorShare: number;
}

/** Clocks of a sub-core's tensor unit that each matrix instruction takes, by index. */
export function tensorClocks(parts: TensorParts): ReadonlyMap<number, number> {
  const { counts, executed, timing, tensorShare } = parts;
  const clocks = new Map<number, number>();
  for (const { ptx, machine } of counts.groups) {
    const first = at(ptx, 0).instruction;
    if (first.tensorOperations === undefined) continue;
    const operations = ptx.reduce(
      (sum, { instruction }) => sum + (instruction.tensorOperations ?? 0) * instruction.executions,
      0,
    );
    const runs = machine.reduce((sum, { block }) => sum + at(counts.blocks, block), 0) * executed.warps;
    const { rate, floatSums } = mustGet(
      tensorTypes,
      known(first.tensorType, "the type of what a matrix instruction multiplies"),
    );
    const share = floatSums ? tensorShare : 1;
    const perClock = timing.tensor[rate] * timing.tensor.synchronousShare * share;
    const each = (operations / Math.max(1, runs)) * (subCores / Math.max(1, perClock));
    for (const { index } of machine) clocks.set(index, each);
  }
  return clocks;
}
