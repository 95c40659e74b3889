import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompileService, type FileCompiler } from "../../../server/host/services/compile-service";
import { createBuildService } from "../../../server/host/services/sources/build-service";
import { createInstanceFinder } from "../../../server/host/services/sources/kernel-instances";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { memoryFiles } from "../../harness/memory-files";
import { evaluatorOfFile } from "./evaluation-under-test";

const started = evaluatorOfFile();

/** Kernels and messages of a file in a workspace, as the editor gets them. */
async function compiled(
  files: Readonly<Record<string, string>>,
  file: string,
  words: readonly string[] = [],
): Promise<object> {
  const reader = memoryFiles(files);
  const builds = createBuildService({
    files: reader,
    tops: ["/workspace"],
    given: { words, folder: "/workspace", where: "the command line" },
    findInstances: createInstanceFinder(loadGrammars),
    readSetupFile: (text) => started.evaluator.readSetupFile(text),
  });
  const compiler: FileCompiler = {
    compileFile: (request) => started.evaluator.site(request.target).compileFile(request),
  };
  const { facts, diagnostics } = await createCompileService(reader, builds, compiler).facts({
    file,
    text: files[file] ?? "",
    target: { kind: "vgpu", architecture: "sm_80" },
    signal: new AbortController().signal,
  });
  return {
    kernels: facts.map(({ kernel }) => kernel).sort(),
    diagnostics: diagnostics.map((each) => `${each.severity} ${each.file}:${each.line} ${each.message}`),
  };
}

const extension = `#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
template <typename scalar_t>
__global__ void gate(
    const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> in,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> out) {
  using accumulated = at::acc_type<scalar_t, true>;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= in.size(2)) return;
  const accumulated x = in[blockIdx.y][0][column];
  if (x > 0) out[blockIdx.y][column] = scalar_t(1) / (scalar_t(1) + in[blockIdx.y][1][column]) + x;
}
std::vector<torch::Tensor> gate_forward(torch::Tensor in) {
  TORCH_CHECK(in.is_cuda(), "in must be on the GPU");
  const c10::cuda::OptionalCUDAGuard guard(device_of(in));
  auto out = torch::zeros({in.size(0), in.size(2)}, in.options());
  const dim3 blocks((in.size(2) + 255) / 256, in.size(0));
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "gate", [&] {
    gate<scalar_t><<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        in.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
        out.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
  });
  return {out};
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &gate_forward, "gate"); }
`;
/** Compiles only with what its setup.py says, which raises an error when it is run. */
const setupFile = `import os
from pathlib import Path
from torch.utils.cpp_extension import CUDAExtension
raise SystemExit("not to be run")
here = os.path.dirname(os.path.abspath(__file__))
root = Path(__file__).resolve().parent
flags = {"cxx": ["-O3"], "nvcc": ["--use_fast_math"] + ["-gencode=arch=compute_90,code=sm_90"]}
flags["nvcc"].append("-DWIDTH=4")
folders = [os.path.join(here, "native", "include"), f"{here}/more"]
folders += [str(root / "third")]
setup(
    ext_modules=[
        CUDAExtension(
            name="gates",
            sources=["gate.cu"],
            include_dirs=folders,
            define_macros=[("WITH_CUDA", None), ("DEPTH", "2")],
            extra_compile_args=flags,
        )
    ]
)
`;
const template = `#pragma once
namespace nn {
template <typename T, int N> __global__ void scale(T* values) { values[threadIdx.x] *= N; }
}
`;
const image = `#include <opencv2/opencv.hpp>
#include "helper_cuda.h"
__global__ void invert(unsigned char* pixels) { pixels[threadIdx.x] = 255 - pixels[threadIdx.x]; }
int main(int argc, char** argv) {
  cv::Mat picture = cv::imread(argv[1]);
  invert<<<1, 32>>>(picture.data);
  checkCudaErrors(cudaDeviceSynchronize());
}
`;

