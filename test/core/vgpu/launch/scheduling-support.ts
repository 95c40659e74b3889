import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DeviceMemory,
  type KernelArgument,
  type LaunchOutcome,
  type LaunchRequest,
  launch,
} from "../../../../server/core/vgpu/index";
import { address, casesFolder, compileText } from "../support";

/** PTX of the kernels in scheduling.cu, compiled by nvcc. */
export function schedulingText(): string {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-scheduling-"));
  const output = join(folder, "scheduling.ptx");
  execFileSync("nvcc", [
    "-ptx",
    "-arch=sm_80",
    "-lineinfo",
    "-o",
    output,
    join(casesFolder, "scheduling.cu"),
  ]);
  const text = readFileSync(output, "utf8");
  rmSync(folder, { recursive: true, force: true });
  return text;
}

export interface Trial {
  readonly entry: string;
  readonly grid: number;
  readonly block: number;
  /** Words of each buffer at the start; the kernel's pointers in order. */
  readonly buffers: readonly Int32Array[];
  readonly scalars?: readonly KernelArgument[];
  readonly request?: Partial<LaunchRequest>;
}

export interface TrialResult {
  readonly outcome: LaunchOutcome;
  readonly buffers: readonly Int32Array[];
}

/** Launches a kernel on words; nothing but the outcome and the words afterwards comes back. */
export function attempt(
  text: string,
  { entry, grid, block, buffers, scalars = [], request = {} }: Trial,
): TrialResult {
  const memory = new DeviceMemory();
  const addresses = buffers.map((data, index) =>
    memory.allocate(`buffer ${index}`, data.byteLength, { initial: new Uint8Array(data.buffer.slice(0)) }),
  );
  const outcome = launch(compileText(text, entry, { counters: true }), {
    grid: [grid, 1, 1],
    block: [block, 1, 1],
    dynamicSharedBytes: 0,
    memory,
    instructionBudget: 2e7,
    arguments: [...addresses.map(address), ...scalars],
    ...request,
  });
  return { outcome, buffers: addresses.map((at) => new Int32Array(memory.read(at).buffer)) };
}
