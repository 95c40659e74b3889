import { expect, test } from "vitest";
import { cudaInPython } from "../../../server/core/language/cuda-in-python";

const kernel = "__global__ void k(float* x) { x[0] = 1; }";

/** Texts of Python and the CUDA code in them. */
test.each<[string, string, string | undefined]>([
  ["no kernel", 'text = """__device__ float f();"""\n', undefined],
  ["a docstring that speaks of none", '"""Calls CUDA."""\nx = 1\n', undefined],
  [
    "a raw text, on its lines",
    `import cupy\n\ncode = r'''\n${kernel}\n'''\nname = "k"\n`,
    `#line 2 "a/k.py"\n\n\n${kernel}\n\n`,
  ],
  [
    "the code of an inline extension gets PyTorch's header",
    `import torch\nfrom torch.utils.cpp_extension import load_inline\n\ncode = """\n${kernel}\n"""\n`,
    `#include <torch/extension.h>\n#line 3 "a/k.py"\n\n\n${kernel}\n\n`,
  ],
  [
    "helpers in a text of their own, and escapes of Python",
    `import cupy\nh = """\n__device__ int one() { return 1; }"""\nc = """\n${kernel} // \\"x\\"\nconst char* s = "a\\\\n";\n"""\n`,
    `#line 2 "a/k.py"\n\n__device__ int one() { return 1; }\n\n${kernel} // "x"\nconst char* s = "a\\n";\n\n`,
  ],
  ["a formatted text with a place to fill", `c = f"""\n__global__ void k{name}() {{}}\n"""\n`, undefined],
  ["a formatted text without one", `c = f"""__global__ void k() {{}}"""\n`, "__global__ void k() {}\n"],
])("%s", (_, python, code) => {
  expect(cudaInPython(python, "a/k.py")).toBe(code);
});
