import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodeLens, Hover } from "vscode-languageserver-protocol";
import type { OptimizeParams } from "../../../server/protocol/requests";
import type { BegunCaseView, FactsView } from "../../../server/protocol/views";
import { known } from "../../../server/core/base/known";
import { LanguageClient } from "../../harness/language-client";

/**
 * Each test has a trusted workspace of its own, with the real compiler, the real worker and the virtual GPU
 * behind the server.
 */
let client: LanguageClient;
let folder: string;
let sessionsFolder: string;

interface PublishedDiagnostics {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly source: string;
    readonly severity: number;
    readonly range: { readonly start: { readonly line: number } };
  }[];
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-lsp-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  cpSync("samples", folder, { recursive: true });
  client = await LanguageClient.start({
    folder,
    trusted: true,
    transport: "--node-ipc",
    settings: { sessionsFolder, python: process.env["KERNELWRIGHT_PYTHON"] ?? "", "budget.candidates": 6 },
  });
});

afterEach(async () => {
  await client.stop();
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const lenses = async (file: string): Promise<readonly string[]> =>
  (
    await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", {
      textDocument: { uri: client.uri(file) },
    })
  ).map((lens) => lens.command?.title ?? "");
const lineOf = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split("\n").length - 1;

test("facts of the compiler stand on the lens and in the hover, and are marked when the text has changed", async () => {
  const text = read("transpose.cu");
  await client.open("transpose.cu", text);
  const shown = await client.until(
    () => lenses("transpose.cu"),
    (titles) => titles.some((title) => title.includes("registers")),
  );
  const facts = shown.find((title) => title.includes("registers")) ?? "";
  expect(facts).toMatch(/^\d+ registers · 4 KiB shared · \d+% occupancy · sm_80$/);
  const hover = await client.connection.sendRequest<Hover>("textDocument/hover", {
    textDocument: { uri: client.uri("transpose.cu") },
    position: { line: lineOf(text, "__global__"), character: "__global__ void t".length },
  });
  expect((hover.contents as { value: string }).value).toMatch(
    /^\*\*transpose\*\* compiled for sm_80\n[\s\S]*Shared memory a block \| 4 KiB static[\s\S]*limited by/,
  );
  const { listings } = await client.request("kernelwright/machineCode", {
    uri: client.uri("transpose.cu"),
    kernel: "transpose",
  });
  const store = lineOf(text, "output[") + 1;
  expect(listings.map(({ title, kernel }) => `${title} of ${kernel}`)).toEqual([
    "SASS of transpose",
    "PTX of transpose",
  ]);
  for (const { text: listed, links } of listings) {
    const lines = listed.split("\n");
    const own = links.filter(([, source]) => source === store).map(([line]) => lines[line - 1] ?? "");
    expect(own.join("\n")).toMatch(/STG, 4 bytes a lane|st\.global\.f32/);
  }
  await expect(
    client.request("kernelwright/machineCode", { uri: client.uri("transpose.cu"), kernel: "other" }),
  ).rejects.toThrow("the compiler made no code of other: nothing in transpose.cu uses it.");
  await client.change(
    "transpose.cu",
    { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    " ",
  );
  expect((await lenses("transpose.cu")).find((title) => title.includes("registers"))).toBe(
    `before your edits: ${facts}`,
  );
});

test("an error of the compiler is a diagnostic on its line, and goes when it is mended, or with the wish for it", async () => {
  const text = read("vector_add.cu");
  await client.open("vector_add.cu", text.replace("out[i] = a[i] + b[i];", "out[i] = a[i] + missing;"));
  const line = lineOf(text, "out[i] = a[i] + b[i];");
  const ofCompiler = ({ diagnostics }: PublishedDiagnostics): PublishedDiagnostics["diagnostics"] =>
    diagnostics.filter(({ source }) => source === "nvcc");
  const found = await client.next<PublishedDiagnostics>(
    "textDocument/publishDiagnostics",
    (published) => published.uri === client.uri("vector_add.cu") && ofCompiler(published).length > 0,
  );
  expect(
    ofCompiler(found).map(({ source, severity, range }) => ({ source, severity, line: range.start.line })),
  ).toEqual([{ source: "nvcc", severity: 1, line }]);
  expect(ofCompiler(found)[0]?.message).toContain("missing");
  const errorsBecome = (count: number): Promise<unknown> =>
    client.until(
      () =>
        Promise.resolve(
          client.received
            .filter(({ method }) => method === "textDocument/publishDiagnostics")
            .map(({ params }) => params as PublishedDiagnostics)
            .findLast(({ uri }) => uri === client.uri("vector_add.cu")),
        ),
      (last) => last !== undefined && ofCompiler(last).length === count,
    );
  const wish = (backgroundCompile: boolean): Promise<void> =>
    client.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { sessionsFolder, python: process.env["KERNELWRIGHT_PYTHON"] ?? "", backgroundCompile },
    });
  await wish(false);
  await errorsBecome(0);
  await wish(true);
  await errorsBecome(1);
  await client.change("vector_add.cu", undefined, text);
  await errorsBecome(0);
});

