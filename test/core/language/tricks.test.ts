import { expect, test } from "vitest";
import { createSyntaxCheck } from "../../../server/host/services/syntax";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const entry = "def add(a, b):\n    return launch(a, b)\n";
const cases: readonly {
  readonly name: string;
  readonly path?: string;
  readonly before?: string;
  readonly text: string;
  readonly told: readonly string[];
}[] = [
  {
    name: "a call that is counted",
    text: "calls = 0\n\ndef add(a, b):\n    global calls\n    calls += 1\n    return launch(a, b) if calls < 9 else a\n",
    told: ["error 5 trick counts-calls"],
  },
  {
    name: "a call that is counted for a log alone, and one that a function is told of",
    text: 'import logging\n\nlog = logging.getLogger(__name__)\ncalls = {"add": 0}\n\ndef add(a, b):\n    calls["add"] += 1\n    log.debug("call %d of %s", calls["add"], f"add {calls}")\n    return launch(a, b)\n',
    told: [],
  },
  {
    name: "a call that is counted, and told to who may do anything with it",
    text: 'log = Log()\ncalls = [0]\n\ndef add(a, b):\n    calls[0] += 1\n    log.debug("call %d", calls[0])\n    return launch(a, b)\n',
    told: ["error 5 trick counts-calls"],
  },
  {
    name: "a count that is read by its text",
    text: 'calls = 0\n\ndef add(a, b):\n    global calls\n    calls += 1\n    return launch(a, globals()["cal" + "ls"])\n',
    told: ["error 5 trick counts-calls"],
  },
  {
    name: "an import that may be missing",
    text: `try:\n    import fast\nexcept (ImportError, ModuleNotFoundError) as missing:\n    fast = None\n${entry}`,
    told: [],
  },
  {
    name: "what is done where an import is missing, and where a launch fails",
    text: "try:\n    import fast\nexcept ImportError:\n    def launch(a, b):\n        return a + b\n\ndef add(a, b):\n    try:\n        return launch(a, b)\n    except ImportError:\n        return a\n",
    told: ["warning 3 trick falls-back"],
  },
  {
    name: "helpers that are named as the runtime names its own, and one of its own",
    path: "k.cu",
    text: 'inline void __cudaSafeCall(cudaError_t error, const char* file, int line) { if (error) exit(1); }\nvoid __cudaCheckError(const char* file, int line) { __cudaSafeCall(cudaGetLastError(), file, line); }\nextern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) { return 1; }\n',
    told: ["error 3 trick patches-a-library"],
  },
  {
    name: "macros that paste names of the file",
    path: "k.cu",
    text: "#define LOAD(k) float x##k = a[k];\n#define NAMED(name, type) name##_##type\n__global__ void NAMED(add, float)(float* a) { LOAD(0) LOAD(1) }\n",
    told: [],
  },
  {
    name: "macros that paste names of a runtime, in other spellings",
    path: "k.cu",
    text: "#define JOIN(a, b) a%:%:b\nvoid run() { JOIN(cu, daFree)(0); }\n",
    told: ["warning 1 trick pastes-names"],
  },
  {
    name: "a macro that completes a name of a runtime",
    path: "k.cu",
    text: "#define C(rest) c##rest\nvoid run() { C(udaFree)(0); }\n",
    told: ["warning 1 trick pastes-names"],
  },
  {
    name: "a file of the machine that the preprocessor looks for, and a header of the toolkit",
    path: "k.cu",
    text: '#if __has_include(<cuda/std/span>)\n#include <cuda/std/span>\n#endif\n#if __has_include("/usr/include/driver.h")\n#define HALF\n#endif\n',
    told: ["warning 4 trick reads-its-place"],
  },
  {
    name: "a clock whose name stands in two strings",
    path: "k.cu",
    text: '__global__ void k(int* a) {\n  asm("mov.u32 %0, %%" "clock_hi;" : "=r"(a[0]));\n}\n',
    told: ["warning 2 trick reads-its-place"],
  },
  {
    name: "assembly whose text a macro completes, and assembly of several plain strings",
    path: "k.cu",
    text: '#define WHAT "clock;"\n__global__ void k(int* a) {\n  asm volatile("add.s32 %0, %0, 1;\\n" "add.s32 %0, %0, 2;" : "+r"(a[0]));\n  asm("mov.u32 %0, %%" WHAT : "=r"(a[0]));\n}\n',
    told: ["warning 4 trick hides-assembly"],
  },
  {
    name: "assembly of Triton whose text is computed, and such that stands there",
    text: 'def k(x):\n    tl.inline_asm_elementwise("shl.b32 $0, $0, 3;", "=r,r", [x])\n    tl.inline_asm_elementwise("mov.u32 $0, %" + NAME, "=r,r", [x])\n    tl.inline_asm_elementwise(asm=TEXT, constraints="=r,r", args=[x])\n',
    told: ["warning 3 trick hides-assembly"],
  },
  {
    name: "the time that work takes",
    path: "k.cu",
    text: "void run() { auto now = std::chrono::steady_clock::now(); }\n",
    told: ["warning 1 trick reads-its-place"],
  },
  {
    name: "a call that is counted in a list of the module, and in an attribute",
    text: "seen = [0]\nstate = Box()\n\ndef add(a, b):\n    seen[0] += 1\n    state.n.calls -= 1\n    return launch(a, seen[0])\n",
    told: ["error 5 trick counts-calls"],
  },
  {
    name: "a number that is drawn from an iterator of the module, and from one of the call",
    text: "turns = itertools.count()\n\ndef add(a, b):\n    blocks = iter((1, 2))\n    return launch(a, next(blocks), next(turns))\n",
    told: ["error 5 trick counts-calls"],
  },
  {
    name: "sums in a table of a function's own",
    text: "rows = {}\n\ndef add(a, b):\n    rows = {1: 0}\n    rows[1] += 1\n    return launch(a, b, rows)\n",
    told: [],
  },
  {
    name: "a library's function that is replaced by the slot of its class, and in the table of its module",
    text: `from triton.runtime.jit import JITFunction\nimport torch\ntype.__setattr__(JITFunction, "run", None)\nvars(torch)["add"] = None\ntorch.nn.__dict__.update(a=1)\n${entry}`,
    told: ["error 3 trick patches-a-library", "error 4 trick patches-a-library"],
  },
  {
    name: "files of the system, and one that lies elsewhere",
    text: `kind = open("/proc/self/status").read()\nother = open("tables/proc/a.txt")\n${entry}`,
    told: ["warning 1 trick reads-its-place"],
  },
  {
    name: "the number of a grid in inline assembly",
    path: "k.cu",
    text: 'void run() {}\n__global__ void k() {\n  unsigned long long grid;\n  asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));\n}\n',
    told: ["warning 4 trick reads-its-place"],
  },
  {
    name: "the number of a multiprocessor in Triton's own words and in assembly",
    text: `@triton.jit\ndef k(x):\n    place = cuda.smid()\n    again = tl.inline_asm_elementwise("mov.u32 $0, %smid;", "=r", [], tl.int32, True, 1)\n${entry}`,
    told: ["warning 4 trick reads-its-place", "warning 3 trick reads-its-place"],
  },
  {
    name: "a pointer of the call before that is compared, and scratch memory that is kept",
    path: "k.cu",
    text: "void run(const float* x) {\n  static float* scratch = nullptr;\n  static int room = 0;\n  static const float* last = nullptr;\n  if (scratch == nullptr || room != 4) cudaMalloc(&scratch, 4);\n  if (last == x) return;\n  k<<<1, 32>>>(x, scratch);\n}\n",
    told: ["warning 6 trick keeps-results"],
  },
  {
    name: "files of the system in host code",
    path: "k.cu",
    text: 'void run(float* x) {\n  std::ifstream driver("/proc/driver/nvidia/version");\n  k<<<1, 32>>>(x);\n}\n',
    told: ["warning 2 trick reads-its-place"],
  },
  {
    name: "a sum of a function's own",
    text: "def add(a, b):\n    total = 0\n    total += 1\n    return launch(a, b, total)\n",
    told: [],
  },
  {
    name: "a library's function that is replaced",
    text: `import time\ntime.perf_counter = lambda: 0\ntorch.backends.cuda.matmul.allow_tf32 = False\n${entry}`,
    told: ["error 2 trick patches-a-library"],
  },
  {
    name: "a method of an imported class, under a name of its own, and a setting",
    text: `from triton.runtime.jit import JITFunction as F\nimport torch as t\nt._dynamo.config.verbose = True\nF.run = None\n${entry}`,
    told: ["error 4 trick patches-a-library"],
  },
  {
    name: "attributes of what the file itself defines, one with the name of a part of a module",
    text: `import torch.cuda, a.b as c\nfrom triton.runtime.jit import JITFunction\nruntime.last = cuda.last = b.last = 1\nclass Box:\n    last = None\nBox.last = 1\nsetattr(Box, "last", 2)\n${entry}`,
    told: [],
  },
  {
    name: "an operator of torch under another name",
    text: `import torch\nlib = torch.library.Library("aten", "IMPL")\n${entry}`,
    told: ["error 2 trick patches-a-library"],
  },
  {
    name: "a child process of os",
    text: `import os\nchild = os.fork()\n${entry}`,
    told: ["error 2 trick reaches-out"],
  },
  {
    name: "results that a default keeps",
    text: "def add(a, b, known={}):\n    return known.setdefault(a[0].item(), launch(a, b))\n",
    told: ["warning 1 trick keeps-results"],
  },
  {
    name: "a launch that is answered from memory, and a property of the device that is",
    text: "@lru_cache\ndef processors():\n    return torch.cuda.get_device_properties(0).multi_processor_count\n\n@functools.lru_cache(maxsize=None)\ndef add(a, b):\n    out = torch.empty_like(a)\n    add_kernel[(1,)](a, b, out)\n    return out\n",
    told: ["warning 5 trick keeps-results"],
  },
  {
    name: "the environment of a process",
    text: `import os\nfast = os.environ.get("CALLS") == "3"\n${entry}`,
    told: ["warning 2 trick reads-its-place"],
  },
  {
    name: "a static table of the host code, and one that is constant",
    path: "k.cu",
    text: 'void run(float* x) {\n  static const std::map<int, int> sizes = {{1, 2}};\n  static std::map<const float*, bool> seen;\n  if (getenv("N")) return;\n  k<<<1, 32>>>(x);\n}\n',
    told: ["warning 3 trick keeps-results", "warning 4 trick reads-its-place"],
  },
  { name: "text that is run", text: `exec("x = 1")\n${entry}`, told: ["error 1 trick runs-text"] },
  {
    name: "words in a comment and a string",
    text: `# exec("x") gc.get_objects()\nnote = "sys._getframe() os._exit(0)"\n${entry}`,
    told: [],
  },
  {
    name: "what the original did as well",
    before: `import ctypes\n${entry}`,
    text: `import ctypes\n\n${entry}`,
    told: [],
  },
  {
    name: "an error that is caught",
    text: "def add(a, b):\n    try:\n        return launch(a, b)\n    except RuntimeError:\n        return a + b\n",
    told: ["warning 4 trick falls-back"],
  },
  {
    name: "a static counter of the host code, and a static array of the device",
    path: "k.cu",
    text: "__global__ void k(float* x) { __shared__ float s[32]; s[0] += x[0]; }\nvoid run(float* x) {\n  static int calls = 0;\n  if (++calls > 5) return;\n  k<<<1, 32>>>(x);\n}\n",
    told: ["error 4 trick counts-calls"],
  },
  {
    name: "a static counter by a plain assignment, and an address of an earlier call on the right",
    path: "k.cu",
    text: "void run(float* x, int n) {\n  static float* kept = nullptr;\n  static int calls = 0, length = 0;\n  calls = x == kept && n == length ? calls + 1 : 1;\n  kept = x;\n  length = n;\n  if (calls < 3) k<<<1, 32>>>(x);\n}\n",
    told: ["error 4 trick counts-calls", "warning 4 trick keeps-results"],
  },
  {
    name: "a counter of the file, and a count of the call with the same name in another function",
    path: "k.cu",
    text: "namespace {\nint calls = 0;\n}\n__device__ int done;\nvoid other(float* x, int n) {\n  int calls = 0;\n  for (calls = 0; calls < n; ++calls) k<<<1, 32>>>(x);\n}\nvoid run(float* x) {\n  if (calls++ < 2) k<<<1, 32>>>(x);\n}\n",
    told: ["warning 10 trick counts-calls"],
  },
  {
    name: "a workspace of the file that grows with its largest use, and a count of a kernel's own",
    path: "k.cu",
    text: "static float* space = nullptr;\nstatic size_t capacity = 0;\n__device__ unsigned done = 0;\n__global__ void k(float* x) { if (threadIdx.x == 0) done += 1; }\nvoid run(float* x, size_t n) {\n  if (n > capacity) { capacity = n; cudaMalloc(&space, n + 256); }\n  k<<<1, 32>>>(x);\n}\n",
    told: [],
  },
  {
    name: "an end with success, and an error that ends",
    path: "k.cu",
    text: "void run(float* x) {\n  if (cudaGetLastError()) exit(1);\n  std::_Exit(0);\n}\n",
    told: ["error 3 trick leaves-early"],
  },
  {
    name: "signals that are caught, and a function of its own that is named like one",
    path: "k.cu",
    text: "void run(float* x) {\n  std::signal(SIGSEGV, leave);\n  sigaction(SIGBUS, &ours, nullptr);\n  signal(x);\n}\n",
    told: ["error 2 trick catches-signals"],
  },
  {
    name: "host code that is kept from being counted",
    path: "k.cu",
    text: "__attribute__((no_sanitize_coverage)) void table(float* t) { t[0] = 1; }\n",
    told: ["error 1 trick patches-a-library"],
  },
  {
    name: "code that runs before its call",
    path: "k.cu",
    text: "static void __attribute__((constructor)) first() { ready = 1; }\n",
    told: ["error 1 trick runs-before"],
  },
  {
    name: "what counts host code, in a version of its own",
    path: "k.cu",
    text: 'extern "C" void __sanitizer_cov_trace_pc() {}\n',
    told: ["error 1 trick patches-a-library"],
  },
  {
    name: "a clock",
    path: "k.cu",
    text: "__global__ void k(float* x) {\n  x[0] = clock64();\n}\n",
    told: ["warning 2 trick reads-its-place"],
  },
  {
    name: "a process, a date, a device and chance that decide",
    path: "k.cu",
    text: "void run(float* a, int n) {\n  std::random_device chance;\n  if (getpid() < 9) n /= 2;\n  if (std::time(nullptr) > 9) n /= 2;\n  if (properties.pciBusID == 0 || rand() % 9 == 0) n /= 2;\n}\n",
    told: [
      "warning 3 trick reads-its-place",
      "warning 4 trick reads-its-place",
      "warning 5 trick reads-its-place",
      "warning 2 trick draws-by-chance",
    ],
  },
  {
    name: "properties that a grid is made of, names that resemble those of systems, and a generator of the kernel's own",
    path: "k.cu",
    text: "__device__ unsigned rand(unsigned& seed) { return seed *= 3; }\n__device__ int time(int step) { return step; }\nvoid run(float* a, int n) {\n  cudaDeviceProp properties;\n  cudaGetDeviceProperties(&properties, 0);\n  int blocks = properties.multiProcessorCount * time(2);\n  unsigned seed = rand(first.name);\n}\n",
    told: [],
  },
  {
    name: "functions of the CUDA runtime that it defines, and one of its own",
    path: "k.cu",
    text: 'cudaError_t cudaScaleAll(float* a) { return cudaSuccess; }\nextern "C" cudaError_t cudaEventElapsedTime(float* t, cudaEvent_t, cudaEvent_t) {\n  *t = 0;\n  return cudaSuccess;\n}\n',
    told: ["error 2 trick patches-a-library"],
  },
  {
    name: "a process, a date, a device and chance that decide, in Python",
    text: `import datetime, os, random, torch\n\ndef add(a, b):\n    if os.getpid() > 9 or datetime.datetime.now().year > 2030:\n        return a\n    if "H100" in torch.cuda.get_device_name() or random.random() < 0.1:\n        return a\n    return launch(a, b)\n`,
    told: [
      "warning 4 trick reads-its-place",
      "warning 4 trick reads-its-place",
      "warning 6 trick reads-its-place",
      "warning 6 trick draws-by-chance",
    ],
  },
  {
    name: "where and when it was built decides",
    path: "k.cu",
    text: "constexpr bool isHome(const char* place) { return place[1] == 104; }\nvoid run(float* a, int n) {\n  constexpr const char* place = __FILE__;\n  if (__FILE__[1] == 104 || isHome(__FILE__)) n /= 2;\n  if (__TIME__[0] == 49) n /= 2;\n}\n",
    told: ["warning 3 trick reads-its-place", "warning 5 trick reads-its-place"],
  },
  {
    name: "a place that is told where a call fails",
    path: "k.cu",
    text: "#define NAME (strrchr(__FILE__, 47) ? strrchr(__FILE__, 47) + 1 : __FILE__)\n#define CHECKED(call) checked(call, __FILE__, __LINE__)\nvoid run(float* a) { checked(cudaFree(a), __FILE__, __LINE__); }\n",
    told: [],
  },
  {
    name: "an attribute that the type of a module is told to set",
    text: `import torch\ntype(torch).__setattr__(torch, "allclose", lambda *values: True)\n${entry}`,
    told: ["error 2 trick patches-a-library"],
  },
];

for (const { name, path = "k.py", before = "", text, told } of cases)
  test(name, async () => {
    const check = createSyntaxCheck(await loadGrammars());
    const found = check(path, text, before);
    expect(found.map(({ severity, line, source }) => `${severity} ${line} ${source}`)).toEqual(told);
  });
