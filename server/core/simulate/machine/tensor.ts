import { at } from "../../base/known";
import type { KernelMachineCode } from "../../cubin/index";
import type { Executed } from "../../timing/execution/executed";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import type { MachineCounts } from "../counts/block-counts";

const subCores = 4;

/** The rates' names of what PTX calls the types of what is multiplied. */
const rateOfType: Readonly<Record<string, keyof ArchitectureTiming["tensor"]>> = {
  f16: "fp16",
  bf16: "bf16",
  tf32: "tf32",
  f64: "fp64",
  s8: "int8",
  u8: "int8",
  s4: "int4",
  u4: "int4",
  e4m3: "fp8",
  e5m2: "fp8",
};

/** Sums of floats in 32 bits run at half the rate on some GPUs; those of integers and doubles do not. */
const isFloat = /^(?:f16|bf16|tf32|e4m3|e5m2)$/;

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
    const rate = timing.tensor[rateOfType[first.tensorType ?? "f16"] ?? "fp16"];
    const share = isFloat.test(first.tensorType ?? "f16") ? tensorShare : 1;
    const perClock = rate * timing.tensor.synchronousShare * share;
    const each = (operations / Math.max(1, runs)) * (subCores / Math.max(1, perClock));
    for (const { index } of machine) clocks.set(index, each);
  }
  return clocks;
}
