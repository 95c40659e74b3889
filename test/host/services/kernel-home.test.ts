import { expect, it } from "vitest";
import { kernelHome } from "../../../server/host/services/workload/kernel-home";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { memoryFiles } from "../../harness/memory-files";

const kernel = "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n";
const launcher = "void run(float* x) { scale<<<1, 32>>>(x); }\n";
const slow = "void reference(float* x) { slow<<<1, 32>>>(x); }\n";
const headers = '#include "reference.h"\n#include "kernels.h"\n';
const declared = "#pragma once\n// scale: x *= 2\n__global__ void scale(float* x);\n";
const triton = "import triton\n\n@triton.jit\ndef scale(x, n):\n    pass\n";

interface Case {
  readonly what: string;
  readonly file: string;
  readonly kernel?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly home: string;
}

const cases: readonly Case[] = [
  {
    what: "the header that defines the kernel which the file launches",
    file: "src/run.cu",
    files: { "src/run.cu": `#include "scale.cuh"\n${launcher}`, "src/scale.cuh": kernel },
    home: "src/scale.cuh",
  },
  {
    what: "a header of C's ending that defines the kernel which the file launches",
    file: "main.cu",
    files: { "main.cu": `#include "kernels.h"\n${launcher}`, "kernels.h": kernel },
    home: "kernels.h",
  },
  {
    what: "a header behind another one",
    file: "run.cu",
    files: {
      "run.cu": `#include "all.h"\n${launcher}`,
      "all.h": '#include "scale.cuh"\n',
      "scale.cuh": kernel,
    },
    home: "scale.cuh",
  },
  {
    what: "the module that a Triton wrapper imports the kernel from",
    file: "wrapper.py",
    files: {
      "wrapper.py": "from kernels import scale\n\ndef run(x):\n    scale[(1,)](x, x.numel())\n",
      "kernels.py": triton,
    },
    home: "kernels.py",
  },
  {
    what: "the file itself where it has kernels of its own",
    file: "run.cu",
    files: {
      "run.cu": `#include "scale.cuh"\n__global__ void own(float* x) { x[0] = 1; }\n${launcher}`,
      "scale.cuh": kernel,
    },
    home: "run.cu",
  },
  {
    what: "the file itself where two headers have a kernel of that name",
    file: "run.cu",
    files: { "run.cu": `#include "a.cuh"\n#include "b.cuh"\n${launcher}`, "a.cuh": kernel, "b.cuh": kernel },
    home: "run.cu",
  },
  {
    what: "of two headers with kernels that it launches the one with most of them",
    file: "main.cu",
    files: {
      "main.cu": `${headers}${slow}${launcher}${launcher.replaceAll("scale", "grow")}`,
      "kernels.h": kernel + kernel.replace("scale", "grow"),
      "reference.h": kernel.replace("scale", "slow"),
    },
    home: "kernels.h",
  },
  {
    what: "of two headers with one kernel each that of the first launch",
    file: "main.cu",
    files: {
      "main.cu": `${headers}${launcher}${slow}`,
      "kernels.h": kernel,
      "reference.h": kernel.replace("scale", "slow"),
    },
    home: "kernels.h",
  },
  {
    what: "the file itself where nothing that it draws in has the kernel",
    file: "run.cu",
    files: { "run.cu": `#include "gone.cuh"\n${launcher}`, "scale.cuh": kernel },
    home: "run.cu",
  },
  {
    what: "the source that defines the kernel which a header declares",
    file: "include/scale.cuh",
    files: { "include/scale.cuh": declared, "src/scale.cu": kernel, "src/other.cu": launcher },
    home: "src/scale.cu",
  },
  {
    what: "of several sources with that kernel the one nearest to its declaration",
    file: "a/scale.cuh",
    files: { "a/scale.cuh": declared, "a/kernels.cu": kernel, "b/c/kernels.cu": kernel },
    home: "a/kernels.cu",
  },
  {
    what: "of two sources beside its declaration the one with the same name",
    file: "a/scale.cuh",
    files: { "a/scale.cuh": declared, "a/scale.cu": kernel, "a/scale_old.cu": kernel },
    home: "a/scale.cu",
  },
  {
    what: "the header itself where two sources beside it define the kernel",
    file: "a/scale.cuh",
    files: { "a/scale.cuh": declared, "a/first.cu": kernel, "a/second.cu": kernel },
    home: "a/scale.cuh",
  },
  {
    what: "the only header with kernels, whose launcher the file calls, found by an include folder",
    file: "csrc/binding.cu",
    files: {
      "csrc/binding.cu":
        "#include <kit/scale.cuh>\n#include <kit/plain.cuh>\nvoid bound(float* x) { run(x); }\n",
      "include/kit/scale.cuh": `${kernel}${launcher}`,
      "include/kit/plain.cuh": "// nothing __global__ here\n",
      "other/scale.cuh": kernel,
    },
    home: "include/kit/scale.cuh",
  },
  {
    what: "the file itself where it includes two headers with kernels",
    file: "bound.cu",
    files: {
      "bound.cu": '#include "a.cuh"\n#include "b.cuh"\nvoid bound(float* x) { run(x); }\n',
      "a.cuh": kernel,
      "b.cuh": kernel,
    },
    home: "bound.cu",
  },
  {
    what: "the only source with kernels that is linked with a program",
    file: "main.cu",
    files: {
      "main.cu": '#include "run.h"\nint main() { run(nullptr); }\n',
      "run.h": "void run(float* x);\n",
      "kernels.cu": `${kernel}${launcher}`,
      "other.cu": kernel.replace("scale", "other"),
    },
    home: "kernels.cu",
  },
  {
    what: "the source that is linked with a program which calls it behind a comment",
    file: "main.cu",
    files: {
      "main.cu": '#include "run.h"\nint main() {\n  // GPU kernel\n  run(nullptr);\n}\n',
      "run.h": "void run(float* x);\n",
      "kernel/run.cu": `${kernel}/* of the\n   GPU */\n${launcher}`,
    },
    home: "kernel/run.cu",
  },
  {
    what: "the program itself where two sources with kernels are linked with it",
    file: "main.cu",
    files: {
      "main.cu": '#include "run.h"\nint main() { run(nullptr); more(nullptr); }\n',
      "run.h": "void run(float* x);\nvoid more(float* x);\n",
      "kernels.cu": `${kernel}${launcher}`,
      "more.cu": `${kernel}${launcher}`.replaceAll("run", "more").replaceAll("scale", "grow"),
    },
    home: "main.cu",
  },
  {
    what: "the source of the kernel that was named, where the file has others",
    file: "run.cu",
    kernel: "scale",
    files: { "run.cu": `${declared}__global__ void own(float* x) { x[0] = 1; }\n`, "scale.cu": kernel },
    home: "scale.cu",
  },
];

for (const { what, file, kernel: named, files, home } of cases)
  it(`of a file without the kernel: ${what}`, async () => {
    expect(
      await kernelHome(memoryFiles(files), loadGrammars, {
        file,
        ...(named === undefined ? {} : { kernel: named }),
      }),
    ).toBe(home);
  });
