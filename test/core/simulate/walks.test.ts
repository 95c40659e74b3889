import { mustGet } from "../../../server/core/base/known";
import { beforeAll, expect, test } from "vitest";
import { modelLaunch } from "../../../server/core/simulate/index";
import { isWalkedAsCounted, type LaunchModel } from "../../../server/core/timing/execution/launch-model";
import { gpuNamed } from "../../../server/core/timing/gpu-model";
import { DeviceMemory, type KernelArgument } from "../../../server/core/vgpu/index";
import { type Compiled, compileCase } from "../../bench/orderings/price";
import { address, compileText, integer, run } from "../vgpu/support";

const gpus = { sm_80: "A100 40GB SXM", sm_90: "H100 SXM" } as const;
type Architecture = keyof typeof gpus;
const compiledFor = new Map<Architecture, Compiled>();

beforeAll(async () => {
  for (const architecture of ["sm_80", "sm_90"] as const)
    compiledFor.set(architecture, await compileCase("walks.cu", architecture));
});

interface Launched {
  readonly architecture?: Architecture;
  /** Blocks, and threads of each. */
  readonly grid?: readonly [number, number];
}

/** The model of a launch whose first arguments are so many buffers, the last of them written. */
function modelOf(
  kernel: string,
  buffers: number,
  numbers: readonly number[],
  { architecture = "sm_80", grid: [blocks, threads] = [64, 256] }: Launched = {},
): LaunchModel {
  const walks = mustGet(compiledFor, architecture);
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
  const model = modelLaunch({ kernel, shape, executed, cubin: walks.cubin }, gpuNamed(gpus[architecture]));
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
    ...{ name: "lanes that end each in its own way run both", kernel: "two_ends", buffers: 2 },
    ...{ numbers: [1], instructions: 452 },
  },
  {
    ...{ name: "warps that end in one of two ways run one", kernel: "two_ends", buffers: 2 },
    ...{ numbers: [32], instructions: 244 },
  },
  {
    ...{
      name: "what rarely runs stands behind the rest and meets it again",
      kernel: "two_powers",
      buffers: 2,
    },
    ...{ numbers: [0x3f000000], instructions: 193 },
  },
  {
    ...{ name: "versions of a loop lie in any order", kernel: "rows_in_turn", buffers: 3 },
    ...{ numbers: [16384, 48], instructions: 412 },
  },
  {
    ...{ name: "a function costs what it executes at each call", kernel: "two_calls", buffers: 2 },
    ...{ numbers: [rounds], instructions: 2 * rounds * 1.25 },
  },
  {
    ...{ name: "one text that stands twice runs where it was counted", kernel: "kept_twice", buffers: 3 },
    ...{ numbers: [64 * 256 * 20], instructions: 20 * 26 },
  },
  {
    ...{ name: "what guards never let run is no less of a loop", kernel: "spikes", buffers: 3 },
    ...{ numbers: [64 * 256, 64], instructions: 1880 },
  },
  {
    ...{ name: "a turn of which all has guards is no less of a loop", kernel: "rare_spikes", buffers: 3 },
    ...{ numbers: [64 * 256, 64], instructions: 1090 },
  },
  {
    ...{ name: "lanes that look for each other take the common way", kernel: "matched_counts", buffers: 2 },
    ...{ numbers: [64 * 256 * 20], instructions: 20 * 22 },
  },
];

const onAll = (Object.keys(gpus) as Architecture[]).flatMap((architecture) =>
  cases.map((each) => ({ ...each, architecture })),
);