test("a Triton file: what is wrong with the module stands on its line, and a check gives the facts of the compiled kernel", async () => {
  const text = read("vector_add.py");
  const line = lineOf(text, "import torch");
  await client.open("vector_add.py", text);
  // What a kernel may do without is a warning; a part that an installed package lacks is an error.
  for (const [module, expected] of [
    ["torchy", 2],
    ["torch.nothing_of_it", 1],
  ] as const) {
    await client.change("vector_add.py", undefined, text.replace("import torch", `import ${module}`));
    await client.connection.sendNotification("textDocument/didSave", {
      textDocument: { uri: client.uri("vector_add.py") },
    });
    const found = await client.next<PublishedDiagnostics>(
      "textDocument/publishDiagnostics",
      ({ uri, diagnostics }) =>
        uri === client.uri("vector_add.py") && diagnostics[0]?.message.includes(`'${module}'`) === true,
    );
    expect(
      found.diagnostics.map(({ source, severity, range }) => ({ source, severity, line: range.start.line })),
    ).toEqual([{ source: "python", severity: expected, line }]);
  }
  await client.change("vector_add.py", undefined, text);
  await client.connection.sendNotification("textDocument/didSave", {
    textDocument: { uri: client.uri("vector_add.py") },
  });
  await client.next<PublishedDiagnostics>(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics }) => uri === client.uri("vector_add.py") && diagnostics.length === 0,
  );
  expect(
    await client.request("kernelwright/check", {
      uri: client.uri("vector_add.py"),
      kernel: "vector_add_kernel",
    }),
  ).toMatchObject({ passed: true });
  const kernel = { uri: client.uri("vector_add.py"), kernel: "vector_add_kernel" };
  const code = await client.request("kernelwright/machineCode", kernel);
  expect(code.listings.map(({ form }) => form)).toEqual(["sass", "ptx", "llir", "ttgir", "ttir"]);
  const load = lineOf(text, "tl.load(a") + 1;
  expect(code.listings.filter(({ links }) => !links.some(([, source]) => source === load))).toEqual([]);
  expect((await lenses("vector_add.py")).at(-1)).toMatch(/^\d+ registers · .*\d+% occupancy · sm_80$/);
});

test("every instance of a template has its facts; a fault in a header stands in the header", async () => {
  const text = [
    '#include "broken.cuh"',
    "template <typename T, int N>",
    "__global__ void scale(T* out, const T* in, int n) {",
    "  extern __shared__ float buffer[];",
    "  buffer[threadIdx.x] = helper(in[threadIdx.x]);",
    "  out[threadIdx.x] = buffer[n] * N;",
    "}",
    "void go(float* x, double* y, int n) {",
    "  scale<float, 4><<<n, 64, 256 * sizeof(float)>>>(x, x, n);",
    "  scale<double, 2><<<n, 64, 1024>>>(y, y, n);",
    "}",
    "",
  ].join("\n");
  const header = (body: string): void =>
    writeFileSync(
      join(folder, "broken.cuh"),
      `__device__ inline float helper(float x) {\n  return ${body};\n}\n`,
    );
  const published =
    (count: number) =>
    ({ uri, diagnostics }: PublishedDiagnostics): boolean =>
      uri === client.uri("broken.cuh") && diagnostics.length === count;
  header("y * 2");
  await client.open("template.cu", text);
  const found = await client.next<PublishedDiagnostics>("textDocument/publishDiagnostics", published(1));
  expect(found.diagnostics[0]).toMatchObject({ source: "nvcc", range: { start: { line: 1 } } });
  header("x * 2");
  await client.connection.sendNotification("textDocument/didSave", {
    textDocument: { uri: client.uri("template.cu") },
  });
  await client.next<PublishedDiagnostics>("textDocument/publishDiagnostics", published(0));
  const shown = await client.until(
    () => lenses("template.cu"),
    (titles) => titles.some((title) => title.includes("registers")),
  );
  expect(
    shown
      .filter((title) => title.includes("registers"))
      .map((title) => title.replace(/\d+ registers/, "N registers"))
      .toSorted(),
  ).toEqual([
    "<double, 2>: N registers · 1 KiB shared · 100% occupancy · sm_80",
    "<float, 4>: N registers · 1 KiB shared · 100% occupancy · sm_80",
  ]);
});

