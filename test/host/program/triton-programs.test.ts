import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../architecture/project";
import { expectCase } from "../../harness/cases";
import { linesOf, startCommand } from "../../harness/command-line";
import { ProgramsHere } from "../../harness/programs-here";
import { python } from "../worker/worker-under-test";

const folder = join(projectRoot, "test/cases/triton-programs");

/**
 * Without what other work may change: frames in Triton and torch, addresses, modelled times and what the
 * autotuner takes by them, and that something is made once.
 */
function steady(text: string): string {
  return text
    .replace(/ {2}File "[^"]*site-packages[^"]*", line .*\n(?: {4}.*\n)*/g, "")
    .replace(/^kernelwright: making .*\n/gm, "")
    .replaceAll(`${folder}/`, "")
    .replace(/0x[0-9a-f]{9,}/g, "ADDRESS")
    .replace(/ took .*?: [\d.]+ (?:ns|µs|ms), /g, " took CONFIGURATION: TIME, ");
}

/** Programs without an environment of their own run one after the other in this process. */
const withPython = { KERNELWRIGHT_PYTHON: python };
const here = new ProgramsHere(withPython);

interface Program {
  readonly script: string;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

async function run({ script, flags = [], args = [], input = "", environment }: Program): Promise<{
  readonly code: number | null;
  readonly output: readonly string[];
  readonly errors: readonly string[];
}> {
  const words = [`${script}.py`, ...flags, "--", ...args];
  const { code, output, errors } = environment
    ? await startCommand(["run", ...words], { folder, input, environment: { ...withPython, ...environment } })
        .ended
    : await here.run(words, { folder, input });
  return { code, output: linesOf(steady(output)), errors: linesOf(steady(errors)) };
}

/** Programs that end well share one start of Python and torch. */
const programs: readonly (Program & { readonly title: string })[] = [
  {
    title: "tutorials",
    script: "several",
    args: ["vector_add", "softmax", "matmul", "layer_norm", "dropout", "flash_attention"],
  },
  {
    title: "what Triton and its runtime can",
    script: "several",
    args: ["questions", "atomics", "views", "benchmarks", "tuning", "pointer_tables", "hooks", "cuda_device"],
  },
  {
    title: "for another GPU",
    script: "several",
    flags: ["--arch", "sm_90"],
    args: ["questions", "eight_bits", "softmax"],
  },
  { title: "out_of_bounds", script: "out_of_bounds" },
  { title: "out_of_bounds, sanitized", script: "out_of_bounds", flags: ["--sanitize"] },
  {
    title: "several, sanitized",
    script: "several",
    flags: ["--sanitize"],
    args: ["vector_add", "uninitialized", "in_place"],
  },
  { title: "raises", script: "raises", args: ["4", "--sanitize"] },
  { title: "leaves", script: "leaves", input: "hello\n" },
  { title: "printing", script: "printing", environment: { TRITON_DEBUG: "1" } },
  { title: "processes", script: "processes" },
  { title: "eight_bits, too old a GPU", script: "eight_bits" },
  { title: "not for nvcc", script: "softmax", flags: ["--compile-option", "-O3"] },
];

test.each(programs)("$title", async (program) => {
  expectCase(`triton-programs/expected/${program.title.replace(/,? /g, "-")}.json`, await run(program));
});

/** Its compilers, and the runtime that they are given the first time, may take minutes on a busy machine. */
test("an extension's kernels run on the tensors' memory, and a fault has its line", async () => {
  const { code, output, errors } = await run({ script: "torch_extension" });
  expect({ code, output, errors }).toEqual({
    code: 0,
    output: [
      "scaled 990",
      "cuda:0 True 108 True",
      "499500.0 0.0",
      "scaled 990",
      "modelled True",
      "Could not run 'example::scale'",
      "CUDA error: an illegal memory access was encountered",
    ],
    errors: [
      "kernelwright: times between events are the modelled bound of the Triton launches, not a measurement",
      expect.stringMatching(
        /^kernelwright: torch_extension\.cu:10: out of bounds: thread .* writes 4 bytes at .* behind the end of "allocation 2" \(3960 bytes\)$/,
      ),
    ],
  });
});

test("a profile names the lines of the script and the modelled bound", async () => {
  const { code, output } = await run({ script: "vector_add", flags: ["--profile"] });
  const store =
    readFileSync(join(folder, "vector_add.py"), "utf8")
      .split("\n")
      .findIndex((line) => line.includes("tl.store")) + 1;
  expect(code).toBe(0);
  expect(output[1]).toBe("");
  expect(output[2]).toMatch(/^add_kernel: 97 blocks of 128 threads \(sm_80, A100/);
  expect(output.some((line) => /^ {2}modelled bound .*, set by /.test(line))).toBe(true);
  expect(output.some((line) => line.startsWith(`vector_add.py:${store} `))).toBe(true);
});

test("a Python without Triton is told what to do", async () => {
  const bare = mkdtempSync(join(tmpdir(), "kernelwright-bare-"));
  execFileSync(python, ["-m", "venv", "--without-pip", bare]);
  const { code, output, errors } = await run({
    script: "vector_add",
    environment: { KERNELWRIGHT_PYTHON: join(bare, "bin", "python"), PYTHONNOUSERSITE: "1", PYTHONPATH: "" },
  });
  rmSync(bare, { recursive: true, force: true });
  expect({
    code,
    output,
    told: errors.some((line) => line.includes(`${join(bare, "bin", "python")} -m pip install torch`)),
  }).toEqual({ code: 3, output: [], told: true });
});
