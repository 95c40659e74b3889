import * as z from "zod/mini";
import { readShape } from "../../../core/base/shape";
import table from "./local-servers.json";

/** A server of models on this machine, and what it serves. */
export interface LocalServer {
  /** Whose port it is by default; another program may listen there and speak the same protocol. */
  readonly name: string;
  /** With `/v1`. */
  readonly endpoint: string;
  readonly models: readonly string[];
}

const timeLimitMilliseconds = 1_500;
const listShape = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/**
 * Asks the usual ports of this machine, and no other, for a list of models. Gives those that answered with
 * one; never throws.
 */
export async function findLocalServers(
  signal: AbortSignal,
  servers: readonly { readonly name: string; readonly port: number }[] = table.servers,
): Promise<readonly LocalServer[]> {
  const asked = servers.map(async ({ name, port }): Promise<readonly LocalServer[]> => {
    const endpoint = `http://127.0.0.1:${port}/v1`;
    const models = await modelsAt(endpoint, signal);
    return models.length === 0 ? [] : [{ name, endpoint, models }];
  });
  return (await Promise.all(asked)).flat();
}

async function modelsAt(endpoint: string, signal: AbortSignal): Promise<readonly string[]> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMilliseconds)]);
  try {
    const answer = await fetch(`${endpoint}/models`, { signal: within, redirect: "error" });
    const read = readShape(listShape, await answer.json());
    return read.ok ? read.value.data.map(({ id }) => id) : [];
  } catch {
    // Nobody listens, or somebody who speaks something else: no server of models.
    return [];
  }
}