test.each<[string, Readonly<Record<string, string>>, string, object]>([
  [
    "a library that is not here, by whose types a header declares what only host code needs",
    {
      "options.h": `#pragma once
#include <opencv2/imgproc.hpp>
struct Options {
  int radius = 2;
  cv::Size window = { 3, 3 };
  static __host__ __device__ int twice(int value) { return 2 * value; }
};
void soften(const uchar* in, uchar* out, cv::Size size);
`,
      "soften.cu": `#include "options.h"
__global__ void soften_rows(const uchar* in, uchar* out, int columns) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at > 0 && at < columns) out[at] = (in[at - 1] + in[at]) / Options::twice(1);
}
void soften(const uchar* in, uchar* out, cv::Size size) {
  soften_rows<<<(size.width + 255) / 256, 256>>>(in, out, size.width);
}
`,
    },
    "soften.cu",
    {
      kernels: ["soften_rows"],
      diagnostics: [
        "warning options.h:2 the host code does not compile here: opencv2/imgproc.hpp: No such file or directory",
      ],
    },
  ],
  [
    "a PyTorch extension, with every type that it dispatches to",
    { "gate.cu": extension },
    "gate.cu",
    {
      kernels: ["gate<c10::BFloat16>", "gate<c10::Half>", "gate<double>", "gate<float>"],
      diagnostics: [],
    },
  ],
  [
    "a header that draws in libraries which the toolkit does not have",
    {
      "dev/common.h": `#pragma once
#include <cublas_v2.h>
#include <cublasLt.h>
#include "curand_kernel.h"
inline void check(cublasStatus_t status) { if (status != CUBLAS_STATUS_SUCCESS) throw status; }
__device__ inline float noise(curandState* state) { return curand_uniform(state); }
`,
      "dev/gelu.cu": `#include <cmath>
#include "common.h"
__global__ void gelu(float* x, curandState* states) { x[0] = noise(states) * tanhf(x[0]); }
`,
    },
    "dev/gelu.cu",
    { kernels: ["gelu"], diagnostics: [] },
  ],
  [
    "what CUDA 13 has no longer: a function's older parameters, a property, a shuffle without a mask",
    {
      "older.cu": `void prepare(float* x, size_t bytes) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (properties.clockRate > 0) cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, 0);
  cudaMemPrefetchAsync(x, bytes, 0);
  cudaThreadSynchronize();
}
__global__ void halve(float* x) {
  float sum = x[threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down(sum, lanes);
  if (threadIdx.x == 0) x[0] = sum / 2;
}
`,
    },
    "older.cu",
    { kernels: ["halve"], diagnostics: [] },
  ],
  [
    "a macro that makes device code of PyTorch's types, used without a semicolon",
    {
      "sums.cu": `#include <torch/extension.h>
#define SUMS(NAME)                                            \\
  template <typename T> struct NAME##Sum {                    \\
    static __device__ T of(T a, T b) { return OP(a, b); }     \\
    static __device__ at::Half half(at::Half a) { return a; } \\
  };
#define OP(x, y) x + y
SUMS(Plain)
#undef OP
static inline __device__ float both(float a, float b) { return PlainSum<float>::of(a, b); }
__global__ void twice(float* x) { x[threadIdx.x] = both(x[threadIdx.x], x[threadIdx.x]); }
`,
    },
    "sums.cu",
    { kernels: ["twice"], diagnostics: [] },
  ],
  [
    "a file of a project with a setup.py, which is read and not run",
    {
      "setup.py": setupFile,
      "csrc/k.cu": `#ifdef WITH_CUDA
#include <a.h>
#include <b.h>
#include <c.h>
__global__ void k(float* x) { x[0] = A + B + C + WIDTH + DEPTH; }
#endif
`,
      "native/include/a.h": "#define A 1\n",
      "more/b.h": "#define B 1\n",
      "third/c.h": "#define C 1\n",
    },
    "csrc/k.cu",
    { kernels: ["k"], diagnostics: [] },
  ],
  [
    "a file that a script of a folder around it loads as an extension",
    {
      "ops/fused.py": `from torch.utils import cpp_extension
fused = cpp_extension.load("fused", list(here.glob("kernels/*.cu")), extra_cuda_cflags=["-DWIDTH=4"])
`,
      "ops/other.py":
        'from torch.utils.cpp_extension import load\nload("o", ["o.cu"], None, ["-DWIDTH=A"])\n',
      "ops/kernels/fused.cu": "__global__ void k(float* x) { x[0] = WIDTH; }\n",
    },
    "ops/kernels/fused.cu",
    { kernels: ["k"], diagnostics: [] },
  ],
  [
    "a template in a header that another file instantiates",
    { "k.cuh": template, "src/main.cu": "void f(float* x) { nn::scale<float, 4><<<1, 32>>>(x); }\n" },
    "k.cuh",
    { kernels: ["scale<float, 4>"], diagnostics: [] },
  ],
  [
    "host code that needs a library which is not here",
    { "invert.cu": image },
    "invert.cu",
    {
      kernels: ["invert"],
      diagnostics: [
        "warning invert.cu:1 the host code does not compile here: opencv2/opencv.hpp: No such file or directory",
      ],
    },
  ],
  [
    "a mistake in device code is told, whatever the host code needs",
    { "invert.cu": image.replace("255 - pixels", "255 - pixel") },
    "invert.cu",
    {
      kernels: [],
      diagnostics: [
        "error invert.cu:1 opencv2/opencv.hpp: No such file or directory",
        'error invert.cu:3 identifier "pixel" is undefined',
      ],
    },
  ],
])("%s", async (_, files, file, expected) => expect(await compiled(files, file)).toEqual(expected));

