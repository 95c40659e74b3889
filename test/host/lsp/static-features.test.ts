import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  CodeAction,
  CodeLens,
  DocumentSymbol,
  Hover,
  InlayHint,
  Range,
} from "vscode-languageserver-protocol";
import { colourTypes } from "../../../server/protocol/colours";
import { catalogue } from "../../../server/host/services/catalogue";
import { LanguageClient } from "../../harness/language-client";
import { expectCase, readCase } from "../../harness/cases";

/** An untrusted workspace: everything here works without a single process being started. */
let client: LanguageClient;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright lsp ü-"));
  cpSync("samples", folder, { recursive: true });
  client = await LanguageClient.start({ folder, trusted: false });
});

afterAll(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const lenses = (file: string): Promise<CodeLens[]> =>
  client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", {
    textDocument: { uri: client.uri(file) },
  });
const titles = async (file: string): Promise<readonly string[]> =>
  (await lenses(file)).map((lens) => `${lens.range.start.line}: ${lens.command?.title ?? ""}`);

const lineOf = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split("\n").length - 1;

test("capabilities", () => {
  expectCase("language-server/capabilities.json", client.capabilities);
});

test("what can be chosen is known before anything was trusted", async () => {
  expect(await client.request("kernelwright/catalogue", {})).toEqual(catalogue);
});

test("a configuration for clangd is given as a text, and written by the client alone", async () => {
  const { uri, text } = await client.request("kernelwright/clangd", {});
  expect(uri).toBe(client.uri(".clangd"));
  expect(text).toContain('    - "--cuda-gpu-arch=sm_80"\n');
});

test("lenses and outline of a CUDA file, and of the same file while it does not parse", async () => {
  const text = readFileSync(join(folder, "transpose.cu"), "utf8");
  await client.open("transpose.cu", text);
  const at = lineOf(text, "__global__");
  const ofKernel = ["Optimize", "Check", "Profile", "Kernel spec"].map((title) => `${at}: ${title}`);
  await client.until(
    () => titles("transpose.cu"),
    (found) => found.length === 4,
  );
  expect(await titles("transpose.cu")).toEqual(ofKernel);
  expect((await lenses("transpose.cu"))[0]?.command).toEqual({
    title: "Optimize",
    command: "kernelwright.optimize",
    arguments: [{ uri: client.uri("transpose.cu"), kernel: "transpose" }],
  });
  await client.change(
    "transpose.cu",
    { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    "__global__ void unfinished(const float* x, float\n",
  );
  expect(await titles("transpose.cu")).toContain(`${at + 1}: Optimize`);
  await client.change(
    "transpose.cu",
    { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
    "",
  );
  expect(await titles("transpose.cu")).toEqual(ofKernel);
  const symbols = await client.connection.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", {
    textDocument: { uri: client.uri("transpose.cu") },
  });
  expect(symbols.map((symbol) => [symbol.name, symbol.detail])).toEqual([
    ["transpose", "__global__ (const float* input, float* output, int rows, int columns)"],
    ["launch_transpose", ""],
  ]);
});

test("a kernel in a text of Python has lenses on its own line", async () => {
  const text = 'import cupy\n\ncode = r"""\n__global__ void halve(float* x) { x[0] /= 2; }\n"""\n';
  await client.open("inline.py", text);
  expect(await titles("inline.py")).toEqual(["3: Check", "3: Profile"]);
});

test("a kernel in a header of C++ has lenses from the moment on that it stands there", async () => {
  const host = "inline int doubled(int value) { return 2 * value; }\n";
  await client.open("kernels.h", host);
  expect(await titles("kernels.h")).toEqual([]);
  await client.change(
    "kernels.h",
    { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } },
    "__global__ void halve(float* x) { x[threadIdx.x] /= 2; }\n",
  );
  const found = await client.until(
    () => titles("kernels.h"),
    (lenses) => lenses.length > 2,
  );
  expect(found.slice(0, 3)).toEqual(["1: Optimize", "1: Check", "1: Profile"]);
  await client.change("kernels.h", { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, "");
  expect(await titles("kernels.h")).toEqual([]);
});

test("a kernel without a spec has a lens that makes one; the text of it is given", async () => {
  await client.open("new.cu", readCase("language/everything.cu"));
  const all = await client.until(
    () => lenses("new.cu"),
    (found) => found.some((lens) => lens.command?.title === "Set up"),
  );
  const own = all.filter((lens) => lens.command?.title === "Set up");
  expect(own.map((lens) => (lens.command?.arguments?.[0] as { kernel: string }).kernel)).toEqual([
    "scale",
    "plain",
    "bounded",
    "odd",
    "by_macro",
    "with_macro",
    "clustered",
  ]);
  const made = await client.request("kernelwright/createSpec", {
    uri: client.uri("transpose.cu"),
    kernel: "transpose",
  });
  expect(made).toMatchObject({ uri: client.uri("transpose.cu.kernel.json"), exists: true });
});

