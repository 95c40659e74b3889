import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEditorServer } from "../../server/setup/support/editor-server.mjs";

/**
 * Listens as VS Code's server does, and tells what it was started with. The real one runs in the clean-room
 * section; this one needs no minute of building.
 */
const LISTENER = `
const { readFileSync, statSync } = require("node:fs");
const after = (name) => process.argv[process.argv.indexOf(name) + 1];
const tokenFile = after("--connection-token-file");
const server = require("node:http").createServer((request, response) => response.end(process.env.TOLD));
server.listen(Number(after("--port")), "127.0.0.1", () => {
  process.env.TOLD = JSON.stringify({ token, mode });
  console.log("Web UI available at http://127.0.0.1:" + server.address().port);
});
const token = readFileSync(tokenFile, "utf8");
const mode = (statSync(tokenFile).mode & 0o777).toString(8);
`;

describe("the server of the browser editor", () => {
  let base: string;
  let vscode: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "kernelwright editor "));
    vscode = join(base, "vscode");
    mkdirSync(join(vscode, "out"), { recursive: true });
    writeFileSync(join(vscode, "out", "server-main.js"), LISTENER);
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it("starts where no folder for its data is, with a token that only the user can read", async () => {
    const data = join(base, "never", "made", "browser-editor");
    const server = await startEditorServer({ vscode, data });
    const told = (await (await fetch(`http://127.0.0.1:${server.port}/`)).json()) as {
      readonly token: string;
      readonly mode: string;
    };
    await server.stop();
    expect({
      ...told,
      folder: (statSync(data).mode & 0o777).toString(8),
      left: readdirSync(data).sort(),
    }).toEqual({
      token: new URL(server.address()).searchParams.get("tkn"),
      mode: "600",
      folder: "700",
      left: ["Machine", "User"],
    });
  });

  it("starts twice at the same time on the same folder, each with a token and a port of its own", async () => {
    const data = join(base, "browser-editor");
    const [one, two] = await Promise.all([
      startEditorServer({ vscode, data }),
      startEditorServer({ vscode, data }),
    ]);
    const addresses = [one, two].map((server) => new URL(server.address()));
    await Promise.all([one.stop(), two.stop()]);
    expect(new Set(addresses.map(({ port }) => port)).size).toBe(2);
    expect(new Set(addresses.map(({ searchParams }) => searchParams.get("tkn"))).size).toBe(2);
  });

  it("names a port that is taken before it starts anything", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { readonly port: number };
    const data = join(base, "browser-editor");
    await expect(startEditorServer({ vscode, data, port })).rejects.toThrow(
      `Port ${port} cannot be used (listen EADDRINUSE: address already in use 127.0.0.1:${port}): name another one, or none to get a free one.`,
    );
    taken.close();
    expect(existsSync(data)).toBe(false);
  });

  it("tells what the server said when it ends before it listens", async () => {
    writeFileSync(join(vscode, "out", "server-main.js"), 'console.error("no license"); process.exit(3);');
    await expect(startEditorServer({ vscode, data: join(base, "data") })).rejects.toThrow(
      "VS Code's server ended with 3 before it listened.\nno license",
    );
    expect(readdirSync(join(base, "data")).sort()).toEqual(["Machine", "User"]);
  });
});