test.each(onAll)("$name on $architecture", ({ kernel, buffers, numbers, instructions, architecture }) => {
  const { mapping } = modelOf(kernel, buffers, numbers, { architecture });

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

interface Dearer {
  readonly name: string;
  readonly dear: () => LaunchModel;
  readonly cheap: () => LaunchModel;
  /** The least and the most that the first takes of the second. */
  readonly times: readonly [number, number];
}

const dearer: readonly Dearer[] = [
  {
    name: "sums of floats at one address take their turns more slowly than those of integers",
    dear: () => modelOf("one_sum_float", 1, []),
    cheap: () => modelOf("one_sum_integer", 1, []),
    times: [3, 4],
  },
  {
    name: "integers that lanes add at one address are added up in the warp, as if it were written so",
    dear: () => modelOf("joined_sum", 1, [], { grid: [1024, 256] }),
    cheap: () => modelOf("sum_joined_by_hand", 1, [], { grid: [1024, 256] }),
    times: [0.9, 1.1],
  },
  {
    name: "what the assembler does not know to be one address is added lane by lane",
    dear: () => modelOf("one_sum_integer", 1, [], { grid: [1024, 256] }),
    cheap: () => modelOf("joined_sum", 1, [], { grid: [1024, 256] }),
    times: [16, 33],
  },
  {
    name: "a count under a condition costs one addition a warp",
    dear: () => modelOf("joined_count", 2, [], { grid: [1024, 256] }),
    cheap: () => modelOf("sum_joined_by_hand", 1, [], { grid: [1024, 256] }),
    times: [0.9, 1.3],
  },
  {
    name: "ones that a warp adds at one shared address are counted at once, other numbers lane by lane",
    dear: () => modelOf("shared_threes", 2, [rounds], { grid: [108, 256] }),
    cheap: () => modelOf("shared_ones", 2, [rounds], { grid: [108, 256] }),
    times: [6, 33],
  },
  {
    name: "blocks are handed out one by one, so that many small ones take longer",
    dear: () => modelOf("nothing_much", 1, [], { grid: [16384, 32] }),
    cheap: () => modelOf("nothing_much", 1, [], { grid: [2048, 256] }),
    times: [2.5, 9],
  },
  {
    name: "fragments whose rows lie in the same banks are loaded row by row",
    dear: () => modelOf("fragments_128", 1, [64], { grid: [432, 128] }),
    cheap: () => modelOf("fragments_136", 1, [64], { grid: [432, 128] }),
    times: [2, 16],
  },
  {
    name: "local memory that the first level cannot hold for all threads is slow",
    dear: () => modelOf("local_words", 1, [64, 255], { grid: [864, 256] }),
    cheap: () => modelOf("local_words", 1, [64, 7], { grid: [108, 32] }),
    times: [4, 1000],
  },
  {
    name: "asynchronous copies of scattered words wait for memory",
    dear: () => modelOf("copied_words", 1, [32], { grid: [864, 256] }),
    cheap: () => modelOf("copied_words", 1, [1], { grid: [864, 256] }),
    times: [3, 40],
  },
  {
    name: "a few tiles for many blocks take as long as one tile for each block",
    dear: () => modelOf("dealt_tiles", 2, [16, 64]),
    cheap: () => modelOf("dealt_tiles", 2, [64, 64]),
    times: [0.8, 1.1],
  },
  {
    name: "blocks that have nothing to do take no time from those that work",
    dear: () => modelOf("few_rows", 2, [16 * 32], { grid: [16, 32] }),
    cheap: () => modelOf("few_rows", 2, [16 * 32], { grid: [96, 32] }),
    times: [0.9, 1.1],
  },
  {
    name: "blocks that begin together wait for memory as long when they read the same as when they do not",
    dear: () => modelOf("steps_of_blocks", 2, [16, 16]),
    cheap: () => modelOf("steps_of_blocks", 2, [16, 0]),
    times: [0.9, 1.2],
  },
  {
    name: "of the copies of an unrolled loop the first brings in what the others find",
    dear: () => modelOf("eight_items", 2, [1, 65_536], { grid: [64, 96] }),
    cheap: () => modelOf("eight_items", 2, [8, 1], { grid: [64, 96] }),
    times: [2.6, 9],
  },
  {
    name: "atomics of two versions in one kernel wait as those of one do",
    dear: () => modelOf("two_sums_twice", 3, [64 * 256]),
    cheap: () => modelOf("two_sums", 3, [64 * 256]),
    times: [0.95, 1.05],
  },
];

test.each(dearer)("$name", ({ dear, cheap, times: [least, most] }) => {
  const [long, short] = [dear(), cheap()];
  const times = long.clocks / short.clocks;
  expect(times > least && times < most ? "as expected" : `${times} times`).toBe("as expected");
  expect([long, short].map(isWalkedAsCounted)).toEqual([true, true]);
});