test("a Triton file", async () => {
  const text = readFileSync(join(folder, "softmax.py"), "utf8");
  const at = lineOf(text, "def softmax_kernel");
  await client.open("softmax.py", text);
  expect((await titles("softmax.py")).slice(0, 3)).toEqual([
    `${at}: Optimize`,
    `${at}: Check`,
    `${at}: Profile`,
  ]);
  expect(await client.request("kernelwright/kernels", { uri: client.uri("softmax.py") })).toMatchObject([
    { name: "softmax_kernel", dialect: "triton", line: at },
  ]);
});

test("kernels of a file that is not open", async () => {
  expect(await client.request("kernelwright/kernels", { uri: client.uri("matmul.cu") })).toEqual([
    {
      uri: client.uri("matmul.cu"),
      name: "matmul",
      dialect: "cuda",
      line: lineOf(readFileSync(join(folder, "matmul.cu"), "utf8"), "__global__"),
      specUri: client.uri("matmul.cu.kernel.json"),
    },
  ]);
  await expect(client.request("kernelwright/kernels", { uri: client.uri("none.cu") })).rejects.toMatchObject({
    data: { code: "file-not-found" },
  });
});

test("files that a run may be allowed to change", async () => {
  const text = '#include "drawn.cuh"\n__global__ void half(float* x) { x[threadIdx.x] *= factor; }\n';
  writeFileSync(join(folder, "drawing.cu"), text);
  writeFileSync(join(folder, "drawn.cuh"), "constexpr float factor = 0.5f;\n");
  const ask = (file: string, kernel: string): Promise<unknown> =>
    client.request("kernelwright/editableFiles", { uri: client.uri(file), kernel });
  expect([await ask("drawing.cu", "half"), await ask("matmul.cu", "matmul")]).toEqual([
    { file: "drawing.cu", others: [{ path: "drawn.cuh", bySpec: false }] },
    { file: "matmul.cu", others: [] },
  ]);
});

test("spec files are checked as they are typed", async () => {
  const text = readFileSync(join(folder, "softmax.cu.kernel.json"), "utf8");
  await client.open("softmax.cu.kernel.json", text.replace('"columns"]', '"cols"]'));
  const found = await client.next<{
    uri: string;
    diagnostics: { message: string; range: { start: { line: number } } }[];
  }>(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics }) => uri === client.uri("softmax.cu.kernel.json") && diagnostics.length > 0,
  );
  expect(found.diagnostics.map(({ message, range }) => `${range.start.line}: ${message}`)).toEqual([
    `${lineOf(text, '"inputs"')}: "cols", column 1: the name "cols" is not known; known are rows, columns`,
  ]);
  await client.change("softmax.cu.kernel.json", undefined, text);
  await client.next<{ uri: string; diagnostics: unknown[] }>(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics }) => uri === client.uri("softmax.cu.kernel.json") && diagnostics.length === 0,
  );
});

test("hover says nothing before anything was compiled", async () => {
  expect(
    await client.connection.sendRequest<Hover | null>("textDocument/hover", {
      textDocument: { uri: client.uri("transpose.cu") },
      position: {
        line: lineOf(readFileSync(join(folder, "transpose.cu"), "utf8"), "__global__"),
        character: 20,
      },
    }),
  ).toBeNull();
});

test.each(["kernelwright/optimize", "kernelwright/check", "kernelwright/profile"] as const)(
  "%s is refused until the workspace is trusted",
  async (method) => {
    await expect(
      client.request(method, { uri: client.uri("transpose.cu"), kernel: "transpose" }),
    ).rejects.toMatchObject({ data: { code: "workspace-untrusted" } });
  },
);

test("documents that lie in no file", async () => {
  const uri = "untitled:Untitled-1.cu";
  await client.connection.sendNotification("textDocument/didOpen", {
    textDocument: {
      uri,
      languageId: "cuda-cpp",
      version: 1,
      text: "__global__ void k(float* x) { x[0] = 1; }\n",
    },
  });
  expect(
    (await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } })).map(
      (lens) => lens.command?.title,
    ),
  ).toEqual(["Optimize", "Check", "Profile"]);
  await expect(client.request("kernelwright/createSpec", { uri, kernel: "k" })).rejects.toMatchObject({
    data: { code: "file-not-found" },
  });
});

test("an unknown session is a clear error", async () => {
  await expect(
    client.request("kernelwright/session", { sessionId: "01JZZZZZZZZZZZZZZZZZZZZZZZ" }),
  ).rejects.toMatchObject({ data: { code: "session-not-found" } });
  await expect(
    client.request("kernelwright/say", { sessionId: "01JZZZZZZZZZZZZZZZZZZZZZZZ", text: "no fp16" }),
  ).rejects.toMatchObject({ data: { code: "session-not-found" } });
  expect(await client.request("kernelwright/cancel", { sessionId: "01JZZZZZZZZZZZZZZZZZZZZZZZ" })).toEqual({
    cancelled: false,
  });
});

