import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodeLens, Hover } from "vscode-languageserver-protocol";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import type { SessionView } from "../../../server/protocol/views";
import { LanguageClient } from "../../harness/language-client";

let folder: string;
let sessionsFolder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-lsp-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  cpSync("samples", folder, { recursive: true });
});

afterEach(() => {
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

const python = process.env["KERNELWRIGHT_PYTHON"] ?? "";
const eventsOf = (session: string): readonly SessionEvent[] =>
  readdirSync(session)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(join(session, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as SessionEvent);
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const facts = async (client: LanguageClient, file: string): Promise<string | undefined> =>
  (
    await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", {
      textDocument: { uri: client.uri(file) },
    })
  )
    .map((lens) => lens.command?.title ?? "")
    .find((title) => title.includes("registers"));

test("nothing is compiled before the workspace is trusted; granting trust compiles what is open", async () => {
  const client = await LanguageClient.start({ folder, trusted: false, settings: { sessionsFolder, python } });
  await client.open("vector_add.cu", read("vector_add.cu"));
  await client.connection.sendNotification("textDocument/didSave", {
    textDocument: { uri: client.uri("vector_add.cu") },
  });
  expect(await facts(client, "vector_add.cu")).toBeUndefined();
  await client.connection.sendNotification("kernelwright/trust", { trusted: true });
  expect(
    await client.until(
      () => facts(client, "vector_add.cu"),
      (title) => title !== undefined,
    ),
  ).toMatch(/^\d+ registers · \d+% occupancy \(warps\) · sm_80$/);
  expect(await client.stop()).toBe(0);
});

test("another editor, which knows nothing of us, sees counters in the hover", async () => {
  const client = await LanguageClient.start({
    folder,
    trusted: true,
    foreign: true,
    environment: { KERNELWRIGHT_PYTHON: python },
  });
  await expect(
    client.request("kernelwright/check", { uri: client.uri("transpose.cu"), kernel: "transpose" }),
  ).rejects.toMatchObject({ data: { code: "workspace-untrusted" } });
  await client.connection.sendNotification("kernelwright/trust", { trusted: true });
  await client.connection.sendNotification("workspace/didChangeConfiguration", {
    settings: { sessionsFolder, python },
  });
  await client.open("transpose.cu", read("transpose.cu"));
  await client.request("kernelwright/profile", {
    uri: client.uri("transpose.cu"),
    kernel: "transpose",
  });
  const uri = client.uri("transpose.cu");
  const profiled = await client.next("kernelwright/facts", (sent) => sent.uri === uri);
  const worst = profiled.lines.find(({ text }) => text.startsWith("32-way bank conflict"));
  const hover = await client.connection.sendRequest<Hover>("textDocument/hover", {
    textDocument: { uri: client.uri("transpose.cu") },
    position: { line: (worst?.line ?? 1) - 1, character: 4 },
  });
  expect((hover.contents as { value: string }).value).toContain("32-way conflict at worst");
  expect(await client.stop()).toBe(0);
});

test("a session that runs when the client says goodbye is closed in order and can be read afterwards", async () => {
  const settings = { sessionsFolder, python };
  const first = await LanguageClient.start({ folder, trusted: true, settings });
  const { sessionId } = await first.request("kernelwright/optimize", {
    uri: first.uri("matmul.cu"),
    kernel: "matmul",
  });
  expect(await first.stop()).toBe(0);
  const second = await LanguageClient.start({ folder, trusted: true, settings });
  const view = await second.request("kernelwright/session", { sessionId });
  expect(["cancelled", "succeeded"]).toContain(view.status);
  expect(existsSync(view.folder)).toBe(true);
  expect(read("matmul.cu")).toBe(readFileSync("samples/matmul.cu", "utf8"));
  await second.stop();
});

test("a session whose server was killed shows as crashed and is resumed", async () => {
  const settings = { sessionsFolder, python };
  const first = await LanguageClient.start({ folder, trusted: true, settings });
  const { sessionId } = await first.request("kernelwright/optimize", {
    uri: first.uri("transpose.cu"),
    kernel: "transpose",
  });
  await first.kill();
  const second = await LanguageClient.start({ folder, trusted: true, settings });
  expect(await second.request("kernelwright/session", { sessionId })).toMatchObject({ status: "crashed" });
  expect(await second.request("kernelwright/resume", { sessionId })).toEqual({ sessionId });
  expect(
    await second.next(
      "kernelwright/sessionChanged",
      (view) => view.sessionId === sessionId && view.status !== "running",
    ),
  ).toMatchObject({ status: "succeeded", hasProposal: true });
  await second.stop();
});

test("a session that ended at its limit goes on with the budget of the settings on top of what it used", async () => {
  const settings = { sessionsFolder, python, "budget.candidates": 0 };
  const client = await LanguageClient.start({ folder, trusted: true, settings });
  const ended = (status: SessionView["status"]): Promise<SessionView> =>
    client.next("kernelwright/sessionChanged", (view) => view.status === status);
  const place = { uri: client.uri("transpose.cu"), kernel: "transpose" };
  const { sessionId } = await client.request("kernelwright/optimize", place);
  const { folder: kept } = await ended("limit");
  await client.connection.sendNotification("workspace/didChangeConfiguration", {
    settings: { ...settings, "budget.candidates": 1, "budget.minutes": 7 },
  });
  await client.request("kernelwright/resume", { sessionId });
  await ended("succeeded");
  const moves = eventsOf(kept).flatMap((event) => (event.type === "budget.updated" ? [event.data] : []));
  const before = moves.find(({ limits }) => limits.candidates === 0);
  const after = moves.find(({ limits }) => limits.candidates === 1);
  expect(before?.limits.minutes).toBe(10);
  expect(after?.limits.minutes).toBeGreaterThan(7);
  expect(after?.limits.minutes).toBeLessThan(8);
  await client.stop();
});

test("the lenses of another editor work: a proposal is offered, and applied as one edit after a yes", async () => {
  const client = await LanguageClient.start({
    folder,
    trusted: true,
    foreign: true,
    environment: { KERNELWRIGHT_PYTHON: python },
  });
  expect(
    (
      client.capabilities as { executeCommandProvider?: { commands: string[] } }
    ).executeCommandProvider?.commands.toSorted(),
  ).toEqual([
    "kernelwright.check",
    "kernelwright.createSpec",
    "kernelwright.optimize",
    "kernelwright.preview",
    "kernelwright.profile",
    "kernelwright.record",
  ]);
  const offered: string[] = [];
  const applied: Record<string, { readonly newText: string }[]>[] = [];
  client.connection.onRequest(
    "window/showMessageRequest",
    ({ message, actions }: { message: string; actions: { title: string }[] }) => {
      offered.push(message);
      return actions.find((action) => action.title === "Apply") ?? null;
    },
  );
  client.connection.onRequest(
    "workspace/applyEdit",
    ({ edit }: { edit: { changes: Record<string, { newText: string }[]> } }) => {
      applied.push(edit.changes);
      return { applied: true };
    },
  );
  await client.connection.sendNotification("kernelwright/trust", { trusted: true });
  await client.connection.sendNotification("workspace/didChangeConfiguration", {
    settings: { sessionsFolder, python },
  });
  const uri = client.uri("transpose.cu");
  await client.open("transpose.cu", read("transpose.cu"));
  await client.connection.sendRequest("workspace/executeCommand", {
    command: "kernelwright.optimize",
    arguments: [{ uri, kernel: "transpose" }],
  });
  expect(offered.map((message) => /bank/.test(message))).toEqual([true]);
  expect(applied[0]?.[uri]?.[0]?.newText).toBe(
    read("transpose.cu").replace("tile[kTile][kTile];", "tile[kTile][kTile + 1];"),
  );
  expect(await client.stop()).toBe(0);
});
