import { expect, test } from "vitest";
import { clangdConfiguration } from "../../../server/core/workload/build/clangd";
import { type BuildSettings, noBuildSettings } from "../../../server/core/workload/build-settings";

const from = { origin: "inferred", where: "CMakeLists.txt:3" } as const;
const settings: BuildSettings = {
  ...noBuildSettings,
  standard: { value: "c++17", ...from },
  includeFolders: [
    { folder: "include", ...from },
    { folder: "/opt/cutlass/include", ...from },
    { folder: "", ...from },
  ],
  defines: [
    { name: "TILE", value: "32", ...from },
    { name: "FAST", ...from },
    { name: "NDEBUG", value: false, ...from },
  ],
};

test("each group of files that are compiled alike has its part", () => {
  const text = clangdConfiguration(
    [
      { file: "src/a+b.cu", settings },
      { file: "src/c.cu", settings },
      { file: "plain.cu", settings: noBuildSettings },
    ],
    { architecture: "sm_90", workspaceFolder: "/home/me/project", toolkit: "/opt/cuda" },
  );
  const [shared = "", group = "", ...more] = text.split("---\n");
  expect(more).toEqual([]);
  expect(shared.slice(0, shared.indexOf("  Remove:"))).toBe(
    String.raw`# How clangd reads the CUDA files of this folder, as Kernelwright found that nvcc compiles them.
# Paths are those of this machine.
If:
  PathMatch: .*\.(cu|cuh)
CompileFlags:
  Add:
    - "-xcuda"
    - "--cuda-gpu-arch=sm_90"
    - "--no-cuda-version-check"
    - "-Wno-unknown-cuda-version"
    - "--cuda-path=/opt/cuda"
`,
  );
  expect(shared).toContain('    - "-gencode*"\n');
  expect(group).toBe(String.raw`If:
  PathMatch:
    - "src/a\\+b\\.cu"
    - "src/c\\.cu"
CompileFlags:
  Add:
    - "-std=c++17"
    - "-I/home/me/project/include"
    - "-I/opt/cutlass/include"
    - "-I/home/me/project"
    - "-DTILE=32"
    - "-DFAST"
    - "-UNDEBUG"
`);
});

test("without settings of their own there is one part for all", () => {
  const text = clangdConfiguration([{ file: "k.cu", settings: noBuildSettings }], {
    architecture: "sm_80",
    workspaceFolder: "/w",
  });
  expect(text).not.toContain("---");
  expect(text).not.toContain("--cuda-path");
});
