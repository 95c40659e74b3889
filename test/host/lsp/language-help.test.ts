import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover,
  Location,
  SignatureHelp,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { LanguageClient } from "../../harness/language-client";
import { fileURLToPath } from "node:url";

const sources: Readonly<Record<string, string>> = {
  "kernels/scale.cuh": `#pragma once
template <typename T>
__global__ void scale(const T* x, T* y, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * __ldg(&x[i]);
}
`,
  "src/main.cu": `#include "../kernels/scale.cuh"
// scale is launched here
int other(int scale) { return scale; }
void run(const float* x, float* y, int n) {
  scale<float><<<(n + 255) / 256, 256>>>(x, y, 2.0f, n);
  cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}
`,
  "other/scale.cu": `__global__ void scale(float* z) { z[threadIdx.x] *= 2; }
`,
  "kernels/scale.kernel.json": `{
  "version": 1,
  // of both
  "kernel": "scale.cuh::scale",
  "launch": { "grid": ["ceil_div(n, 256)"], "block": [256], "arguments": ["x", "y", { "value": 2, "dtype": "float32" }, { "value": "n", "dtype": "int32" }] },
  "inputs": { "x": { "dtype": "float32", "shape": ["n"] } },
  "outputs": { "y": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 64 } }],
  "reference": "baseline"
}
`,
  "norm.py": `import triton
import triton.language as T
from triton import cdiv

@triton.jit
def norm_kernel(x_ptr, y_ptr, n, BLOCK: T.constexpr):
    i = T.program_id(0) * BLOCK + T.arange(0, BLOCK)
    x = T.load(x_ptr + i, mask=i < n, other=0.0)
    T.store(y_ptr + i, x, mask=i < n)

def norm(x, y):
    norm_kernel[(cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
`,
  "use.py": `from norm import norm_kernel

def run(x, y):
    norm_kernel[(1,)](x, y, 4, BLOCK=4)
    y = dict(norm_kernel=1)
`,
};

let client: LanguageClient;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright help "));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  client = await LanguageClient.start({ folder, trusted: false });
  for (const file of ["src/main.cu", "norm.py", "use.py"]) await client.open(file, text(file));
});

afterAll(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

function text(file: string): string {
  const found = sources[file];
  if (found === undefined) throw new Error(`no ${file}`);
  return found;
}

/** The place in a file that a piece of its text leads to: at the `|` in it. */
function place(file: string, marked: string): { textDocument: { uri: string }; position: object } {
  const offset = text(file).indexOf(marked.replace("|", "")) + marked.indexOf("|");
  const before = text(file).slice(0, offset).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { textDocument: { uri: client.uri(file) }, position };
}

const ask = <Answer>(method: string, file: string, marked: string, more: object = {}): Promise<Answer> =>
  client.connection.sendRequest<Answer>(`textDocument/${method}`, { ...place(file, marked), ...more });

/** Locations as `file:line:character`, lines from 1. */
const shown = (locations: readonly Location[]): readonly string[] =>
  locations
    .map(({ uri, range: { start } }) => {
      const path = relative(folder, fileURLToPath(uri));
      return `${path}:${start.line + 1}:${start.character}`;
    })
    .sort();

test.each([
  ["src/main.cu", "cudaMemcpy|Async", "Copies bytes in the order of a stream."],
  ["norm.py", "T.lo|ad", "Loads elements from global memory. The result has the shape of the pointers."],
  ["norm.py", "(cd|iv", "⌈x / y⌉: the number of blocks of size `y` that cover `x` elements."],
  ["norm.py", "triton.j|it", "Compiles a Python function for the GPU when it is launched"],
])("hover in %s over %s", async (file, marked, sentence) => {
  const hover = await ask<Hover>("hover", file, marked);
  expect((hover.contents as { value: string }).value).toContain(sentence);
});

test.each([
  [
    "src/main.cu",
    "sca|le<float><<<",
    "```cuda-cpp\nscale(const T* x, T* y, T factor, int n)\n```\n\nKernel in [kernels/scale.cuh:3](URI/kernels/scale.cuh#L3)\n\nNot checked in this window yet.",
  ],
  [
    "use.py",
    "norm_ker|nel[(1,)]",
    "```python\nnorm_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr)\n```\n\nKernel in [norm.py:6](URI/norm.py#L6)\n\nNot checked in this window yet.",
  ],
])(
  "hover in %s over the launch %s names the kernel, its place and its last check",
  async (file, marked, told) => {
    const hover = await ask<Hover>("hover", file, marked);
    expect((hover.contents as { value: string }).value.replaceAll(client.uri(""), "URI")).toBe(told);
  },
);

test.each([
  ["src/main.cu", "// scale is la|unched"],
  ["src/main.cu", "int oth|er"],
])("no hover in %s over %s", async (file, marked) => {
  expect(await ask<Hover | null>("hover", file, marked)).toBeNull();
});

test("a classic mistake is shown while the text is edited, and mended by a quick fix or allowed", async () => {
  const broken = text("norm.py").replace("T.load(x_ptr + i, mask=i < n, other=0.0)", "T.load(x_ptr + i)");
  await client.change("norm.py", undefined, broken);
  const uri = client.uri("norm.py");
  const { diagnostics } = await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
    "textDocument/publishDiagnostics",
    ({ uri: of, diagnostics: found }) => of === uri && found.length > 0,
  );
  expect(diagnostics.map(({ code, severity, range }) => [code, severity, range.start.line + 1])).toEqual([
    ["missing-mask", 2, 8],
  ]);
  const actions = await client.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri },
    range: diagnostics[0]?.range,
    context: { diagnostics: [] },
  });
  expect(actions.map(({ title, edit }) => [title, edit?.changes?.[uri]?.[0]?.newText])).toEqual([
    ["Mask it with i < n", ", mask=i < n, other=0.0"],
    ["Allow missing-mask here", "    # kernelwright-ignore: missing-mask\n"],
  ]);
  await client.change("norm.py", undefined, text("norm.py"));
});

