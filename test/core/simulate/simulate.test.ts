import { beforeAll, expect, test } from "vitest";
import { modelLaunch } from "../../../server/core/simulate/index";
import { gpuNamed } from "../../../server/core/timing/gpu-model";
import type { LaunchModel } from "../../../server/core/timing/execution/launch-model";
import { DeviceMemory, type Triple } from "../../../server/core/vgpu/index";
import { type Compiled, compileCase } from "../../bench/orderings/price";
import { address, compileText, float, integer, run } from "../vgpu/support";

const size = 256;
let sgemm: Compiled;

beforeAll(async () => {
  sgemm = await compileCase("sgemm.cu", "sm_86");
});

function modelOf(kernel: string, grid: Triple, block: Triple): LaunchModel {
  const compiled = compileText(sgemm.ptx, kernel, { counters: true });
  const memory = new DeviceMemory();
  const [a, b, c] = ["a", "b", "c"].map((name) => address(memory.allocate(name, 4 * size * size)));
  const numbers = [integer(size), integer(size), integer(size)];
  const { executed } = run(compiled, {
    ...{ grid, block, memory, executed: true },
    arguments: [...numbers, float(1), a, b, float(0), c].filter((each) => each !== undefined),
  });
  if (executed === undefined) throw new Error("nothing was counted");
  const registersPerThread = sgemm.registers.get(kernel) ?? 0;
  const shape = {
    ...{ registersPerThread, sharedBytes: compiled.sharedBytes, footprintBytes: 12 * size * size },
    blocks: grid[0] * grid[1] * grid[2],
    threadsPerBlock: block[0] * block[1] * block[2],
  };
  const model = modelLaunch({ kernel, shape, executed, cubin: sgemm.cubin }, gpuNamed("RTX A6000"));
  if (!model.ok) throw new Error(model.problem.message);
  return model.value;
}

test("products of matrices: counts fit the machine code, and coalesced loads are faster", () => {
  const models = [
    modelOf("sgemm_naive", [8, 8, 1], [32, 32, 1]),
    modelOf("sgemm_coalesced", [8, 8, 1], [1024, 1, 1]),
    modelOf("sgemm_column_tiles", [4, 4, 1], [512, 1, 1]),
  ];
  const [naive, coalesced] = models.map(({ nanoseconds }) => nanoseconds);
  expect({
    isOrdered: Number(naive) > 2 * Number(coalesced),
    methods: models.map(({ mapping }) => mapping.method),
    areClose: models.map(({ mapping }) => mapping.deviation < 0.02),
    areWhole: models.map(({ activities }) => Math.round(1000 * sum(Object.values(activities)))),
    linesAreWhole: models.map(({ lines }) => Math.round(1000 * sum(lines.map(({ share }) => share)))),
  }).toEqual({
    isOrdered: true,
    methods: ["graph", "graph", "graph"],
    areClose: [true, true, true],
    areWhole: [1000, 1000, 1000],
    linesAreWhole: [1000, 1000, 1000],
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
