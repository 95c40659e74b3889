import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeAction, CodeLens, Diagnostic, Hover } from "vscode-languageserver-protocol";
import { textsOfProduct } from "../../../server/setup/support/texts.mjs";
import type { SessionView } from "../../../server/protocol/views";
import { projectRoot } from "../../architecture/project";
import { LanguageClient } from "../../harness/language-client";

/** Letters of a language that nobody speaks: whatever is left of English shows by its plain ones. */
function abroad(english: string): string {
  const spared = /\{\w+\}|`[^`]*`|\\n/;
  return english
    .split(new RegExp(`(${spared.source})`))
    .map((part) => (spared.test(part) ? part : part.replace(/[A-Za-z]/g, wide)))
    .join("");
}

function wide(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
}

/** Names, units and code, which stay as they are in every language. */
const names =
  /`[^`]*`|\bfile:\S+|[\w./]+\.(?:cu|json)\b|\b(?:heads|wrong|scale|input|output|out|data|n|rows|cols|sm_\d+|A100 40GB SXM|dram|issue|[KMG]iB|[nµm]?s|B|x|k|M|[cv]\d|unchecked-launch|double-literal|DRAM|L1|L2|FP32|SMs|nvcc|kernelwright\S*|ceil_div|float4|kept|declared|rulebook|cuda-pad-shared-tile|tile|transpose|columns|threadIdx\.x|blockDim\.x|gridDim\.x)\b|0x[0-9a-f]+/gi;

/** Words of a text that nobody translated. */
function english(text: string): readonly string[] {
  return text.replace(names, "").match(/[A-Za-z]{2,}(?: [A-Za-z]{2,})*/g) ?? [];
}

const kernels = `__global__ void heads(const float* input, float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 0.5 * input[i * 2 % n];
}

void launch(const float* input, float* output, int n) {
  heads<<<(n + 255) / 256, 256>>>(input, output, n);
}
`;

const wrong = `__global__ void wrong(const float* input, float* output, int n) {
  __shared__ float kept[256];
  kept[threadIdx.x] = input[threadIdx.x];
  output[threadIdx.x] = kept[255 - threadIdx.x];
}
`;

/** A file of the samples. */
function sample(file: string): string {
  return readFileSync(join(projectRoot, "samples", file), "utf8");
}

const specs = {
  "heads.cu.kernel.json": { file: "heads.cu", kernel: "heads", grid: ["ceil_div(n, 256)", 1, 1] },
  "wrong.cu.kernel.json": { file: "wrong.cu", kernel: "wrong", grid: [1, 1, 1] },
};

let client: LanguageClient;
let folder: string;
let sessionsFolder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-abroad-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  writeFileSync(join(folder, "heads.cu"), kernels);
  writeFileSync(join(folder, "wrong.cu"), wrong);
  for (const [path, { file, kernel, grid }] of Object.entries(specs))
    writeFileSync(join(folder, path), specText(file, kernel, grid));
  for (const file of ["transpose.cu", "transpose.cu.kernel.json", "references.py"])
    writeFileSync(join(folder, file), sample(file));
  const texts = JSON.parse(textsOfProduct()) as Record<string, string>;
  client = await LanguageClient.start({
    folder,
    trusted: true,
    transport: "--node-ipc",
    settings: { sessionsFolder, python: process.env["KERNELWRIGHT_PYTHON"] ?? "", "budget.candidates": 2 },
    texts: Object.fromEntries(Object.keys(texts).map((text) => [text, abroad(text)])),
  });
  await client.open("heads.cu", kernels);
  await client.open("wrong.cu", wrong);
  await client.open("transpose.cu", sample("transpose.cu"));
});

afterAll(async () => {
  await client.stop();
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

function specText(file: string, kernel: string, grid: readonly (string | number)[]): string {
  return JSON.stringify({
    version: 1,
    kernel: `${file}::${kernel}`,
    launch: { grid, block: [256, 1, 1], arguments: ["input", "output", { value: "n", dtype: "int32" }] },
    inputs: { input: { dtype: "float32", shape: ["n"] } },
    outputs: { output: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 256 } }, { sizes: { n: 512 } }],
    reference: "baseline",
  });
}

const document = (file: string): { readonly textDocument: { readonly uri: string } } => ({
  textDocument: { uri: client.uri(file) },
});

async function lenses(file: string): Promise<readonly string[]> {
  const found = await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", document(file));
  return found.map((lens) => lens.command?.title ?? "");
}

async function hoverAt(line: number, character: number): Promise<string> {
  const found = await client.connection.sendRequest<Hover | null>("textDocument/hover", {
    ...document("heads.cu"),
    position: { line, character },
  });
  return found === null ? "" : (found.contents as { readonly value: string }).value;
}

/** A session from its start to its end. */
async function optimized(file: string, kernel: string): Promise<SessionView> {
  const { sessionId } = await client.request("kernelwright/optimize", { uri: client.uri(file), kernel });
  return client.next(
    "kernelwright/sessionChanged",
    (session) => session.sessionId === sessionId && session.progress?.ended !== undefined,
  );
}

/** What the editor shows at a place of the scenario; it is something, and nothing of it is English. */
function expectAbroad(shown: readonly string[]): void {
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((text) => text.trim() === "")).toEqual([]);
  expect(shown.flatMap((text) => english(text).map((left) => `${left} in: ${text}`))).toEqual([]);
}

