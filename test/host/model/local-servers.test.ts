import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { findLocalServers, localEndpointOf } from "../../../server/host/model/finding/local-servers";
import { startOpenAiServer } from "../../harness/openai-server";

test("servers of models are found on the ports that are named, and nothing else is taken for one", async () => {
  const models = await startOpenAiServer({ models: ["qwen3:4b", "gemma3"], replies: [] });
  const web = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await new Promise((resolve) => web.once("listening", resolve));
  const portOf = (url: string): number => Number(new URL(url).port);
  const found = await findLocalServers(new AbortController().signal, [
    { name: "Ollama", port: portOf(models.url) },
    { name: "llama.cpp", port: (web.address() as AddressInfo).port },
    { name: "vLLM", port: 9 },
  ]);
  web.close();
  await models.close();
  expect(found).toEqual([{ name: "Ollama", endpoint: models.url, models: ["qwen3:4b", "gemma3"] }]);
});

test("a model that a server of this machine has by its very name needs no endpoint", async () => {
  const [one, other] = [
    await startOpenAiServer({ models: ["qwen3:4b"], replies: [] }),
    await startOpenAiServer({ models: ["gemma3", "qwen3:8b"], replies: [] }),
  ];
  const servers = [one, other].map(({ url }) => ({ name: "any", port: Number(new URL(url).port) }));
  const endpointOf = (model: string): Promise<string | undefined> =>
    localEndpointOf(model, new AbortController().signal, servers);
  expect([await endpointOf("gemma3"), await endpointOf("qwen3:4b"), await endpointOf("qwen3")]).toEqual([
    other.url,
    one.url,
    undefined,
  ]);
  await Promise.all([one.close(), other.close()]);
});
