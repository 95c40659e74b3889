import { readFileSync } from "node:fs";
import type { Script } from "./openai-script";
import { startOpenAiServer } from "./openai-server";

/**
 * The scripted endpoint as a process of its own: `node openai-server-main.js SCRIPT.json [PORT]`. Prints one
 * JSON line with its address and runs until its standard input ends or it is stopped.
 */
async function main(): Promise<void> {
  const [scriptPath, port = "0"] = process.argv.slice(2);
  if (scriptPath === undefined) throw new Error("usage: openai-server-main SCRIPT.json [PORT]");
  const script = JSON.parse(readFileSync(scriptPath, "utf8")) as Script;
  const server = await startOpenAiServer(script, Number(port));
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  const stop = (): void => void server.close();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.stdin.once("end", stop).resume();
}

main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
});
