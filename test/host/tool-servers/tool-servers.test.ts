import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { OperationalError } from "../../../server/core/base/operational-error";
import { promptTexts } from "../../../server/core/prompts/render";
import { OutsideTools } from "../../../server/host/compose-tool-servers";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { startProcess } from "../../../server/host/process/start-process";
import { projectRoot } from "../../architecture/project";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-tool-servers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = join(projectRoot, "test", "harness", "tool-server.mjs");
const facts = { command: process.execPath, args: [script], env: { UNITS: "${UNITS}", FACT_KEY: "${KEY}" } };

/** The tools of a file, as the composition opens them; `secrets` is what no log may hold. */
function open(content: unknown): { readonly tools: OutsideTools; readonly secrets: string[] } {
  const path = join(folder, "servers.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  const secrets: string[] = [];
  const environment = { UNITS: "108", KEY: "open" };
  return {
    tools: new OutsideTools({ environment, toolServers: path }, (value) => secrets.push(value)),
    secrets,
  };
}

test("a session calls the tools of a server besides ours, and is told what they answer", async () => {
  const { tools, secrets } = open({ mcpServers: { facts } });
  const outside = await tools.tools();
  const call = (name: string, given: object): object => ({ calls: [{ name, arguments: given }] });
  const model = new ScriptedModel([
    call("facts__fact_of", { gpu: { name: "A100" } }),
    call("facts__fact_of", { gpu: "A100" }),
    call("facts__fail", {}),
    call("facts__flood", {}),
    call("facts__die", {}),
    call("facts__fact_of", { gpu: { name: "H100" } }),
    call("finish", { reason: "done" }),
  ]);
  const prompts = promptTexts(await readPromptFiles("server/core/prompts"));
  const strategy = refineStrategy({
    provider: model,
    prompts,
    files: memoryFiles({}),
    clock: new TestClock(),
    rulebook: noRules,
    outside,
  });
  const { log } = await runScripted(strategy, { baseline: "// bound 1000\n" });
  const answers = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool");
  expect(answers.map(({ text }) => text.slice(0, 60))).toEqual([
    "A100 has 108 multiprocessors\n(image, not shown)",
    expect.stringContaining("Input validation error"),
    "no such page",
    "x".repeat(60),
    expect.stringContaining("The tool server facts gave no answer: "),
    expect.stringContaining("The tool server facts gave no answer: "),
  ]);
  const calls = log.events.flatMap((event) =>
    event.type === "tool.called" ? [`${event.data.name} ${event.data.effect}`] : [],
  );
  expect(calls[0]).toBe("facts__fact_of exec");
  expect(secrets).toEqual(["open"]);
  // The server has ended: the next session has a new one.
  const [again] = await tools.tools();
  expect(await again?.call({ gpu: { name: "H100" } })).toMatchObject({ failed: false });
  await tools.close();
});

test("a server over HTTP is sent its headers, and one that refuses them is named", async () => {
  const server = await startProcess({ command: process.execPath, arguments: [script, "http"] });
  const port = await new Promise<string>((resolve) =>
    server.output.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())),
  );
  const url = `http://127.0.0.1:${port}/mcp`;
  const { tools } = open({ servers: { web: { url, headers: { "x-key": "${env:KEY}" } } } });
  expect((await tools.tools()).map(({ name }) => name)).toEqual([
    "web__fact_of",
    "web__fail",
    "web__flood",
    "web__die",
  ]);
  await tools.close();
  const refused = open({ servers: { web: { url } } });
  await expect(refused.tools.tools()).rejects.toThrow(`The tool server "web" (127.0.0.1:${port}) could not`);
  await refused.tools.close();
  await server.stop();
});

test("of a server with a list of tools the model is told no others, and none can be called", async () => {
  const { tools } = open({ mcpServers: { facts: { ...facts, tools: ["fact.of", "fail"] } } });
  expect((await tools.tools()).map(({ name }) => name)).toEqual(["facts__fact_of", "facts__fail"]);
  await tools.close();
});

const faults: readonly [what: string, content: unknown, said: string][] = [
  ["no JSON", "{", "names no tool servers that could be used: it is no JSON: "],
  ["no servers", {}, 'it must be {"mcpServers": {"NAME": …}}, with names of letters, digits, - and _.'],
  ["a name that is none", { mcpServers: { "a b": facts } }, "with names of letters, digits, - and _."],
  [
    "neither a program nor a URL",
    { mcpServers: { a: {} } },
    '"a" needs "command" (with "args" and "env"), or',
  ],
  ["a file for a URL", { mcpServers: { a: { url: "file:///etc/passwd" } } }, '"a" needs "command"'],
  [
    "a variable that is not set",
    { mcpServers: { a: { command: "x", env: { K: "${NOT_SET}" } } } },
    '"a" needs the variable NOT_SET, which is not set.',
  ],
  [
    "a program that is not there",
    { mcpServers: { a: { command: "/nowhere/x", args: ["--key=secret"] } } },
    'The tool server "a" (/nowhere/x) could not be used: /nowhere/x is not there or may not be run',
  ],
  [
    "a tool that the server lacks",
    { mcpServers: { a: { ...facts, tools: ["fail", "fact_of"] } } },
    'it has no tool "fact_of"; it has fact.of, fail, flood, die',
  ],
  [
    "tools that are no list",
    { mcpServers: { a: { ...facts, tools: "fail" } } },
    '"tools" is a list of names',
  ],
  [
    "a program that ends",
    { mcpServers: { a: { command: process.execPath, args: ["-e", "console.error('no licence')"] } } },
    "no licence",
  ],
];

test.each(faults)("a file with %s is told, with what to mend", async (_, content, said) => {
  const { tools } = open(content);
  const thrown: unknown = await tools.tools().catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(OperationalError);
  expect((thrown as OperationalError).message).toContain(said);
  expect((thrown as OperationalError).message).not.toContain("secret");
  await tools.close();
});

test("whoever names no file has no tools besides ours, and a file that is not there is named", async () => {
  const none = new OutsideTools({ environment: {} }, () => undefined);
  expect(await none.tools()).toEqual([]);
  await none.close();
  const gone = new OutsideTools({ environment: {}, toolServers: "/nowhere/s.json" }, () => undefined);
  await expect(gone.tools()).rejects.toThrow(
    "/nowhere/s.json, which should name tool servers, cannot be read",
  );
});
