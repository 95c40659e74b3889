import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, known, mustGet } from "../../../server/core/base/known";
import { modelledBound, waveOf } from "../../../server/core/timing/bound";
import { type GpuModel, gpuNamed } from "../../../server/core/timing/gpu-model";
import { modelLaunch } from "../../../server/core/simulate/index";
import { timingOf } from "../../../server/core/timing/gpu-timing";
import type { LaunchModel } from "../../../server/core/timing/execution/launch-model";
import type { LaunchProfile } from "../../../server/core/timing/launch-profile";
import { withSharing } from "../../../server/core/timing/sample/representative";
import {
  type KernelArgument,
  DeviceMemory,
  compileKernel,
  countRepresentative,
  parsePtx,
} from "../../../server/core/vgpu/index";
import { findNvcc } from "../../../server/host/toolchain/find-nvcc";
import { repository } from "../../../server/setup/support/layout.mjs";
import { run } from "../../../server/setup/support/processes.mjs";
import { processorTime } from "../one-core";
import { type Series, type SeriesCase, type WrittenLaunch, caseFile, parseLaunch } from "./series";

/** What the model says of one case. */
export interface Priced {
  readonly nanoseconds: number;
  /** What the simulated multiprocessor's warps wait for most. */
  readonly binding: string;
  /** Nanoseconds of the bound. */
  readonly bound: number;
  /** Processor time that counting and pricing took, all threads together, without the compilers. */
  readonly milliseconds: number;
  readonly countedBlocks: number;
  readonly error: number;
}

/** The compiler that the product would use. */
function foundNvcc(): Promise<string> {
  return findNvcc({
    setting: "",
    environment: process.env,
    python: process.env["KERNELWRIGHT_PYTHON"] ?? "python3",
    workerFolder: join(repository, "server", "worker"),
    signal: AbortSignal.timeout(60_000),
  });
}

/** A source file as the compiler leaves it for one architecture. */
export interface Compiled {
  readonly ptx: string;
  readonly cubin: Uint8Array;
  /** Registers of each kernel. */
  readonly registers: ReadonlyMap<string, number>;
}

/** Compiles a file of the cases, CUDA or PTX, as PTX and as machine code. */
export async function compileCase(file: string, architecture: string): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-orderings-"));
  try {
    const options = [`-arch=${architecture}`, "-lineinfo", caseFile(file), "-o"];
    const ptx = file.endsWith(".ptx") ? caseFile(file) : join(folder, "case.ptx");
    const nvcc = await foundNvcc();
    if (!file.endsWith(".ptx")) await run(nvcc, ["-ptx", ...options, ptx]);
    const log = await run(nvcc, ["-cubin", "--resource-usage", ...options, join(folder, "case.cubin")]);
    const registers = new Map<string, number>();
    for (const [, kernel = "", count = "0"] of log.matchAll(
      /Compiling entry function '(\w+)'[\s\S]*?Used (\d+) registers/g,
    ))
      registers.set(kernel, Number(count));
    return {
      ptx: readFileSync(ptx, "utf8"),
      cubin: readFileSync(join(folder, "case.cubin")),
      registers,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The modelled time of a case: its launches one after the other. */
export function priceCase(series: Series, { launches }: SeriesCase, compiled: Compiled): Priced {
  const start = processorTime();
  const gpu = gpuNamed(series.gpu);
  const counted = launches.map((text) => count(series, parseLaunch(text), { compiled, gpu }));
  const bound = modelledBound(
    counted.map(({ profile }) => profile),
    gpu,
  );
  const models = counted.map(({ model }) => model);
  const gaps = (counted.length - 1) * timingOf(architectureOf(series.gpu)).launch.gapNanoseconds;
  return {
    nanoseconds: models.reduce((sum, { nanoseconds }) => sum + nanoseconds, gaps),
    bound: bound.nanoseconds,
    binding: busiest(at(models, 0)),
    milliseconds: processorTime() - start,
    countedBlocks: counted.reduce((sum, { blocks }) => sum + blocks, 0),
    error: Math.max(...counted.map(({ error }) => error)),
  };
}

interface Counted {
  readonly profile: LaunchProfile;
  readonly blocks: number;
  readonly error: number;
  readonly model: LaunchModel;
}

const elementBytes: Readonly<Record<string, number>> = { u8: 1, f16: 2, f32: 4, u32: 4, f64: 8 };

function count(
  { buffers }: Series,
  written: WrittenLaunch,
  { compiled, gpu }: { readonly compiled: Compiled; readonly gpu: GpuModel },
): Counted {
  const module = parsePtx(compiled.ptx);
  if (!module.ok) throw new Error(module.problem.message);
  const kernel = compileKernel(module.value, written.kernel, { counters: true, detectors: false });
  if (!kernel.ok) throw new Error(kernel.problem.reason);
  const memory = new DeviceMemory();
  let footprintBytes = 0;
  const place = (name: string): KernelArgument => {
    const content = contentOf(known(buffers[name], `buffer ${name} of the series`));
    footprintBytes += content.byteLength;
    return { kind: "address", value: memory.allocate(name, content.byteLength, { initial: content }) };
  };
  const argumentOf = (text: string): KernelArgument => {
    if (/^-?\d+$/.test(text)) return { kind: "integer", value: Number(text) };
    if (/^-?\d*\.\d+$/.test(text)) return { kind: "float", value: Number(text) };
    return place(text);
  };
  const outcome = countRepresentative(kernel.value, {
    grid: written.grid,
    block: written.block,
    dynamicSharedBytes: written.sharedBytes,
    arguments: written.arguments.map(argumentOf),
    memory,
    instructionBudget: 1e10,
    executed: true,
  });
  if (outcome.kind !== "counted") throw new Error(`${written.kernel} ended as ${outcome.kind}`);
  const { counters, sharing, countedBlocks, error, executed } = outcome.result;
  const shape = {
    blocks: written.grid[0] * written.grid[1] * written.grid[2],
    threadsPerBlock: written.block[0] * written.block[1] * written.block[2],
    registersPerThread: mustGet(compiled.registers, written.kernel),
    sharedBytes: kernel.value.sharedBytes + written.sharedBytes,
    footprintBytes,
  };
  const totals = sharing
    ? withSharing(counters.totals, sharing, { grid: written.grid, wave: waveOf(shape, gpu) })
    : counters.totals;
  const model = modelLaunch(
    { kernel: written.kernel, shape, executed: known(executed, "what was executed"), cubin: compiled.cubin },
    gpu,
  );
  if (!model.ok) throw new Error(model.problem.message);
  return { profile: { ...shape, counters: totals }, blocks: countedBlocks, error, model: model.value };
}

function busiest({ activities }: LaunchModel): string {
  return Object.entries(activities).reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** What a buffer holds: zeros, or bytes or integers below a bound that follow no pattern. */
function contentOf(text: string): Uint8Array {
  const [type, length, , below] = text.split(" ");
  const bytes = Number(length) * known(elementBytes[type ?? ""], `size of ${type}`);
  if (below === undefined && type !== "u8") return new Uint8Array(bytes);
  const values = type === "u8" ? new Uint8Array(bytes) : new Uint32Array(Number(length));
  for (let index = 0, state = 1; index < values.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    values[index] = (state >>> 8) % Number(below ?? 256);
  }
  return new Uint8Array(values.buffer);
}

/** `sm_86` of a row of gpu-limits.json. */
export function architectureOf(gpu: string): string {
  return `sm_${gpuNamed(gpu).capability.replace(".", "")}`;
}
