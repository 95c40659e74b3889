import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CompiledKernel,
  type LaunchRequest,
  DeviceMemory,
  type KernelArgument,
  laneInstructions,
  launch,
} from "../../server/core/vgpu/index";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { type Measurement, quantile, rounded } from "./bench";
import { compile, generationTime } from "./code-generation";
import { lastObject, processorTime } from "./one-core";

/** A loop of 64 dependent and independent fused multiply-adds on registers. */
function fusedLoop(): string {
  const body = Array.from(
    { length: 64 },
    (_, index) => `fma.rn.f32 %f${index % 8}, %f${index % 8}, %f8, %f9;`,
  ).join("\n");
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

type Work = Pick<LaunchRequest, "grid" | "block" | "dynamicSharedBytes" | "arguments" | "memory">;

/**
 * Millions of lane instructions a second of processor time: the best of several runs, since the first ones
 * are compiled in a hurry by the engine underneath.
 */
async function speedOf(kernel: CompiledKernel, work: Work): Promise<number> {
  let best = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const start = processorTime();
    const outcome = launch(kernel, {
      ...work,
      instructionBudget: 1e10,
      faults: kernel.options.detectors ? "report" : "end",
    });
    if (outcome.kind !== "completed") throw new Error(`the bench kernel ended as ${outcome.kind}`);
    best = Math.max(best, laneInstructions(outcome.warpInstructions) / (processorTime() - start) / 1000);
    // Lets the engine's background compiler hand over better code.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return best;
}

const address = (value: bigint): KernelArgument => ({ kind: "address", value });
const integer = (value: number): KernelArgument => ({ kind: "integer", value });

interface Subject {
  readonly title: string;
  /** What the kernel is compiled with. */
  readonly modes: readonly (keyof typeof goals)[];
  readonly text: string;
  readonly entry: string;
  readonly work: () => Work;
}

const fusedSubject: Subject = {
  title: "a loop of fused multiply-adds",
  modes: ["plain", "watched"],
  text: fusedLoop(),
  entry: "fused",
  work: () => {
    const memory = new DeviceMemory();
    return {
      memory,
      grid: [16, 1, 1],
      block: [256, 1, 1],
      dynamicSharedBytes: 0,
      arguments: [address(memory.allocate("out", 4 * 256)), integer(200)],
    };
  },
};

/** A Triton softmax of 2,048 rows. */
function softmaxSubject(): Subject {
  return {
    title: "a row softmax by Triton",
    modes: ["plain", "watched"],
    text: readFileSync(
      inRepository("test", "cases", "vgpu", "triton", "captured", "softmax_f32.ptx"),
      "utf8",
    ),
    entry: "softmax_kernel",
    work: () => {
      const [rows, columns] = [2048, 1000];
      const memory = new DeviceMemory();
      const x = Float32Array.from({ length: rows * columns }, (_, index) => Math.sin(index) * 4);
      const input = memory.allocate("x", x.byteLength, { initial: new Uint8Array(x.buffer) });
      const output = memory.allocate("y", x.byteLength);
      return {
        memory,
        grid: [rows, 1, 1],
        block: [128, 1, 1],
        dynamicSharedBytes: 32,
        arguments: [
          address(output),
          address(input),
          ...[columns, columns, columns].map(integer),
          address(0n),
          address(0n),
        ],
      };
    },
  };
}

/** Points of a wave, so that no two rows are the same. */
function wave(count: number): Uint8Array {
  return new Uint8Array(Float32Array.from({ length: count }, (_, index) => Math.sin(index)).buffer);
}

/**
 * A sample whose lanes reach shared memory a row apart, two rows at a time or in columns: none of it packed.
 */
async function sampleSubject(name: "matmul" | "transpose", entry: string): Promise<Subject> {
  const [size, tile] = [name === "matmul" ? 192 : 1024, name === "matmul" ? 16 : 32];
  return {
    title: `the sample ${name}.cu`,
    modes: ["watched"],
    text: await compileCuda(inRepository("samples", `${name}.cu`)),
    entry,
    work: () => {
      const memory = new DeviceMemory();
      const inputs = (name === "matmul" ? ["a", "b"] : ["input"]).map((each) =>
        memory.allocate(each, 4 * size * size, { initial: wave(size * size) }),
      );
      const output = memory.allocate("output", 4 * size * size);
      return {
        memory,
        grid: [size / tile, size / tile, 1],
        block: name === "matmul" ? [16, 16, 1] : [32, 8, 1],
        dynamicSharedBytes: 0,
        arguments: [
          ...inputs.map(address),
          address(output),
          ...Array.from({ length: name === "matmul" ? 3 : 2 }, () => integer(size)),
        ],
      };
    },
  };
}

/** 2^18 numbers counted in 256 bins of shared memory by atomics. */
async function histogramSubject(): Promise<Subject> {
  const count = 1 << 18;
  return {
    title: "a histogram in shared memory",
    modes: ["watched"],
    text: await compileCuda(inRepository("test", "bench", "peers", "histogram.cu")),
    entry: "histogram",
    work: () => {
      const memory = new DeviceMemory();
      const numbers = memory.allocate("numbers", 4 * count, {
        initial: new Uint8Array(
          Uint32Array.from({ length: count }, (_, index) => Math.imul(index, 2_654_435_761) >>> 7).buffer,
        ),
      });
      const bins = memory.allocate("bins", 1024, { initial: new Uint8Array(1024) });
      return {
        memory,
        grid: [16, 1, 1],
        block: [256, 1, 1],
        dynamicSharedBytes: 0,
        arguments: [address(numbers), address(bins), integer(count)],
      };
    },
  };
}

const goals = { plain: 1000, watched: 200 } as const;

async function speeds(): Promise<Measurement[]> {
  const found: Measurement[] = [];
  const scattered = [
    await sampleSubject("matmul", "_Z6matmulPKfS0_Pfiii"),
    await sampleSubject("transpose", "_Z9transposePKfPfii"),
    await histogramSubject(),
  ];
  for (const { title, modes, text, entry, work } of [fusedSubject, softmaxSubject(), ...scattered]) {
    for (const mode of modes) {
      const goal = goals[mode];
      const value = await speedOf(compile(text, entry, mode === "watched"), work());
      const metric = `${title}, ${mode === "watched" ? "all detectors on" : "counters and detectors off"}`;
      found.push({
        metric,
        value: rounded(value),
        unit: "M lane instructions/s",
        versus: `the goal of ${goal} M`,
        ratio: rounded(value / goal),
      });
    }
  }
  return found;
}

/** Gives `work` the path of the PTX of a CUDA file, for sm_80. */
async function withPtx<Result>(
  source: string,
  work: (path: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-bench-"));
  try {
    const output = join(folder, "kernel.ptx");
    await run("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-o", output, source]);
    return await work(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** PTX of a CUDA file, for sm_80. */
function compileCuda(source: string): Promise<string> {
  return withPtx(source, (path) => readFileSync(path, "utf8"));
}

/** As commands run (server/host/cli/main.ts). */
const flags = process.versions.v8.startsWith("11.") ? ["--interrupt-budget=600000"] : [];

/** Milliseconds that the code of a kernel takes in a process that has done nothing before. */
async function firstTime(path: string, entry: string): Promise<number> {
  const program = inRepository("out", "bench", "first-generation.js");
  const result = lastObject(await run(process.execPath, [...flags, program, path, entry]));
  if (
    typeof result !== "object" ||
    result === null ||
    !("milliseconds" in result) ||
    typeof result.milliseconds !== "number"
  )
    throw new Error("no time was measured");
  return result.milliseconds;
}

const [freshProcesses, repetitions] = [11, 10];

/**
 * How often a process does it before it counts as warm: by then the engine underneath has compiled our code
 * for good.
 */
const warmingUp = 10;

/**
 * How long reading and compiling a large kernel takes: the first time, in processes of their own, and in one
 * that is warm.
 */
function codeGeneration(): Promise<Measurement[]> {
  return withPtx(inRepository("test", "bench", "peers", "large.cu"), async (path) => {
    const text = readFileSync(path, "utf8");
    const fresh: number[] = [];
    for (let process = 0; process < freshProcesses; process += 1) fresh.push(await firstTime(path, "large"));
    for (let time = 0; time < warmingUp; time += 1) generationTime(text, "large");
    const warm = Array.from({ length: repetitions }, () => generationTime(text, "large"));
    const lines = text.split("\n").length;
    const figure = (times: readonly number[]): Pick<Measurement, "value" | "unit" | "versus" | "ratio"> => ({
      value: rounded(quantile(times, 0.5)),
      unit: "ms",
      versus: "the goal of 100 ms",
      ratio: rounded(quantile(times, 0.5) / 100),
    });
    return [
      {
        metric: `PTX of ${lines} lines to code, the first time in a process, median of ${freshProcesses} processes`,
        ...figure(fresh),
      },
      {
        metric: `PTX of ${lines} lines to code, median of ${repetitions} in a warm process`,
        ...figure(warm),
      },
    ];
  });
}

const mega = 1024 * 1024;

/** Linear memory that a launch takes beyond its buffers, of 96 MB together. */
function memoryUse(): Measurement[] {
  const text = readFileSync(
    inRepository("test", "cases", "vgpu", "triton", "captured", "add_f32.ptx"),
    "utf8",
  );
  return [false, true].map((watched) => {
    const memory = new DeviceMemory();
    const count = 8 * mega;
    const buffers = ["x", "y", "out"].map((name) => memory.allocate(name, 4 * count));
    const outcome = launch(compile(text, "add_kernel", watched), {
      grid: [count / 1024, 1, 1],
      block: [128, 1, 1],
      dynamicSharedBytes: 0,
      memory,
      instructionBudget: 1e10,
      arguments: [...buffers.map(address), integer(count), address(0n), address(0n)],
    });
    if (outcome.kind !== "completed") throw new Error(`the bench kernel ended as ${outcome.kind}`);
    const beyond = memory.memory.buffer.byteLength - 12 * count;
    return {
      metric: `memory beyond 96 MB of buffers, ${watched ? "detectors on" : "detectors off"}`,
      value: rounded(beyond / mega),
      unit: "MB",
      versus: "the buffers",
      ratio: rounded(beyond / (12 * count)),
    };
  });
}

/** Speed, code generation and memory of the virtual GPU on one core. */
export async function measureSpeed(): Promise<Measurement[]> {
  return [...(await speeds()), ...(await codeGeneration()), ...memoryUse()];
}