/** Facts with what rules would write anew. */
const isWhole = ({ lines }: FactsView): boolean => lines.some(({ rewrites }) => rewrites !== undefined);

test("check and profile", async () => {
  const params = { uri: client.uri("transpose.cu"), kernel: "transpose" };
  const checked = await client.request("kernelwright/check", params);
  expect(checked).toMatchObject({
    passed: true,
    summary: expect.stringMatching(
      /^transpose: correct on \d+ cases \(full check\), simulated time/,
    ) as string,
  });
  // Every planned case is told of when it begins.
  const begun = client.received
    .filter(({ method }) => method === "kernelwright/caseBegun")
    .map(({ params: told }) => told as BegunCaseView);
  expect(begun[0]).toEqual({ ...params, number: 1, of: begun.length, shape: "rows=256 columns=256" });
  expect(begun.map(({ number }) => number)).toEqual(begun.map((_, index) => index + 1));
  await client.next("kernelwright/facts", isWhole);
  const before = client.received.length;
  const { summary } = await client.request("kernelwright/profile", params);
  expect(summary).toMatch(/^transpose: simulated time .* · line \d+: 32-way bank conflict: /);
  // Each profile tells its facts once, and once more with what rules would write anew.
  const facts = await client.next(
    "kernelwright/facts",
    (sent: FactsView) =>
      isWhole(sent) && client.received.findLastIndex((each) => each.params === sent) >= before,
  );
  const told = client.received.slice(before).filter(({ method }) => method === "kernelwright/facts");
  expect(told.map((each) => (each.params as { uri: string }).uri)).toEqual([params.uri, params.uri]);
  const faults = facts.lines.filter(({ kind }) => kind === "fault").map(({ line }) => line);
  expect(faults).toEqual([lineOf(read("transpose.cu"), "tile[threadIdx.x][threadIdx.y + step]") + 1]);
  expect(facts.textLength).toBe(read("transpose.cu").length);
  const stateOf = (target: string): Promise<{ readonly text: string }> =>
    client.request("kernelwright/targetState", { target });
  expect(await stateOf("vgpu:sm_80")).toEqual({ text: "" });
  expect((await stateOf("gpu:0")).text).toMatch(/needs an NVIDIA GPU|^NVIDIA .* · /);
  const exported = await client.request("kernelwright/cpuProfile", { uri: params.uri });
  const { nodes } = JSON.parse(exported.text) as {
    readonly nodes: readonly {
      readonly callFrame: { readonly functionName: string; readonly url: string };
    }[];
  };
  expect(exported.fileName).toBe("transpose.cu.cpuprofile");
  expect(nodes.slice(0, 2).map(({ callFrame }) => callFrame.functionName)).toEqual(["(root)", "transpose"]);
  expect(new Set(nodes.slice(2).map(({ callFrame }) => callFrame.url))).toEqual(new Set([params.uri]));
  await expect(client.request("kernelwright/cpuProfile", { uri: client.uri("matmul.cu") })).rejects.toThrow(
    "Nothing was counted of the lines of matmul.cu yet: profile a kernel of it, or its program, first.",
  );
});

