import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { doctorProbes } from "../../../server/host/toolchain/doctor-probes";
import { findNvcc } from "../../../server/host/toolchain/find-nvcc";
import { startCommand } from "../../harness/command-line";
import { python, workerFolder } from "../worker/worker-under-test";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-doctor-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const { signal } = new AbortController();

test("the doctor runs nothing of the folder that the user is in", async () => {
  const hostile = join(folder, "hostile");
  mkdirSync(hostile);
  for (const name of ["csv", "email", "glob", "re", "kernelwright_worker"])
    writeFileSync(join(hostile, `${name}.py`), `open(${JSON.stringify(join(folder, "ran"))}, "w")\n`);
  const { code, output } = await startCommand(["doctor", "--json"], { folder: hostile }).ended;
  expect({
    told: output.includes("Python"),
    known: [0, 1].includes(code ?? -1),
    ran: existsSync(join(folder, "ran")),
  }).toEqual({ told: true, known: true, ran: false });
});

test.each([
  ["triton 3.3.1", "unusable", / is older than 3\.4, the oldest that kernels are checked with$/],
  ["triton 3.4.0", "found", /^triton 3\.4\.0 \(/],
  ["triton 4.0", "found", /^triton 4\.0 \(/],
] as const)("a Python that says %s has a Triton that is %s", async (said, state, detail) => {
  const interpreter = join(folder, "python");
  writeFileSync(interpreter, `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 });
  const { triton } = doctorProbes({
    ...{ python: { python: interpreter, because: "setting" }, nvcc: "", requiredWalls: [], workerFolder },
    environment: {},
    model: {
      name: "",
      endpoint: "",
      hasKey: () => Promise.resolve(false),
      findLocal: () => Promise.resolve([]),
    },
  });
  expect(await triton?.(signal)).toEqual({ state, detail: expect.stringMatching(detail) as string });
});

test("nvcc is what was named, else what the worker finds", async () => {
  const ask = (
    setting: string,
    environment: Readonly<Record<string, string>>,
    interpreter = python,
  ): Promise<string> => findNvcc({ setting, environment, python: interpreter, workerFolder, signal });
  const byWorker = execFileSync(
    python,
    ["-B", "-c", "from kernelwright_worker.compile.tools import find_nvcc; print(find_nvcc())"],
    { cwd: workerFolder, encoding: "utf8" },
  ).trim();
  expect(
    await Promise.all([
      ask("mine", { KERNELWRIGHT_NVCC: "other" }),
      ask("", { KERNELWRIGHT_NVCC: "other" }),
      ask("", {}),
      ask("", { PATH: process.env["PATH"] ?? "" }),
    ]),
  ).toEqual(["mine", "other", byWorker, byWorker]);
  const path = ["bare", "script", "program"].map((name) => join(folder, name));
  mkdirSync(join(path[0] ?? "", "nvcc"), { recursive: true });
  for (const [index, mode] of [0o644, 0o755].entries()) {
    mkdirSync(path[index + 1] ?? "");
    writeFileSync(join(path[index + 1] ?? "", "nvcc"), "", { mode });
  }
  expect(await ask("", { PATH: path.join(":") }, join(folder, "no-python"))).toBe(
    join(path[2] ?? "", "nvcc"),
  );
  expect(["nvcc", "/usr/local/cuda/bin/nvcc"]).toContain(await ask("", {}, join(folder, "no-python")));
});
