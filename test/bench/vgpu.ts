import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CompiledKernel, DeviceMemory, type KernelArgument, compileKernel, laneInstructions, launch, parsePtx } from "../../server/core/vgpu/index";

import { type Bench, rounded } from "./bench";

/** Millions of lane instructions a second, and milliseconds to compile, of one kernel with counters and detectors off. */
export interface VirtualGpuSpeed {
  readonly kernel: string;
  readonly millionLaneInstructionsPerSecond: number;
  readonly compileMilliseconds: number;
}

/** Benches run in the root of the repository. */
const folder = join("test", "cases", "vgpu");

/** A loop of 64 dependent and independent fused multiply-adds on registers. */
function fusedLoop(): string {
  const body = Array.from({ length: 64 }, (_, index) => `fma.rn.f32 %f${index % 8}, %f${index % 8}, %f8, %f9;`).join("\n");
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry fused(.param .u64 out, .param .u32 count)
{
.reg .f32 %f<10>;
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
.reg .pred %p<2>;
ld.param.u64 %rd0, [out];
ld.param.u32 %r1, [count];
mov.u32 %r0, %tid.x;
mov.f32 %f8, 0f3F7FF000;
mov.f32 %f9, 0f3DCCCCCD;
${Array.from({ length: 8 }, (_, index) => `cvt.rn.f32.u32 %f${index}, %r0;`).join("\n")}
mov.u32 %r2, 0;
$again:
${body}
add.u32 %r2, %r2, 1;
setp.lt.u32 %p0, %r2, %r1;
@%p0 bra $again;
${Array.from({ length: 7 }, (_, index) => `add.f32 %f0, %f0, %f${index + 1};`).join("\n")}
mad.wide.u32 %rd1, %r0, 4, %rd0;
st.global.f32 [%rd1], %f0;
ret;
}
`;
}

interface Subject {
  readonly kernel: CompiledKernel;
  readonly compileMilliseconds: number;
}

function compile(text: string, entry: string): Subject {
  const start = performance.now();
  const parsed = parsePtx(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const compiled = compileKernel(parsed.value, entry, { counters: false, detectors: false });
  if (!compiled.ok) throw new Error(compiled.problem.reason);
  return { kernel: compiled.value, compileMilliseconds: performance.now() - start };
}

interface Work {
  readonly memory: DeviceMemory;
  readonly grid: number;
  readonly block: number;
  readonly shared: number;
  readonly arguments: readonly KernelArgument[];
}

/** The best of several runs: the first ones are compiled in a hurry by the engine underneath. */
async function measure(subject: Subject, { memory, grid, block, shared, arguments: values }: Work): Promise<VirtualGpuSpeed> {
  let best = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const start = performance.now();
    const outcome = launch(subject.kernel, {
      grid: [grid, 1, 1], block: [block, 1, 1], dynamicSharedBytes: shared, arguments: values, memory, instructionBudget: 1e10,
    });
    if (outcome.kind !== "completed") throw new Error(`the bench kernel ended as ${outcome.kind}`);
    best = Math.max(best, laneInstructions(outcome.warpInstructions) / (performance.now() - start) / 1000);
    // Lets the engine's background compiler hand over better code.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { kernel: subject.kernel.name, millionLaneInstructionsPerSecond: best, compileMilliseconds: subject.compileMilliseconds };
}

/** Speed of the virtual GPU on one core: an arithmetic-bound loop and a Triton softmax of 4,096 rows. */
export async function measureVirtualGpu(): Promise<readonly VirtualGpuSpeed[]> {
  const fused = compile(fusedLoop(), "fused");
  const memory = new DeviceMemory();
  const out = memory.allocate("out", 4 * 256);
  const first = await measure(fused, {
    memory, grid: 16, block: 256, shared: 0, arguments: [{ kind: "address", value: out }, { kind: "integer", value: 200 }],
  });
  const [rows, columns] = [2048, 1000];
  const rowMemory = new DeviceMemory();
  const x = Float32Array.from({ length: rows * columns }, (_, index) => Math.sin(index) * 4);
  const input = rowMemory.allocate("x", x.byteLength, { initial: new Uint8Array(x.buffer) });
  const output = rowMemory.allocate("y", x.byteLength);
  const softmax = compile(readFileSync(join(folder, "triton/captured/softmax_f32.ptx"), "utf8"), "softmax_kernel");
  const second = await measure(softmax, {
    memory: rowMemory, grid: rows, block: 128, shared: 32,
    arguments: [
      { kind: "address", value: output }, { kind: "address", value: input },
      ...[columns, columns, columns].map((value): KernelArgument => ({ kind: "integer", value })),
      { kind: "address", value: 0n }, { kind: "address", value: 0n },
    ],
  });
  return [first, second];
}

/** `npm run bench -- vgpu`. */
export const vgpuBench: Bench = {
  name: "vgpu",
  run: async () => (await measureVirtualGpu()).flatMap(({ kernel, millionLaneInstructionsPerSecond, compileMilliseconds }) => [
    { metric: `virtual GPU, ${kernel}`, value: rounded(millionLaneInstructionsPerSecond), unit: "M lane instructions/s" },
    { metric: `virtual GPU, ${kernel}: PTX to code`, value: rounded(compileMilliseconds), unit: "ms" },
  ]),
};