function diagnosticsOf(file: string): readonly Diagnostic[] {
  const published = client.received
    .filter(({ method }) => method === "textDocument/publishDiagnostics")
    .map(({ params }) => params as { readonly uri: string; readonly diagnostics: readonly Diagnostic[] });
  return published.findLast(({ uri }) => uri === client.uri(file))?.diagnostics ?? [];
}

test("lenses, facts of the compiler, lints and their fixes speak the user's language", async () => {
  const titles = await client.until(
    () => lenses("heads.cu"),
    (found) => found.some((title) => title.includes(abroad("registers"))),
  );
  expectAbroad(titles);
  await client.until(
    () => Promise.resolve(diagnosticsOf("heads.cu")),
    (found) => found.some(({ code }) => code === "double-literal"),
  );
  expectAbroad(diagnosticsOf("heads.cu").map(({ message }) => String(message)));
  const actions = await client.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
    ...document("heads.cu"),
    range: { start: { line: 2, character: 0 }, end: { line: 2, character: 40 } },
    context: { diagnostics: [] },
  });
  expectAbroad(actions.map(({ title }) => title));
  expectAbroad([await hoverAt(0, 18), await hoverAt(1, 30)]);
});

test("a check, what it finds and what it counts speak it", async () => {
  const right = await client.request("kernelwright/check", { uri: client.uri("heads.cu"), kernel: "heads" });
  expectAbroad([right.summary, right.detail, ...right.shapes.map(({ name }) => name)]);
  const facts = await client.next("kernelwright/facts", ({ kernel }) => kernel === "heads");
  expectAbroad([facts.origin, ...facts.lines.flatMap(({ text, detail }) => [text, detail].filter(Boolean))]);
  const bad = await client.request("kernelwright/check", { uri: client.uri("wrong.cu"), kernel: "wrong" });
  expect(bad.passed).toBe(false);
  expectAbroad([bad.summary, bad.detail, ...bad.shapes.map(({ failure }) => failure ?? "-")]);
  const found = diagnosticsOf("wrong.cu");
  expectAbroad(
    found.flatMap(({ message, source = "", relatedInformation = [] }) => [
      String(message),
      source,
      ...relatedInformation.map((each) => each.message),
    ]),
  );
  const board = await client.request("kernelwright/workspaceKernels", {});
  expectAbroad(board.flatMap(({ verdict, time }) => [verdict?.text ?? "-", time?.text ?? "-"]));
});

test.each([
  ["a name that nobody knows", { output: "rows * 2" }],
  ["what an expression may not do", { output: "{n: n}" }],
  ["an output without an expression", { other: "input" }],
  ["other values", { output: "input * 3" }],
])("what the oracle says of a reference speaks it: %s", async (_, expressions) => {
  const spec = join(folder, "heads.cu.kernel.json");
  const right = readFileSync(spec, "utf8");
  writeFileSync(spec, right.replace('"baseline"', JSON.stringify({ expressions })));
  const said = await client
    .request("kernelwright/check", { uri: client.uri("heads.cu"), kernel: "heads" })
    .then(
      ({ summary, detail, shapes }) => [summary, detail, ...shapes.map(({ failure }) => failure ?? "-")],
      ({ message }: Error) => [message],
    )
    .finally(() => writeFileSync(spec, right));
  expectAbroad(said.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== ""));
});

test("an error of a request speaks it", async () => {
  const asked = client.request("kernelwright/machineCode", { uri: client.uri("heads.cu"), kernel: "none" });
  const said = await asked.then(
    () => "nothing",
    ({ message }: Error) => message,
  );
  expectAbroad([said]);
});

test("rows of a run, its end and what it said speak it; its log and its report are in English", async () => {
  const ended = await optimized("heads.cu", "heads");
  const { sessionId } = ended;
  const { next, progress } = ended;
  expectAbroad([
    ended.target,
    ended.reason,
    ...(progress?.spent ?? []),
    ...ended.heldBack,
    ...(next === undefined ? [] : [next.tried, ...next.moves.map(({ text }) => text)]),
    ...ended.candidates.flatMap(({ hypothesis, reason }) => [hypothesis, reason].filter(Boolean)),
  ]);
  const { steps } = await client.request("kernelwright/timeline", { sessionId, after: 0 });
  expectAbroad(steps.map(({ title }) => title));
  const { text } = await client.request("kernelwright/listen", { sessionId });
  expectAbroad(text.split("\n").filter((line) => line.trim() !== ""));
  const exported = await client.request("kernelwright/export", { sessionId, format: "markdown" });
  expect(exported.text).not.toMatch(/[\uff21-\uff5a]/);
});

test("a proposal, its review and what is said of a decision speak it", async () => {
  const { sessionId } = await optimized("transpose.cu", "transpose");
  const found = await client.request("kernelwright/proposal", { sessionId });
  const { verdict = "", hypothesis = "", detail = "", review } = found ?? {};
  const lines = detail.split("\n").filter((line) => /\p{Letter}/u.test(line));
  expectAbroad([verdict, hypothesis, ...lines, review?.claim.text ?? ""]);
  await client.change("transpose.cu", undefined, `${sample("transpose.cu")}// of the user\n`);
  const moved = await client.next(
    "kernelwright/reviewChanged",
    (changed) => changed.sessionId === sessionId && changed.review.claim.state !== "proposal",
  );
  expectAbroad([moved.review.claim.text]);
});
