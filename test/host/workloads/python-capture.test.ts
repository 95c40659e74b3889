import { copyFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeVerdict } from "../../../server/core/words/describe";
import { defaultTarget } from "../../../server/core/timing/target";
import { composeServices } from "../../../server/host/compose";
import type { FoundSpec } from "../../../server/host/services/services";
import { projectRoot } from "../../architecture/project";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-calls-")));
const file = "scaled_sums.py";
const unrecorded = "not_recorded.py";
for (const name of [file, unrecorded])
  copyFileSync(join(projectRoot, "test/cases/capture", name), join(folder, name));
const services = await composeServices({
  workspaceFolder: folder,
  sessionsFolder: join(folder, "sessions"),
  environment: process.env,
});
afterAll(async () => {
  await services.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function shown({ spec }: FoundSpec): object {
  const { run, inputs, outputs, shapes } = spec;
  const tensors = (of: typeof inputs): readonly string[] =>
    Object.entries(of).map(([name, { dtype, shape }]) => `${name} ${dtype}[${shape.join(", ")}]`);
  return {
    call: run.kind === "entry" ? run.entry.call : run.kind,
    inputs: tensors(inputs),
    outputs: tensors(outputs),
    cases: shapes.map(({ sizes, weight }) => [sizes, weight ?? 1]),
  };
}

test("a script that fails at its end has shown its calls; what only launches is a launch", async () => {
  const signal = new AbortController().signal;
  const captured = await services.captures.capture({
    file,
    arguments: [],
    compileOptions: [],
    target: defaultTarget,
    signal,
  });
  expect({ code: captured.code, workloads: captured.workloads.map(({ found }) => shown(found)) }).toEqual({
    code: 1,
    workloads: [
      {
        call: `${file}::scale(x.permute(1, 0), 2.0, bool(square))`,
        inputs: ["x float32[x_0, 10]"],
        outputs: ["result float32[10, x_0]"],
        cases: [
          [{ square: 1, x_0: 30 }, 1],
          [{ square: 0, x_0: 8 }, 2],
        ],
      },
      {
        call: `${file}::count_kernel[(grid_x,)](values=values, counts=counts, n=n, BLOCK=128)`,
        inputs: ["values int32[500]", "counts int32[16]"],
        outputs: ["counts int32[16]"],
        cases: [[{ n: 500, grid_x: 4 }, 1]],
      },
    ],
  });
  const verdicts = [];
  for (const kernel of ["scale_kernel", "count_kernel"]) {
    const { verdict } = await services.judge.check({ file, kernel }, { target: defaultTarget, signal });
    verdicts.push(`${kernel}: ${describeVerdict(verdict).replace(/ on .*/, "")}`);
  }
  expect(verdicts).toEqual(["scale_kernel: correct", "count_kernel: correct"]);
});

test("a kernel whose launches cannot be recorded is told with the reason", async () => {
  const captured = await services.captures.capture({
    ...{ file: unrecorded, arguments: [], compileOptions: [], target: defaultTarget },
    signal: new AbortController().signal,
  });
  const { workloads, notes } = captured;
  expect({ kernels: workloads.map(({ kernel }) => kernel), notes }).toEqual({
    kernels: ["double_kernel"],
    notes: [
      "inner_kernel: its launches cannot be recorded: no name of its module means the kernel",
      "first_kernel: its launches cannot be recorded: x is larger than what is recorded",
    ],
  });
});