test("completion of members of triton.language, whatever it is called here, and of CUDA's names", async () => {
  const ofTriton = await ask<CompletionItem[]>("completion", "norm.py", "T.lo|ad");
  expect(ofTriton.map(({ label }) => label)).toEqual(expect.arrayContaining(["load", "store", "arange"]));
  expect(ofTriton.find(({ label }) => label === "arange")?.detail).toBe("tl.arange(start, end)");
  const ofCuda = await ask<CompletionItem[]>("completion", "src/main.cu", "cuda|MemcpyAsync");
  expect(ofCuda.map(({ label }) => label)).toEqual(
    expect.arrayContaining(["cudaMalloc", "__shfl_down_sync"]),
  );
  expect(await ask<CompletionItem[]>("completion", "src/main.cu", "// sc|ale")).toEqual([]);
});

test.each([
  ["src/main.cu", "cudaMemcpyAsync(y, |", ["void* dst", "const void* src", 1]],
  ["src/main.cu", "256>>>(x, y, |", ["const T* x", "T* y", 2]],
  ["norm.py", "other=|0.0", ["pointer", "mask=None", 2]],
  ["use.py", "[(1,)](x, |", ["x_ptr", "y_ptr", 1]],
] as const)("parameters of a call in %s at %s", async (file, marked, [first, second, active]) => {
  const help = await ask<SignatureHelp>("signatureHelp", file, marked);
  const [signature] = help.signatures;
  const parameters = (signature?.parameters ?? []).map(({ label }) =>
    typeof label === "string" ? label : signature?.label.slice(label[0], label[1]),
  );
  expect([...parameters.slice(0, 2), help.activeParameter]).toEqual([first, second, active]);
});

test("from a launch to the kernel that the file includes or imports, not to one of the same name", async () => {
  expect(shown(await ask<Location[]>("definition", "src/main.cu", "  sca|le<float>"))).toEqual([
    "kernels/scale.cuh:3:16",
  ]);
  expect(shown(await ask<Location[]>("definition", "use.py", "import norm_|kernel"))).toEqual([
    "norm.py:6:4",
  ]);
});

test("references are launches, imports and the definition; a parameter of that name is none", async () => {
  const context = { context: { includeDeclaration: true } };
  expect(shown(await ask<Location[]>("references", "src/main.cu", "  sca|le<float>", context))).toEqual([
    "kernels/scale.cuh:3:16",
    "src/main.cu:5:2",
  ]);
  expect(shown(await ask<Location[]>("references", "norm.py", "def norm_|kernel", context))).toEqual([
    "norm.py:12:4",
    "norm.py:6:4",
    "use.py:1:17",
    "use.py:4:4",
  ]);
});

test("a rename changes the kernel, its launches and its spec, and nothing else", async () => {
  const edit = await ask<WorkspaceEdit>("rename", "src/main.cu", "  sca|le<float>", { newName: "multiply" });
  const changed = Object.entries(edit.changes ?? {}).flatMap(([uri, edits]) =>
    edits.map(({ range, newText }) => [...shown([{ uri, range }]), newText].join(" ")),
  );
  expect(changed.sort()).toEqual([
    "kernels/scale.cuh:3:16 multiply",
    "kernels/scale.kernel.json:4:24 multiply",
    "src/main.cu:5:2 multiply",
  ]);
  expect(await ask("prepareRename", "src/main.cu", "oth|er(int")).toBeNull();
  await expect(ask("rename", "norm.py", "def norm_|kernel", { newName: "a b" })).rejects.toThrow(
    "no name of a kernel",
  );
});

test("a spec follows its renamed source: an editor gets an edit, our own client the new text", async () => {
  const files = [{ oldUri: client.uri("kernels/scale.cuh"), newUri: client.uri("kernels/times.cuh") }];
  const spec = client.uri("kernels/scale.kernel.json");
  const target = client.uri("kernels/times.kernel.json");
  const edit = await client.connection.sendRequest<WorkspaceEdit>("workspace/willRenameFiles", { files });
  expect(edit.documentChanges).toEqual([
    { kind: "rename", oldUri: spec, newUri: target },
    {
      textDocument: { uri: target, version: null },
      edits: [
        {
          range: { start: { line: 3, character: 13 }, end: { line: 3, character: 29 } },
          newText: "times.cuh::scale",
        },
      ],
    },
  ]);
  // The editor asks about the rename that it was told to make.
  const asked = { files: [{ oldUri: spec, newUri: target }] };
  expect(await client.connection.sendRequest("workspace/willRenameFiles", asked)).toBeNull();
  const text = (sources["kernels/scale.kernel.json"] ?? "").replace("scale.cuh::", "times.cuh::");
  expect(await client.request("kernelwright/moveSpecs", { files })).toEqual([
    { uri: spec, to: target, text },
  ]);
});
