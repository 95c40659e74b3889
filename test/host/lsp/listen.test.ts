import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LanguageClient } from "../../harness/language-client";
import { startOpenAiServer } from "../../harness/openai-server";

const twice = {
  version: 1,
  kernel: "twice.cu::twice",
  launch: { grid: ["n / 256"], block: [256], arguments: ["x", "y"] },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1024 } }],
  reference: { expressions: { y: "2 * x" } },
};

test("a run is heard while it goes on, each turn and each call, and after its end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-listen-"));
  const sessionsFolder = join(folder, "sessions");
  cpSync("samples", folder, { recursive: true });
  const look = { name: "read_file", arguments: { path: "transpose.cu" } };
  const server = await startOpenAiServer({
    replies: [
      { text: "I read the file first.", calls: [look] },
      { text: "It waits.", hold: true },
      { text: "It waits as well.", hold: true },
    ],
  });
  const client = await LanguageClient.start({
    folder,
    trusted: true,
    settings: {
      ...{ sessionsFolder, strategy: "refine", "model.name": "m", "model.endpoint": server.url },
      ...{ "model.price": "free", python: process.env["KERNELWRIGHT_PYTHON"] ?? "" },
    },
  });
  try {
    const kernel = { uri: client.uri("transpose.cu"), kernel: "transpose" };
    const { sessionId } = await client.request("kernelwright/optimize", kernel);
    const heard = async (): Promise<string> =>
      (await client.request("kernelwright/listen", { sessionId })).text;
    const told = await client.until(heard, (text) => text.includes("turn 2 ──"));
    expect(told).toMatch(
      /^transpose in transpose\.cu[^]*turn 1 ──\nI read the file first\.\n→ read_file [^\n]*\n {2}\S[^]*── m, turn 2 ──\n/,
    );
    await client.request("kernelwright/cancel", { sessionId });
    const ended = await client.until(heard, (text) => text.includes("\nCancelled: "));
    expect(ended).toContain("I read the file first.");
    const from = { sessionId, candidate: "baseline" };
    await expect(client.request("kernelwright/continueFrom", from)).rejects.toThrow(
      "The baseline is the file as it stood",
    );
    const { checkpoints, decided } = await client.request("kernelwright/checkpoints", { sessionId });
    expect([checkpoints.map(({ id }) => id), decided]).toEqual([["baseline"], null]);

    // A kernel that only its spec describes: its file is made and shown.
    writeFileSync(join(folder, "twice.cu.kernel.json"), JSON.stringify(twice));
    const uri = client.uri("twice.cu");
    const fresh = await client.request("kernelwright/optimize", { uri, kernel: "twice" });
    expect(await client.next("window/showDocument")).toEqual({ uri, takeFocus: false });
    expect(readFileSync(join(folder, "twice.cu"), "utf8")).toBe(
      "__global__ void twice(const float* x, float* y) {\n}\n",
    );
    await client.request("kernelwright/cancel", fresh);
  } finally {
    await client.stop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
