import * as z from "zod/mini";
import { OperationalError } from "../../core/base/operational-error";

interface Named {
  readonly name: string;
  /** The only tools that a model is told of and may call; all when left out. */
  readonly allowed?: readonly string[];
}

/** A program that is started, and spoken with over its streams. */
export interface ProgramServer extends Named {
  readonly kind: "program";
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A server that is there already, and spoken with over HTTP. */
export interface WebServer extends Named {
  readonly kind: "web";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export type NamedServer = ProgramServer | WebServer;

const texts = z.record(z.string(), z.string());
const tools = z.optional(z.array(z.string()).check(z.minLength(1)));
const entrySchema = z.union([
  z.object({
    command: z.string().check(z.minLength(1)),
    args: z.optional(z.array(z.string())),
    env: z.optional(texts),
    tools,
  }),
  z.object({ url: z.url({ protocol: /^https?$/ }), headers: z.optional(texts), tools }),
]);
const namesSchema = z.record(z.string().check(z.regex(/^[\w-]{1,32}$/)), z.unknown());
const fileSchema = z.union([z.object({ mcpServers: namesSchema }), z.object({ servers: namesSchema })]);

/**
 * Reads a file that names tool servers, in the form that other tools have made common: `mcpServers` (or
 * `servers`), by name, each with `command`, `args` and `env`, or with `url` and `headers`; and `tools`, where
 * not all of them are for the model. `${NAME}` and `${env:NAME}` stand for variables of the environment.
 * Throws OperationalError `usage`, which names the file and the server.
 */
export function readServerFile(
  path: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly NamedServer[] {
  const file = fileSchema.safeParse(parsed(path, text));
  if (!file.success)
    throw unusable(path, `it must be {"mcpServers": {"NAME": …}}, with names of letters, digits, - and _`);
  const named = "mcpServers" in file.data ? file.data.mcpServers : file.data.servers;
  return Object.entries(named).map(([name, entry]) => readEntry(path, name, { entry, environment }));
}

/** What no log may hold: headers, and variables that are named as keys are. */
export function secretsOf(server: NamedServer): readonly string[] {
  if (server.kind === "web") return Object.values(server.headers);
  return Object.entries(server.environment)
    .filter(([name]) => /key|token|secret|passw|auth|credential/i.test(name))
    .map(([, value]) => value);
}

function readEntry(
  path: string,
  name: string,
  given: {
    readonly entry: unknown;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): NamedServer {
  const read = entrySchema.safeParse(given.entry);
  if (!read.success)
    throw unusable(
      path,
      `"${name}" needs "command" (with "args" and "env"), or "url" of http or https (with "headers"); "tools" is a list of names`,
    );
  const filled = (value: string): string =>
    value.replace(/\$\{(?:env:)?(\w+)\}/g, (_, variable: string) => {
      const known = given.environment[variable];
      if (known === undefined)
        throw unusable(path, `"${name}" needs the variable ${variable}, which is not set`);
      return known;
    });
  const all = (values: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, filled(value)]));
  const entry = read.data;
  const named: Named = { name, ...(entry.tools && { allowed: entry.tools }) };
  if ("url" in entry)
    return { kind: "web", ...named, url: new URL(filled(entry.url)), headers: all(entry.headers) };
  return {
    kind: "program",
    ...named,
    command: filled(entry.command),
    arguments: (entry.args ?? []).map(filled),
    environment: all(entry.env),
  };
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw unusable(path, `it is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function unusable(path: string, why: string): OperationalError {
  return new OperationalError("usage", {
    forUser: `${path} names no tool servers that could be used: ${why}.`,
  });
}
