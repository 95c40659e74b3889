import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually";
import { markedProcesses } from "./marked-processes";

/** An extension host that is left alone looks every few seconds whether its server is there. */
const LEFT_ALONE_MS = 20_000;

/**
 * Gives a run a folder of its own for temporary files, which goes when the run ends: VS Code leaves its
 * sockets behind, and so do language servers that a test kills their folders.
 */
export function setup(): () => Promise<void> {
  // Short, since paths of sockets are.
  const folder = mkdtempSync(join(tmpdir(), "kw-"));
  process.env["TMPDIR"] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  return async () => {
    // Extensions make their folders as late as at their end. Where one hangs the folder goes all the same.
    if (process.platform === "linux") await hostsEnd(folder).catch(() => undefined);
    remove();
  };
}

function hostsEnd(folder: string): Promise<unknown> {
  return eventually({
    what: "the end of the extension hosts",
    read: () => Promise.resolve(markedProcesses(`TMPDIR=${folder}`, "--type=extensionHost")),
    accept: (hosts) => hosts.length === 0,
    limit: LEFT_ALONE_MS,
  });
}
