import { beforeAll, expect, test } from "vitest";
import { lintEntries, type LintFinding, lintMessage } from "../../server/core/lint/lint";
import { runLints } from "../../server/core/lint/run-lints";
import { withSource } from "../../server/core/language/source-file";
import type { Grammars } from "../../server/core/language/tree";
import { loadGrammars } from "../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

interface Case {
  readonly name: string;
  /** Statements of a kernel, or a whole text where it has a `__global__` or a `def`. */
  readonly text: string;
  /** Each finding: `id@line: what stands there`; lines of `text`, from 1. */
  readonly found: readonly string[];
  /** The text after the first fix. */
  readonly fixed?: string;
}

const shared = "__shared__ float s[256]; int t = threadIdx.x;";
const looped = (end: string): string =>
  `${shared}\nfor (int i = 0; i < n; ++i) {\n  s[t] = x[i * 256 + t];\n  __syncthreads();\n  y[i * 256 + t] = s[255 - t];\n${end}}`;

const cuda: readonly Case[] = [
  {
    name: "a barrier under a condition of the thread",
    text: "int t = threadIdx.x;\nif (t < 7) {\n  __syncthreads();\n}",
    found: ["divergent-barrier@3: __syncthreads()"],
  },
  {
    name: "a barrier under a condition of the block",
    text: "if (blockIdx.x < 7) { __syncthreads(); }",
    found: [],
  },
  {
    name: "a loop over another variable of the same name",
    text: "for (int i = threadIdx.x; i < n; ++i) x[i] = 0;\nfor (int i = 8; i > 0; i /= 2) __syncthreads();",
    found: [],
  },
  {
    name: "a barrier in a loop that begins at the thread",
    text: "for (int i = threadIdx.x; i < n; i += 256) {\n__syncthreads();\n}",
    found: ["divergent-barrier-in-loop@2: __syncthreads()"],
  },
  {
    name: "what another thread has written",
    text: `${shared}\ns[t] = x[t];\ny[t] = s[t ^ 1];`,
    found: ["missing-barrier@3: s[t ^ 1]"],
    fixed: `${shared}\ns[t] = x[t];\n__syncthreads();\ny[t] = s[t ^ 1];`,
  },
  { name: "with a barrier", text: `${shared}\ns[t] = x[t];\n__syncthreads();\ny[t] = s[t ^ 1];`, found: [] },
  {
    name: "with a barrier of a group",
    text: `${shared}\ns[t] = x[t];\nblock.sync();\ny[t] = s[t ^ 1];`,
    found: [],
  },
  {
    name: "what the thread itself has written",
    text: `${shared}\ns[t] = x[t];\ny[t] = s[threadIdx.x];`,
    found: [],
  },
  {
    name: "what one thread has written",
    text: `${shared}\nif (t == 0) s[0] = x[0];\ny[t] = s[0];`,
    found: ["missing-barrier@3: s[0]"],
  },
  {
    name: "what one thread reads that wrote it",
    text: `${shared}\ns[t] = x[t];\nif (t == 0) y[0] = s[0];`,
    found: [],
  },
  {
    name: "what one thread reads that others wrote",
    text: `${shared}\ns[t] = x[t];\nif (t == 0) y[0] = s[1];`,
    found: ["missing-barrier@3: s[1]"],
  },
  {
    name: "a thread that moves elements about",
    text: `${shared}\nfloat a = s[t];\ns[t] = s[t + 9];\ns[t + 9] += a;`,
    found: [],
  },
  {
    name: "the two branches of an if",
    text: `${shared}\nif (n) s[t] = x[t]; else y[t] = s[t ^ 1];`,
    found: [],
  },
  {
    name: "what the next iteration overwrites",
    text: looped(""),
    found: ["missing-barrier-in-loop@5: s[255 - t]"],
  },
  { name: "a barrier at the end of the loop", text: looped("  __syncthreads();\n"), found: [] },
  {
    name: "two buffers in turn",
    text: looped("")
      .replace("float s[256]", "float s[2][256]")
      .replaceAll("s[t]", "s[i % 2][t]")
      .replace("s[255", "s[i % 2][255"),
    found: [],
  },
  {
    name: "a double in single precision",
    text: "y[n] = 0.5 * x[n] + 1.0f;",
    found: ["double-literal@1: 0.5"],
    fixed: "y[n] = 0.5f * x[n] + 1.0f;",
  },
  {
    name: "a double that is converted while compiling",
    text: "float a = 0.5; y[n] = fmaxf(1.0, a);",
    found: [],
  },
  { name: "a double among doubles", text: "double a = x[n]; y[n] = 0.5 * a;", found: [] },
  {
    name: "a product that is widened late",
    text: "size_t i = blockIdx.x * blockDim.x + threadIdx.x;",
    found: ["late-widening@1: blockIdx.x * blockDim.x"],
    fixed: "size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;",
  },
  { name: "a product that is widened first", text: "size_t i = (size_t)blockIdx.x * blockDim.x;", found: [] },
  { name: "a product of a wide factor", text: "long m = n; long i = blockIdx.x * m;", found: [] },
  {
    name: "a launch that nobody asks about",
    text: "#include <cstdio>\n__global__ void k(int n);\nvoid run() {\n  k<<<1, 32>>>(1);\n  k<<<1, 64>>>(2);\n}",
    found: ["unchecked-launch@5: k<<<1, 64>>>(2)"],
    fixed:
      '#include <cstdio>\n__global__ void k(int n);\nvoid run() {\n  k<<<1, 32>>>(1);\n  k<<<1, 64>>>(2);\n  if (const cudaError_t failed = cudaGetLastError(); failed != cudaSuccess)\n    fprintf(stderr, "k: %s\\n", cudaGetErrorString(failed));\n}',
  },
  {
    name: "a launch with a question after it",
    text: "__global__ void k(int n);\nvoid run() { k<<<1, 32>>>(1); CHECK(cudaGetLastError()); }",
    found: [],
  },
  {
    name: "what a comment allows",
    text: "int t = threadIdx.x;\n// kernelwright-ignore: divergent-barrier\nif (t < 7) __syncthreads();",
    found: [],
  },
];

