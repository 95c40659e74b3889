import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodeAction } from "vscode-languageserver-protocol";
import type { FactsView, SessionView } from "../../../server/protocol/views";
import { LanguageClient } from "../../harness/language-client";

/** Each test has a workspace of its own, with the real compiler and the virtual GPU behind the server. */
let client: LanguageClient;
let folder: string;
let sessionsFolder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-lsp-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  cpSync("samples", folder, { recursive: true });
  client = await LanguageClient.start({ folder, trusted: true, settings: { sessionsFolder } });
});

afterEach(async () => {
  await client.stop();
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const lineOf = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split("\n").length - 1;

test("what is counted of a line leads to a rule, a run or a model", async () => {
  const params = { uri: client.uri("transpose.cu"), kernel: "transpose" };
  await client.request("kernelwright/check", params);
  const facts = await client.next("kernelwright/facts", ({ lines }: FactsView) =>
    lines.some(({ rewrites }) => rewrites !== undefined),
  );
  const faults = facts.lines.filter(({ kind }) => kind === "fault").map(({ line }) => line);
  const place = { line: (faults[0] ?? 0) - 1, character: 0 };
  await client.open("transpose.cu", read("transpose.cu"));
  const actions = await client.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: params.uri },
    range: { start: place, end: place },
    context: { diagnostics: [] },
  });
  const fault = /32-way bank conflict: .* wavefronts, ideal .*/;
  expect(actions.map(({ title }) => title.replace(fault, "conflict)"))).toEqual([
    "Apply a rule to transpose: Pad the rows of a shared tile",
    "Apply a rule to transpose: Swizzle a shared tile",
    "Optimize transpose (conflict)",
    "Ask a model about transpose (conflict)",
  ]);
  expect(actions[0]?.command?.arguments).toEqual([
    { ...params, strategy: `rulebook:cuda-pad-shared-tile:${faults[0]}` },
  ]);
  expect(actions[3]?.command?.arguments).toEqual([
    { ...params, messages: [expect.stringMatching(`^Begin with line ${faults[0]}: ${fault.source}`)] },
  ]);
});

test("a run of one rule tries its rewrite of that line, and nothing else", async () => {
  const line = lineOf(read("transpose.cu"), "tile[threadIdx.x][threadIdx.y + step]") + 1;
  const runOf = async (strategy: string): Promise<SessionView> => {
    const { sessionId } = await client.request("kernelwright/optimize", {
      ...{ uri: client.uri("transpose.cu"), kernel: "transpose", strategy },
    });
    return client.next(
      "kernelwright/sessionChanged",
      (view) => view.sessionId === sessionId && view.status !== "running",
    );
  };
  const swizzled = await runOf(`rulebook:cuda-swizzle-shared-tile:${line}`);
  expect(swizzled).toMatchObject({ status: "succeeded" });
  expect(swizzled.candidates.map(({ hypothesis }) => hypothesis.split(" so that")[0])).toEqual([
    "baseline",
    "Store tile swizzled (column XOR row)",
  ]);
  expect(await runOf("rulebook:cuda-swizzle-shared-tile:1")).toMatchObject({
    status: "no_gain",
    reason: expect.stringContaining("has no rewrite for line 1") as string,
  });
});
