/**
 * A tool server as users have them, over the protocol's own library: `node tool-server.mjs` over the standard
 * streams, `node tool-server.mjs http` over HTTP, where it says its port and wants the header `x-key: open`.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

const server = new McpServer({ name: "facts", version: "1.0.0" });

server.registerTool(
  "fact.of",
  { description: "A fact on a GPU.", inputSchema: { gpu: z.object({ name: z.string() }) } },
  ({ gpu }) => ({
    content: [
      { type: "text", text: `${gpu.name} has ${process.env.UNITS ?? "no"} multiprocessors` },
      { type: "image", data: "", mimeType: "image/png" },
    ],
  }),
);
server.registerTool("fail", {}, () => {
  throw new Error("no such page");
});
server.registerTool("flood", {}, () => ({ content: [{ type: "text", text: "x".repeat(300_000) }] }));
server.registerTool("die", {}, () => process.exit(3));

if (process.argv[2] === "http") {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  const web = createServer((request, response) => {
    if (request.headers["x-key"] !== "open") return response.writeHead(401).end();
    return transport.handleRequest(request, response);
  });
  web.listen(0, "127.0.0.1", () => process.stdout.write(`${web.address().port}\n`));
} else {
  process.stderr.write("a line that is for people\n");
  await server.connect(new StdioServerTransport());
}
