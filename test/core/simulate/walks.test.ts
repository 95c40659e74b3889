import { beforeAll, expect, test } from "vitest";
import { modelLaunch } from "../../../server/core/simulate/index";
import type { LaunchModel } from "../../../server/core/timing/execution/launch-model";
import { gpuNamed } from "../../../server/core/timing/gpu-model";
import { DeviceMemory, type KernelArgument } from "../../../server/core/vgpu/index";
import { type Compiled, compileCase } from "../../bench/orderings/price";
import { address, compileText, integer, run } from "../vgpu/support";

const [blocks, threads] = [64, 256];
let walks: Compiled;

beforeAll(async () => {
  walks = await compileCase("walks.cu", "sm_80");
});

/** The model of a launch whose first arguments are so many buffers, the last of them written. */
function modelOf(kernel: string, buffers: number, numbers: readonly number[]): LaunchModel {
  const compiled = compileText(walks.ptx, kernel, { counters: true });
  const memory = new DeviceMemory();
  const bytes = 4 * 1024 * 1024;
  const places = Array.from({ length: buffers }, (_, n): KernelArgument =>
    address(memory.allocate(`${n}`, bytes)),
  );
  const grid = [blocks, 1, 1] as const;
  const { executed } = run(compiled, {
    ...{ grid, block: [threads, 1, 1], memory, executed: true },
    arguments: [...places, ...numbers.map(integer)],
  });
  if (executed === undefined) throw new Error("nothing was counted");
  const shape = {
    ...{ blocks, threadsPerBlock: threads, sharedBytes: 0, footprintBytes: bytes * buffers },
    registersPerThread: walks.registers.get(kernel) ?? 0,
  };
  const model = modelLaunch({ kernel, shape, executed, cubin: walks.cubin }, gpuNamed("A100 40GB SXM"));
  if (!model.ok) throw new Error(model.problem.message);
  return model.value;
}

const rounds = 400;

interface Case {
  readonly name: string;
  readonly kernel: string;
  readonly buffers: number;
  readonly numbers: readonly number[];
  /** Machine instructions of a warp. */
  readonly instructions: number;
}

const cases: readonly Case[] = [
  {
    ...{ name: "a row walk goes around its loop as often as it was counted", kernel: "row_walk", buffers: 3 },
    ...{ numbers: [2048], instructions: 9 + 8 * 10 },
  },
  {
    ...{ name: "lanes that go two ways run both", kernel: "two_ways", buffers: 2 },
    ...{ numbers: [rounds, 1], instructions: 2 * rounds * 1.25 },
  },
  {
    ...{ name: "warps that go one of two ways run one", kernel: "two_ways", buffers: 2 },
    ...{ numbers: [rounds, 32], instructions: rounds * 1.25 },
  },
  {
    ...{ name: "a function costs what it executes at each call", kernel: "two_calls", buffers: 2 },
    ...{ numbers: [rounds], instructions: 2 * rounds * 1.25 },
  },
];

test.each(cases)("$name", ({ kernel, buffers, numbers, instructions }) => {
  const { mapping } = modelOf(kernel, buffers, numbers);
  const isNear = (value: number, expected: number): boolean => Math.abs(value / expected - 1) < 0.15;
  expect({
    isCounted: isNear(mapping.machineInstructions, instructions),
    isWalked: isNear(mapping.walked, 1),
    deviation: Math.round(10 * mapping.deviation),
  }).toEqual({ isCounted: true, isWalked: true, deviation: 0 });
});

test("stores of parts of sectors take several times as long as those of whole ones", () => {
  const [apart, together] = [32, 1].map((words) => modelOf("stores_apart", 1, [words]).clocks);
  expect(Number(apart) > 2 * Number(together)).toBe(true);
});
