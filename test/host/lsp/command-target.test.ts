import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LanguageClient } from "../../harness/language-client";
import { type OpenAiServer, startOpenAiServer } from "../../harness/openai-server";

const key = "sk-command-target-0123456789";
let folder: string;
let sessionsFolder: string;
let server: OpenAiServer;

const loop = (numbers: string): string =>
  `s=0; n=0\nfor i in ${numbers}; do s=$((s+i)); n=$((n+1)); done\necho "sum $s"\necho "steps: $n"\n`;
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

/** `measure`: what the target's number comes from. */
function project(measure: readonly string[]): string {
  const score = { pattern: "^steps: (?<score>\\d+)" };
  const check = ["sh", "-c", 'sh sim/steps.sh | grep -qx "sum 6"'];
  const steps = { check, measure, score, better: "lower", unit: "steps", runs: 2, editable: ["sim/**"] };
  return JSON.stringify({ version: 1, commands: { steps } });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-lsp-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  mkdirSync(join(folder, "sim"));
  write("sim/steps.sh", loop("0 1 2 3"));
  write("kernelwright.json", project(["sh", "sim/steps.sh"]));
  server = await startOpenAiServer({
    key,
    replies: [
      {
        calls: [
          { name: "write_file", arguments: { path: "sim/steps.sh", text: loop("1 5") } },
          { name: "submit_candidate", arguments: { hypothesis: "fewer numbers" } },
        ],
      },
      { calls: [{ name: "finish", arguments: { reason: "Nothing else." } }], forEver: true },
    ],
  });
});

afterEach(async () => {
  await server.close();
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

test("a target with a command is listed, runs what was agreed to and nothing else, and gets a proposal", async () => {
  const client = await LanguageClient.start({
    folder,
    trusted: false,
    settings: { sessionsFolder, "model.name": "scripted", "model.endpoint": server.url },
    environment: { KERNELWRIGHT_MODEL_KEY: key },
  });
  const targets = await client.request("kernelwright/commandTargets", {});
  expect(targets).toEqual([
    {
      name: "steps",
      folder: client.uri(""),
      commands: ['check: sh -c sh sim/steps.sh | grep -qx "sum 6"', "measure: sh sim/steps.sh"],
    },
  ]);
  const [target] = targets;
  const asked = { folder: target?.folder ?? "", name: "steps", seen: target?.commands ?? [] };
  const begin = (): Promise<{ readonly sessionId: string }> =>
    client.request("kernelwright/optimizeCommand", asked);
  await expect(begin()).rejects.toMatchObject({ data: { code: "workspace-untrusted" } });
  await client.connection.sendNotification("kernelwright/trust", { trusted: true });
  write("kernelwright.json", project(["sh", "-c", "touch ran; sh sim/steps.sh"]));
  await expect(begin()).rejects.toThrow("have changed since you agreed to them; nothing was run");
  write("kernelwright.json", project(["sh", "sim/steps.sh"]));
  const { sessionId } = await begin();
  const ended = await client.next(
    "kernelwright/sessionChanged",
    (view) => view.sessionId === sessionId && view.status !== "running",
  );
  expect(ended).toMatchObject({ status: "succeeded", hasProposal: true, kernel: "steps" });
  const proposal = await client.request("kernelwright/proposal", { sessionId });
  expect(proposal?.candidate).toBe("c1");
  await expect(client.request("kernelwright/continueFrom", { sessionId, candidate: "c1" })).rejects.toThrow(
    "steps is a target with a command, and a session on one begins with its files",
  );
  expect(readFileSync(join(folder, "sim/steps.sh"), "utf8")).toBe(loop("0 1 2 3"));
  expect(await client.stop()).toBe(0);
});
