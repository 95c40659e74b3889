import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The hosts that an ssh configuration names (ssh_config(5), `Host`): patterns and exceptions stand for no one
 * machine and are left out.
 */
export function hostsIn(configuration: string): readonly string[] {
  const lines = configuration.split(/\r?\n/).map((line) => /^\s*Host(?:\s+|\s*=\s*)(.+)$/i.exec(line)?.[1]);
  const named = lines.flatMap((list) => (list ?? "").replace(/(^|\s)#.*/, "").match(/"[^"]*"|\S+/g) ?? []);
  const plain = named.map((host) => host.replaceAll('"', ""));
  return [...new Set(plain.filter((host) => host !== "" && !/[*?!]/.test(host)))];
}

/** The hosts of the user's own ssh configuration; none where there is no such file. */
export async function configuredHosts(): Promise<readonly string[]> {
  try {
    return hostsIn(await readFile(join(homedir(), ".ssh", "config"), "utf8"));
  } catch {
    // No file, or none that we may read: a host can be typed.
    return [];
  }
}
