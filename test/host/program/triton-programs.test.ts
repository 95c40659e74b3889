import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../architecture/sources";
import { expectCase } from "../../harness/cases";
import { python } from "../worker/worker-under-test";

const folder = join(projectRoot, "test/cases/triton-programs");

/** Without what other work may change: frames in Triton and torch, addresses, modelled times and what the autotuner takes by them. */
function steady(text: string): string {
  return text.replace(/ {2}File "[^"]*site-packages[^"]*", line .*\n(?: {4}.*\n)*/g, "").replaceAll(`${folder}/`, "")
    .replace(/0x[0-9a-f]{9,}/g, "ADDRESS").replace(/ took .*?: [\d.]+ (?:ns|µs|ms), /g, " took CONFIGURATION: TIME, ");
}

interface Program {
  readonly script: string;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function run({ script, flags = [], args = [], input = "", environment = {} }: Program): { code: number | null; output: readonly string[]; errors: readonly string[] } {
  const ended = spawnSync(process.execPath, [join(projectRoot, "dist/kernelwright.js"), "run", `${script}.py`, ...flags, "--", ...args], {
    cwd: folder, input, encoding: "utf8", env: { ...process.env, KERNELWRIGHT_PYTHON: python, NO_COLOR: "1", ...environment },
  });
  const lines = (text: string): readonly string[] => text.split("\n").slice(0, -1);
  return { code: ended.status, output: lines(steady(ended.stdout)), errors: lines(steady(ended.stderr)) };
}

const programs: readonly (Program & { readonly title: string })[] = [
  { title: "vector_add", script: "vector_add" },
  { title: "softmax", script: "softmax" },
  { title: "matmul", script: "matmul" },
  { title: "layer_norm", script: "layer_norm" },
  { title: "dropout", script: "dropout" },
  { title: "flash_attention", script: "flash_attention" },
  { title: "atomics", script: "atomics" },
  { title: "views", script: "views" },
  { title: "out_of_bounds", script: "out_of_bounds" },
  { title: "out_of_bounds, sanitized", script: "out_of_bounds", flags: ["--sanitize"] },
  { title: "vector_add, sanitized", script: "vector_add", flags: ["--sanitize"] },
  { title: "uninitialized, sanitized", script: "uninitialized", flags: ["--sanitize"] },
  { title: "raises", script: "raises", args: ["4", "--sanitize"] },
  { title: "leaves", script: "leaves", input: "hello\n" },
  { title: "benchmarks", script: "benchmarks" },
  { title: "tuning", script: "tuning" },
  { title: "hooks", script: "hooks" },
  { title: "cuda_device", script: "cuda_device" },
  { title: "pointer_tables", script: "pointer_tables" },
  { title: "printing", script: "printing", environment: { TRITON_DEBUG: "1" } },
  { title: "processes", script: "processes" },
  { title: "softmax for another GPU", script: "softmax", flags: ["--arch", "sm_90"] },
  { title: "not for nvcc", script: "softmax", flags: ["--compile-option", "-O3"] },
];

test.each(programs)("$title", (program) => {
  expectCase(`triton-programs/expected/${program.title.replace(/,? /g, "-")}.json`, run(program));
});

test("a profile names the lines of the script and the modelled bound", () => {
  const { code, output } = run({ script: "vector_add", flags: ["--profile"] });
  const store = readFileSync(join(folder, "vector_add.py"), "utf8").split("\n").findIndex((line) => line.includes("tl.store")) + 1;
  expect(code).toBe(0);
  expect(output[1]).toMatch(/^add_kernel: 97 blocks of 128 threads \(sm_80, A100/);
  expect(output.some((line) => /^ {2}modelled bound .* binds /.test(line))).toBe(true);
  expect(output.some((line) => line.startsWith(`vector_add.py:${store} `))).toBe(true);
});

test("a Python without Triton is told what to do", () => {
  const ended = run({ script: "vector_add", environment: { KERNELWRIGHT_PYTHON: "python3" , PYTHONNOUSERSITE: "1" } });
  const installed = spawnSync("python3", ["-c", "import torch, triton"], { env: { ...process.env, PYTHONNOUSERSITE: "1" } }).status === 0;
  expect(installed || (ended.code === 3 && ended.errors.some((line) => line.includes("python3 -m pip install torch")))).toBe(true);
});
