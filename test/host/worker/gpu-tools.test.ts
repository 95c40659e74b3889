import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { toolRunLines } from "../../../server/core/imports/tool-output";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { runGpuTools } from "../../../server/host/worker/hardware/tools/gpu-tools";
import { evaluatorOfFile } from "./evaluation-under-test";
import { virtualRuntime } from "./virtual-runtime";
import { python } from "./worker-under-test";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-fake-tools-"));
const folders = [folder];
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Programs in the place of NVIDIA's: they run the program with what they are handed, see that its last reply
 * begins with the status of a call that returned, and print what test/cases/imports holds, which was written
 * after documentation.
 */
const runs = `program() {
  while [ "\${1##*/}" != program ] && [ "\${1##*/}" != "$(basename "${python}")" ]; do shift; done
  "$@"
}
program "$@" > ${folder}/reply || exit 9
[ "$(od -An -tu8 -N8 ${folder}/reply | tr -d ' ')" = 1 ] || { echo "==ERROR== the program made no call"; exit 9; }`;
const log = `while [ "$1" != --log-file ]; do shift; done; log="$2"`;
const fakes = {
  ncu: `case "$*" in
--version) echo "NVIDIA (R) Nsight Compute Command Line Profiler"; echo "Version 2025.3.1.0" ;;
*--export*) ${runs}
  touch ${folder}/made ;;
*"--page raw"*) cat ${folder}/raw.csv ;;
*"--page source"*) cat ${folder}/source-lines.csv ;;
esac`,
  "compute-sanitizer": `case "$*" in
--version) echo "NVIDIA (R) Compute Sanitizer"; echo "Version 2025.3.0" ;;
*racecheck*) ${runs}
  ${log}; cp ${folder}/racecheck.txt "$log" ;;
*memcheck*) ${runs}
  ${log}; cp ${folder}/memcheck.txt "$log" ;;
esac`,
};

function install(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

beforeEach(() => {
  for (const name of ["raw.csv", "source-lines.csv", "memcheck.txt", "racecheck.txt"])
    copyFileSync(join(__dirname, "../../cases/imports", name), join(folder, name));
  for (const [name, text] of Object.entries(fakes)) install(name, text);
});

const { signal } = new AbortController();
/** A program that replies as one whose call returned. */
const program = Buffer.from(
  "#!/bin/sh\ncat > /dev/null\nprintf '\\001\\000\\000\\000\\000\\000\\000\\000'\n",
);

async function said(): Promise<readonly string[]> {
  return toolRunLines(
    await runGpuTools({ program, input: [Buffer.from("order")], environment: {}, folders }, signal),
  );
}

const permission =
  "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU counters";

test.each([
  [
    "the driver keeps its counters",
    () => install("ncu", `echo "${permission}"; exit 1`),
    /ERR_NVGPUCTRPERM.*administrators/,
  ],
  [
    "a tool is not installed",
    () => rmSync(join(folder, "ncu")),
    /ncu: nothing was measured \(command not found\).*install/,
  ],
  ["an old driver", () => install("ncu", "echo 'CUDA driver version is insufficient'"), /driver is older/],
  [
    "words that nobody knows",
    () => install("ncu", "echo 'no such option'"),
    /not understood here, on its line 1: /,
  ],
] as const)(
  "a refusal is told with its remedy, and the other tools still run: %s",
  async (_, prepare, told) => {
    prepare();
    const lines = await said();
    expect(lines.filter((line) => line.startsWith("ncu: "))).toEqual([expect.stringMatching(told)]);
    expect(lines.join("\n")).toMatch(
      /measured on the GPU by compute-sanitizer memcheck \(Version 2025.3.0\):/,
    );
  },
);

const inCuda: KernelSpec = {
  file: "twice.cu",
  kernel: "twice",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: { grid: ["n / 64"], block: [64], arguments: ["x", "y"] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 256 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};
const twice = `__global__ void twice(const float* x, float* y) {
  int i = blockIdx.x * 64 + threadIdx.x;
  y[i] = 2 * x[i];
}
`;
const inTriton: KernelSpec = {
  ...inCuda,
  file: "twice.py",
  dialect: "triton",
  run: { kind: "entry", entry: { call: "twice.py::double", arguments: ["x"] } },
};
const twiceInTriton = `import torch
import triton
import triton.language as tl


@triton.jit
def twice(x_pointer, y_pointer):
    offsets = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(y_pointer + offsets, 2 * tl.load(x_pointer + offsets))


def double(x):
    y = torch.empty_like(x)
    twice[(x.numel() // 64,)](x, y)
    return y
`;
const under = evaluatorOfFile({ gpuRuntime: (options) => virtualRuntime(options, folders) });

/** Proton is Triton's own: no kernel of CUDA is shown to it. */
const ofTriton = [
  "measured on the GPU by Proton (of Triton, version 3.8.0):",
  "measured on the GPU by Proton, samples (of Triton, version 3.8.0):",
];

test.each([
  ["CUDA", inCuda, { "twice.cu": twice }, []],
  ["Triton", inTriton, { "twice.py": twiceInTriton }, ofTriton],
] as const)(
  "a kernel in %s on a GPU is run under the tools, and what they print stands on its lines",
  async (_, spec, baseline, further) => {
    const target = { kind: "gpu", index: 0, architecture: "sm_80" } as const;
    const evaluation = await under.evaluator.open({ spec, specFolder: "", target, baseline }, signal);
    try {
      const outcome = await evaluation.check({
        tree: baseline,
        tier: "quick",
        counters: true,
        tools: true,
        signal,
      });
      const lines = toolRunLines(outcome.kind === "checked" ? (outcome.toolRuns ?? []) : []);
      expect(lines.filter((line) => !line.startsWith("  "))).toEqual([
        "measured on the GPU by ncu (Version 2025.3.1.0):",
        ...further,
        "measured on the GPU by compute-sanitizer memcheck (Version 2025.3.0):",
        "measured on the GPU by compute-sanitizer racecheck (Version 2025.3.0):",
      ]);
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}\/home\/user\/scale\.cu:7: /));
      expect(lines).toContainEqual(
        expect.stringMatching(/scale\.cu:6: out-of-bounds: Invalid __global__ write/),
      );
    } finally {
      await evaluation.close();
    }
  },
);
