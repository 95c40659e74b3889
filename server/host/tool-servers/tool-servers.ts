import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { JsonObject } from "../../core/base/json";
import { OperationalError } from "../../core/base/operational-error";
import type { OutsideTool } from "../../core/ports/model";
import { startProcess } from "../process/start-process";
import { ProgramTransport } from "./program-transport";
import type { Sdk } from "./sdk-type";
import type { NamedServer, ProgramServer, WebServer } from "./server-file";

/** Milliseconds. */
const limits = { start: 30_000, call: 120_000 } as const;
/** Tools of all servers together: every request to a model lists them. */
const mostTools = 64;
/** Characters. */
const longest = { description: 2_000, answer: 200_000, error: 600 } as const;

interface Connection {
  readonly client: Client;
  readonly tools: readonly OutsideTool[];
  isOpen(): boolean;
}

/**
 * The servers of a file, with their tools. They are started with the first session that asks and stay for the
 * next ones; one that has ended is started again for the next session.
 */
export class ToolServers {
  private readonly connections = new Map<string, Connection>();

  constructor(private readonly options: { readonly sdk: Sdk; readonly version: string }) {}

  /**
   * The tools of all servers, named `SERVER__TOOL`. Throws OperationalError `tool-failed` where one of the
   * servers does not start or does not speak the protocol.
   */
  async tools(servers: readonly NamedServer[]): Promise<readonly OutsideTool[]> {
    const opened = await Promise.all(servers.map((server) => this.connection(server)));
    const tools = opened.flatMap((connection) => connection.tools);
    if (tools.length > mostTools)
      throw new OperationalError("usage", {
        forUser: `The tool servers have ${tools.length} tools together; a model is told at most ${mostTools}. Name fewer servers.`,
      });
    return tools;
  }

  async close(): Promise<void> {
    const open = [...this.connections.values()];
    this.connections.clear();
    await Promise.all(open.map(({ client }) => client.close()));
  }

  private async connection(server: NamedServer): Promise<Connection> {
    const key = JSON.stringify(server);
    const known = this.connections.get(key);
    if (known?.isOpen() === true) return known;
    const made = await this.connect(server);
    this.connections.set(key, made);
    return made;
  }

  private async connect(server: NamedServer): Promise<Connection> {
    const { sdk, version } = this.options;
    const client = new sdk.Client({ name: "kernelwright", version });
    let isOpen = true;
    client.onclose = () => (isOpen = false);
    // What a server says besides its answers is no answer: the request that waits for one is told.
    client.onerror = () => undefined;
    const over = server.kind === "program" ? await this.program(server) : this.web(server);
    try {
      await client.connect(over.transport, { timeout: limits.start });
      const { tools } = await client.listTools({}, { timeout: limits.start });
      return {
        client,
        tools: allowedOf(server, tools).map((tool) => outsideTool(server.name, tool, client)),
        isOpen: () => isOpen,
      };
    } catch (cause) {
      await client.close().catch(() => undefined);
      throw notUsable(server, [reasonOf(cause), over.said()].filter((text) => text !== "").join("\n"), cause);
    }
  }

  private async program(server: ProgramServer): Promise<Way> {
    const program = await startProcess(server).catch((cause: unknown) => {
      throw notUsable(server, reasonOf(cause), cause);
    });
    return {
      transport: new ProgramTransport(this.options.sdk, program),
      said: () => program.standardError().trim().slice(-longest.error),
    };
  }

  private web({ url, headers }: WebServer): Way {
    const transport = new this.options.sdk.StreamableHTTPClientTransport(url, { requestInit: { headers } });
    return { transport, said: () => "" };
  }
}

/** How a server is reached, and what it said besides. */
interface Way {
  readonly transport: Parameters<Client["connect"]>[0];
  readonly said: () => string;
}

type ListedTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/** Of all tools of a server those that the user allows; one that the server lacks is no slip to pass over. */
function allowedOf({ allowed }: NamedServer, tools: readonly ListedTool[]): readonly ListedTool[] {
  if (allowed === undefined) return tools;
  const missing = allowed.filter((name) => !tools.some((tool) => tool.name === name));
  if (missing.length > 0)
    throw new Error(
      `it has no tool "${missing.join('", "')}"; it has ${tools.map(({ name }) => name).join(", ")}`,
    );
  return tools.filter(({ name }) => allowed.includes(name));
}

function outsideTool(server: string, tool: ListedTool, client: Client): OutsideTool {
  return {
    name: `${server}__${tool.name}`.replaceAll(/[^\w-]/g, "_").slice(0, 64),
    description: `(${server}) ${tool.description ?? ""}`.slice(0, longest.description),
    parameters: tool.inputSchema as JsonObject,
    call: async (given) => {
      try {
        const answer = await client.callTool({ name: tool.name, arguments: given }, undefined, {
          timeout: limits.call,
        });
        return { text: answerText(answer.content), failed: answer.isError === true };
      } catch (thrown) {
        return { text: `The tool server ${server} gave no answer: ${reasonOf(thrown)}`, failed: true };
      }
    },
  };
}

/** The texts of an answer; of other parts that they are there. */
function answerText(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly ContentPart[]) : [];
  const text = parts.map(partText).join("\n");
  return text.length <= longest.answer
    ? text
    : `${text.slice(0, longest.answer)}\n(cut at ${longest.answer} of ${text.length} characters)`;
}

interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly uri: string; readonly text?: string };
}

function partText({ type, text, resource }: ContentPart): string {
  return text ?? resource?.text ?? `(${type}${resource === undefined ? "" : ` ${resource.uri}`}, not shown)`;
}

function reasonOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, longest.error);
}

function notUsable(server: NamedServer, why: string, cause: unknown): OperationalError {
  // Arguments and addresses may hold keys.
  const what = server.kind === "program" ? server.command : server.url.host;
  return new OperationalError("tool-failed", {
    forUser: `The tool server "${server.name}" (${what}) could not be used: ${why}`,
    cause,
  });
}