test("a header outside of the workspace may include PyTorch's headers and have host code", async () => {
  const outside = await mkdtemp(join(tmpdir(), "kernelwright-outside-"));
  await mkdir(join(outside, "more"));
  await writeFile(
    join(outside, "check.h"),
    `#pragma once
#include "more/sizes.h"
#include <torch/types.h>
inline void on_gpu(torch::Tensor tensor) { TORCH_CHECK(tensor.is_cuda(), "it is on the GPU"); }
`,
  );
  await writeFile(
    join(outside, "more", "sizes.h"),
    "#pragma once\n#include <c10/util/Half.h>\n#define WIDTH 4\nusing Wide = c10::Half;\n",
  );
  const kernel = `#include "check.h"
__global__ void k(Wide* x) { x[0] = Wide(WIDTH); }
void run(torch::Tensor x) { on_gpu(x); k<<<1, 1>>>((Wide*)x.data_ptr()); }
`;
  const words = ["-I", outside];
  const made = await compiled({ "k.cu": kernel }, "k.cu", words).finally(() =>
    rm(outside, { recursive: true }),
  );
  expect(made).toEqual({
    kernels: ["k"],
    diagnostics: [
      `warning ${outside}/more/sizes.h:2 the host code does not compile here: c10/util/Half.h: No such file or directory`,
    ],
  });
});

test("a header that was missing is found as soon as it is there", async () => {
  const kernel = `#include <tile.h>\n__global__ void k(int* x) { x[0] = TILE; } // ${process.hrtime.bigint()}\n`;
  expect(await compiled({ "k.cu": kernel }, "k.cu")).toEqual({
    kernels: [],
    diagnostics: [
      "error k.cu:1 tile.h: No such file or directory",
      'error k.cu:2 identifier "TILE" is undefined',
    ],
  });
  expect(await compiled({ "k.cu": kernel, "libs/tile.h": "#define TILE 4\n" }, "k.cu")).toEqual({
    kernels: ["k"],
    diagnostics: [],
  });
});