test("uris with blanks and letters beyond ASCII", () => {
  expect(client.uri("a.cu")).toBe(`${pathToFileURL(folder).toString()}/a.cu`);
});

test("a spec with guesses says which, where each fact comes from, and offers what can be done", async () => {
  const text = `{
  "version": 1,
  "kernel": "matmul.cu::matmul",
  "launch": {
    // unknown: no launch was found.
    "grid": ["n"],
    "block": [256],
    "arguments": ["a", "b"]
  },
  "inputs": { "a": { "dtype": "float32", "shape": ["n"] } },
  "outputs": { "b": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 64 } }],
  "reference": "baseline",
  "program": { "file": "main.cu", "arguments": ["3"], "compileOptions": [] },
  "origins": { "launch.grid": "guessed", "inputs.a.shape": "probed" }
}
`;
  const textDocument = { uri: client.uri("guess.kernel.json") };
  await client.open("guess.kernel.json", text);
  const { diagnostics } = await client.next<{
    uri: string;
    diagnostics: { severity: number; message: string; range: Range }[];
  }>(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics: found }) => uri === textDocument.uri && found.length > 0,
  );
  expect(diagnostics.map(({ severity, message, range }) => [severity, message, range.start.line])).toEqual([
    [2, "A guess: no launch was found. Correct it, or keep it.", lineOf(text, '"grid"')],
  ]);
  const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
  const hints = await client.connection.sendRequest<InlayHint[]>("textDocument/inlayHint", {
    textDocument,
    range,
  });
  expect(hints.map(({ label, position }) => [label, position.line])).toEqual([
    ["guessed", lineOf(text, '"grid"')],
    ["probed", lineOf(text, '"inputs"')],
  ]);
  const actions = await client.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
    textDocument,
    range: diagnostics[0]?.range ?? range,
    context: { diagnostics: [] },
  });
  expect(actions.map(({ title }) => title)).toEqual(["Keep what was guessed: launch.grid"]);
  expect(await titles("guess.kernel.json")).toEqual(
    ["Preview run", "Check", "Optimize", "Record again", "1 guess to look at"].map((title) => `2: ${title}`),
  );
});

/** Each coloured piece of a text, by what it looks like. */
async function colourful(file: string, text: string): Promise<readonly string[]> {
  await client.open(file, text);
  const packed = (await client.request("kernelwright/colours", { uri: client.uri(file) })) ?? [];
  const lines = text.split("\n");
  const found: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < packed.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = packed.slice(at, at + 5);
    line += down;
    character = down === 0 ? character + right : right;
    const piece = lines[line]?.slice(character, character + length) ?? "";
    found.push(`${line + 1}: ${piece} ${colourTypes[type]}${modifiers === 1 ? " readonly" : ""}`);
  }
  return found;
}

test("kernels, launches and what is known when compiling have colours; other files are left to others", async () => {
  const cuda = `template <int WIDTH>
__global__ void blur(float* x) { x[threadIdx.x % WIDTH] *= WIDTH; }
void run(float* x) { int WIDTH = 3; nn::blur<4><<<WIDTH, 32>>>(x); }
`;
  const triton = `import triton
import triton.language as tl

@triton.jit
def blur(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 1.0, mask=i < n)

def run(x, BLOCK):
    ops.blur[(1,)](x, 8, BLOCK=BLOCK)
`;
  expect(await colourful("blur.cu", cuda)).toEqual([
    "1: WIDTH variable readonly",
    "2: blur function",
    "2: WIDTH variable readonly",
    "2: WIDTH variable readonly",
    "3: blur function",
    "3: <<< operator",
    "3: >>> operator",
  ]);
  expect(await colourful("blur.py", triton)).toEqual([
    "5: blur function",
    "5: BLOCK variable readonly",
    "6: BLOCK variable readonly",
    "10: blur function",
  ]);
  expect(await colourful("plain.py", "def run(x):\n    return x\n")).toEqual([]);
});

test("lenses go with the wish for them", async () => {
  await client.open("wish.cu", "__global__ void wish(float* x) { *x = 1; }\n");
  expect(await titles("wish.cu")).toContain("0: Check");
  const wish = (lenses: boolean): Promise<void> =>
    client.connection.sendNotification("workspace/didChangeConfiguration", { settings: { lenses } });
  await wish(false);
  expect(await titles("wish.cu")).toEqual([]);
  await wish(true);
  expect(await titles("wish.cu")).toContain("0: Check");
});