const head = "import triton\nimport triton.language as tl\n@triton.jit\n";
const kernel = (body: string): string =>
  `${head}def k(x_ptr, y_ptr, n, EVEN: tl.constexpr, B: tl.constexpr):\n    row = tl.program_id(0)\n    i = row * B + tl.arange(0, B)\n    mask = i < n\n${body}`;

const triton: readonly Case[] = [
  {
    name: "a size that is no power of two",
    text: `${head}def k(x_ptr):\n    i = tl.arange(0, 100)`,
    found: ["arange-size@5: tl.arange(0, 100)"],
    fixed: `${head}def k(x_ptr):\n    i = tl.arange(0, 128)`,
  },
  {
    name: "a load without the mask",
    text: kernel("    x = tl.load(x_ptr + i)\n    tl.store(y_ptr + i, x, mask=mask)"),
    found: ["missing-mask@8: tl.load(x_ptr + i)"],
    fixed: kernel("    x = tl.load(x_ptr + i, mask=mask, other=0.0)\n    tl.store(y_ptr + i, x, mask=mask)"),
  },
  {
    name: "a store without the mask, through a pointer of its own",
    text: kernel(
      "    p = y_ptr + i\n    tl.store(p, tl.load(x_ptr + i, mask), eviction_policy='evict_first')",
    ),
    found: ["missing-mask@9: tl.store(p, tl.load(x_ptr + i, mask), eviction_policy='evict_first')"],
  },
  {
    name: "a mask in its place",
    text: kernel("    tl.store(y_ptr + i, tl.load(x_ptr + i, mask), mask)"),
    found: [],
  },
  { name: "other offsets", text: kernel("    tl.store(y_ptr + row, tl.load(x_ptr + row))"), found: [] },
  {
    name: "a constexpr that says that all is inside",
    text: kernel(
      "    if EVEN:\n        x = tl.load(x_ptr + i)\n    else:\n        x = tl.load(x_ptr + i, mask)",
    ),
    found: [],
  },
  {
    name: "a product that is widened late",
    text: kernel("    o = (row * n).to(tl.int64)"),
    found: ["late-widening-triton@8: (row * n).to(tl.int64)"],
    fixed: kernel("    o = (row.to(tl.int64) * n)"),
  },
];

function linted(path: string, text: string): readonly LintFinding[] {
  return withSource(grammars, path, text, runLints) ?? [];
}

function offsetOf(text: string, { line, character }: { line: number; character: number }): number {
  return text.split("\n").slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + character;
}

function fixedText(text: string, { fix }: LintFinding): string {
  const edits = [...(fix?.edits ?? [])].reverse();
  return edits.reduce(
    (before, { range, text: put }) =>
      before.slice(0, offsetOf(before, range.start)) + put + before.slice(offsetOf(before, range.end)),
    text,
  );
}

function check(path: string, { text, found, fixed }: Case, wrap: (text: string) => string): void {
  const whole = wrap(text);
  const shift = whole.slice(0, whole.indexOf(text)).split("\n").length - 1;
  const findings = linted(path, whole);
  const shown = findings.map(
    ({ id, range: { start, end } }) =>
      `${id}@${start.line + 1 - shift}: ${whole.slice(offsetOf(whole, start), offsetOf(whole, end))}`,
  );
  expect(shown).toEqual(found);
  for (const finding of findings) expect(lintMessage(finding)).not.toMatch(/[{}]/);
  const [first] = findings;
  if (fixed !== undefined && first !== undefined) expect(fixedText(whole, first)).toBe(wrap(fixed));
}

test.each(cuda)("CUDA: $name", (each) => {
  const whole = each.text.includes("__global__");
  check("k.cu", each, (text) =>
    whole ? text : `__global__ void k(const float* x, float* y, int n) {\n${text}\n}\n`,
  );
});

test.each(triton)("Triton: $name", (each) => check("k.py", each, (text) => text));

test("every lint has a case", () => {
  const shown = [...cuda, ...triton].flatMap(({ found }) =>
    found.map((each) => each.slice(0, each.indexOf("@"))),
  );
  expect([...new Set(shown)].sort()).toEqual(
    lintEntries()
      .map(({ id }) => id)
      .sort(),
  );
});