test("the pictures of a kernel: counted once for each text and shape, modelled on any GPU", async () => {
  const params = { uri: client.uri("transpose.cu"), kernel: "transpose" };
  const first = await client.request("kernelwright/performance", params);
  expect(first).toMatchObject({
    ...{ kernel: "transpose", target: "vgpu:sm_80", shape: 0, trouble: "", measuredNanoseconds: null },
    figures: [{ role: "now", gpu: "A100 40GB SXM", launches: [{ kernel: "transpose", times: 1 }] }],
    simulation: { gpu: "A100 40GB SXM", isSound: true },
  });
  const { simulatedNanoseconds, nanoseconds } = known(first.figures[0], "the kernel as it is");
  expect(simulatedNanoseconds).toBeGreaterThan(nanoseconds);
  const other = await client.request("kernelwright/performance", { ...params, gpu: "H100 SXM" });
  expect(other.figures.map(({ role, gpu }) => `${role} ${gpu}`)).toEqual([
    "now A100 40GB SXM",
    "other H100 SXM",
  ]);
  const [now, elsewhere] = other.figures;
  // The same run: only what a GPU makes of the counts differs.
  expect(now).toEqual(first.figures[0]);
  expect(elsewhere?.launches[0]?.instructions).toBe(now?.launches[0]?.instructions);
  expect(elsewhere?.simulatedNanoseconds).toBeNull();
  writeFileSync(
    join(folder, "transpose.cu"),
    read("transpose.cu").replace("tile[kTile][kTile]", "tile[kTile][kTile + 1]"),
  );
  const mended = await client.request("kernelwright/performance", { ...params, shape: 0 });
  expect(mended.figures.map(({ role }) => role)).toEqual(["now", "before"]);
  expect(mended.figures[1]).toEqual({
    ...now,
    role: "before",
    title: "Before the edit, on A100 40GB SXM",
  });
  const wavefronts = mended.figures.map(({ memory }) => memory.find(({ name }) => name === "shared"));
  expect(wavefronts.map((link) => Number(link?.transactions) / Number(link?.idealTransactions))).toEqual([
    1, 16.5,
  ]);
  const wrong = { ...params, gpu: "Voodoo 2" };
  await expect(client.request("kernelwright/performance", wrong)).rejects.toThrow(
    /^there is no GPU "Voodoo 2" in the catalogue: choose one of /,
  );
  await expect(client.request("kernelwright/performance", { ...params, shape: -1 })).rejects.toThrow(
    "performance: shape: expected",
  );
});

test("a running session is cancelled", async () => {
  const { sessionId } = await client.request("kernelwright/optimize", {
    uri: client.uri("matmul.cu"),
    kernel: "matmul",
  });
  expect(await client.request("kernelwright/cancel", { sessionId })).toEqual({ cancelled: true });
  expect(
    await client.next(
      "kernelwright/sessionChanged",
      (view) => view.sessionId === sessionId && view.status !== "running",
    ),
  ).toMatchObject({ status: "cancelled" });
});

test("what is wrong with a request is said", async () => {
  const kernel = { uri: client.uri("transpose.cu"), kernel: "transpose" };
  await expect(client.request("kernelwright/optimize", { ...kernel, target: "gpu:x" })).rejects.toMatchObject(
    {
      message:
        'target "gpu:x" is not known: write vgpu:sm_80, gpu:0, ssh:HOST, ssh:HOST/sm_90 or ssh:HOST/gpu:0',
      data: { code: "target-unknown" },
    },
  );
  const refused: readonly (readonly [Partial<OptimizeParams>, string])[] = [
    [{ budget: { usd: -1, minutes: 1, candidates: 1 } }, "optimize: budget.usd: expected"],
    [{ messages: ["no fp16"] }, "This session asks no model"],
    [{ mayTouch: ["../x.cuh"] }, "../x.cuh lies outside of the workspace folder and may not be changed."],
    [{ mayTouch: ["none.cuh"] }, "none.cuh is named by the kernel spec or was chosen"],
  ];
  for (const [options, words] of refused)
    await expect(client.request("kernelwright/optimize", { ...kernel, ...options })).rejects.toThrow(words);
  await expect(
    client.request("kernelwright/createSpec", { ...kernel, kernel: "none" }),
  ).rejects.toMatchObject({ data: { code: "kernel-not-found" } });
});
