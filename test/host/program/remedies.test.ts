import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { remedyFor } from "../../../server/host/program/build/remedies";

const folder = mkdtempSync(join(tmpdir(), "remedies-"));
writeFileSync(join(folder, "scale.cu"), "__device__ float scale(float x) { return 2 * x; }\n");
for (const path of [".git", "app", "common/include", "other"])
  mkdirSync(join(folder, path), { recursive: true });
for (const path of ["common/include/check.h", "common/twice.h", "other/twice.h"])
  writeFileSync(join(folder, path), "");

mkdirSync(join(folder, "linked"));
writeFileSync(join(folder, "linked/plot.cu"), "// nvcc plot.cu -o plot -lkernelwrightplots\nint main() {}\n");
writeFileSync(
  join(folder, "linked/compile.sh"),
  "nvcc plot.cu -L/opt/plots/lib -lm -lcublas -o plot-large\n",
);

const older = ["-include", "/headers/kernelwright_older_cuda.h"];
const lambda =
  "a.cuh(87): error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag\n";
const prefetch = `a.cu(67): error: no suitable constructor exists to convert from "int" to "cudaMemLocation"
      cudaMemPrefetchAsync(b, bytes, ((int)-1));
`;

const cases: readonly {
  readonly title: string;
  readonly said: string;
  readonly file?: string;
  readonly compileOptions?: readonly string[];
  readonly words?: readonly string[];
  readonly notes?: readonly string[];
  readonly advice?: string;
  readonly architecture?: string;
  readonly gpu?: string;
}[] = [
  {
    title: "an older function",
    said: prefetch,
    words: older,
    notes: [
      "CUDA 13 has no cudaMemPrefetchAsync of a GPU's number any more; it is taken as older toolkits had it",
    ],
  },
  { title: "an older function for which the header did not help", said: prefetch, compileOptions: older },
  {
    title: "shuffles and texture references",
    said: 'a.cu(9): error: identifier "__shfl_down" is undefined\na.cu(2): error: texture is not a template\n',
    words: [...older, "-include", "/headers/kernelwright_texture_references.h"],
    notes: [
      "CUDA 13 has no __shfl_down any more; it is taken as older toolkits had it",
      "CUDA 13 has no texture references any more; they are taken as CUDA 11 had them",
    ],
  },
  {
    title: "votes without a mask",
    said: "ptxas a.ptx, line 9; error   : Instruction 'vote' without '.sync' is not supported on .target sm_70\n",
    words: older,
    notes: [
      "CUDA 13 has no __any, __all and __ballot without a mask any more; they are taken as older toolkits had them",
    ],
  },
  {
    title: "a lambda",
    said: lambda,
    words: ["--extended-lambda"],
    notes: ["lambdas of device code: compiled with --extended-lambda"],
  },
  {
    title: "an option that the compiler names",
    said: `a.cu(9): error: calling a constexpr __host__ function("min") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.\n`,
    words: ["--expt-relaxed-constexpr"],
    notes: ["constexpr functions of the host in device code: compiled with --expt-relaxed-constexpr"],
  },
  {
    title: "an option that was given and named",
    said: lambda,
    compileOptions: ["--extended-lambda"],
  },
  {
    title: "device code of another file",
    said: "scale is defined in no device code of the file that calls it: -rdc=true has the device code of several files linked\n",
    words: ["-rdc=true", "scale.cu"],
    notes: ["scale.cu is compiled as well: scale is defined there"],
  },
  {
    title: "libraries that the build names, of which one is not there",
    file: "linked/plot.cu",
    said: "plot.cu:(.text+0x12): undefined reference to `draw_line'\n",
    words: ["-lm"],
    notes: ["linked with -lm, as compile.sh does"],
    advice: "plot.cu links -lkernelwrightplots, which this system does not have\n",
  },
  {
    title: "libraries that did not help",
    file: "linked/plot.cu",
    compileOptions: ["-lm", "-lkernelwrightplots"],
    said: "plot.cu:(.text+0x12): undefined reference to `draw_line'\n",
  },
  {
    title: "a header of the project",
    said: "app/a.cu:1:10: fatal error: check.h: No such file or directory\n",
    words: ["-Icommon/include"],
    notes: ["check.h is taken from common/include (-Icommon/include)"],
  },
  {
    title: "a header in two folders",
    said: 'app/a.cu(4): catastrophic error: cannot open source file "twice.h"\n',
    advice: "app/a.cu:4: twice.h is in common, other: name the one that is meant with -I\n",
  },
  {
    title: "a header that is nowhere",
    said: "app/a.cu:1:10: fatal error: plot/plot.h: No such file or directory\n",
    advice:
      "app/a.cu:1: plot/plot.h is in no folder of the toolkit, of the system or near the source: name its folder with -I, or install what it belongs to\n",
  },
  {
    title: "an instruction of a newer GPU",
    said: "ptxas a.ptx, line 28; error   : Feature 'cp.async.bulk' requires .target sm_90 or higher\n",
    advice: "kernelwright: the GPU that is modelled is sm_80: --arch sm_90 models one that has this\n",
  },
  {
    title: "an instruction of which the compiler names no GPU",
    said: "ptxas a.ptx, line 26; error   : Instruction 'wgmma.fence' not supported on .target 'sm_80'\n",
    advice: "kernelwright: the GPU that is modelled is sm_80: --arch sm_90 models one that has this\n",
  },
  {
    title: "an instruction of one architecture alone",
    gpu: "sm_90",
    said: "ptxas a.ptx, line 9; error   : Instruction 'wgmma.fence' not supported on .target 'sm_90'\n",
    notes: ["instructions of sm_90 alone: compiled for sm_90a"],
    architecture: "sm_90a",
  },
  { title: "a mistake of the program", said: 'a.cu(3): error: expected a ";"\n' },
];

test.each(cases)(
  "$title has its remedy",
  async ({
    said,
    file = "a.cu",
    compileOptions = [],
    words = [],
    notes = [],
    advice = "",
    architecture,
    gpu = "sm_80",
  }) => {
    const build = { file, folder, headers: "/headers", included: [], architecture: gpu };
    const given = { ...build, said, compileOptions };
    expect(await remedyFor(given)).toEqual({ words, notes, advice, architecture });
  },
);
