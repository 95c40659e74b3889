import type { LocalModels } from "../../../core/ports/model";
import { servedModels } from "./served-models";
import table from "./local-servers.json";

const timeLimitMilliseconds = 1_500;

/**
 * Asks the usual ports of this machine, and no other, for a list of models. Gives those that answered with
 * one; never throws.
 */
export async function findLocalServers(
  signal: AbortSignal,
  servers: readonly { readonly name: string; readonly port: number }[] = table.servers,
): Promise<readonly LocalModels[]> {
  const asked = servers.map(async ({ name, port }): Promise<readonly LocalModels[]> => {
    const endpoint = `http://127.0.0.1:${port}/v1`;
    const served = await servedModels({ endpoint, key: "", timeLimitMilliseconds }, signal);
    // Nobody listens, or somebody who speaks something else: no server of models.
    return served.ok && served.value.length > 0 ? [{ name, endpoint, models: served.value }] : [];
  });
  return (await Promise.all(asked)).flat();
}

/**
 * The endpoint of the first server on the usual ports that has a model of this very name; undefined where
 * none has.
 */
export async function localEndpointOf(
  model: string,
  signal: AbortSignal,
  servers: readonly { readonly name: string; readonly port: number }[] = table.servers,
): Promise<string | undefined> {
  const found = await findLocalServers(signal, servers);
  return found.find(({ models }) => models.includes(model))?.endpoint;
}
