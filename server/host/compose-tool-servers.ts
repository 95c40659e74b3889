import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { OperationalError } from "../core/base/operational-error";
import type { OutsideTool } from "../core/ports/model";
import { assetPath } from "./assets";
import { productVersion } from "./product";
import { readServerFile, secretsOf } from "./tool-servers/server-file";
import type { Sdk } from "./tool-servers/sdk-type";
import { ToolServers } from "./tool-servers/tool-servers";

interface Options {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the user's file; none when empty or left out. */
  readonly toolServers?: string;
}

/**
 * The tools of the servers that the user named, for each session as the file then says. Whoever names none
 * loads nothing of the protocol.
 */
export class OutsideTools {
  private servers: ToolServers | undefined;

  constructor(
    private readonly options: Options,
    private readonly learnSecret: (value: string) => void,
  ) {}

  /** Throws OperationalError `usage` for a file that cannot be used, `tool-failed` for a server. */
  async tools(): Promise<readonly OutsideTool[]> {
    const path = this.options.toolServers ?? "";
    if (path === "") return [];
    const named = readServerFile(path, await textOf(path), this.options.environment);
    for (const secret of named.flatMap(secretsOf)) this.learnSecret(secret);
    this.servers ??= openServers();
    return this.servers.tools(named);
  }

  async close(): Promise<void> {
    await this.servers?.close();
  }
}

function openServers(): ToolServers {
  const sdk = createRequire(import.meta.url)(assetPath("tool-server-sdk.js")) as Sdk;
  return new ToolServers({ sdk, version: productVersion });
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new OperationalError("file-not-found", {
      forUser: `${path}, which should name tool servers, cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  });
}
