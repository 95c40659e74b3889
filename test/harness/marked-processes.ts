import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Processes of this machine that were started with `NAME=VALUE` in their environment and whose command line
 * has a word that ends so. A test gives VS Code a mark of its own, so that it can end just what it started.
 * Linux only.
 */
export function markedProcesses(mark: string, ending: string): readonly number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const words = (readIfThere(`/proc/${pid}/cmdline`) ?? "").split("\0");
      return (
        words.some((word) => word.endsWith(ending)) &&
        (readIfThere(`/proc/${pid}/environ`) ?? "").split("\0").includes(mark)
      );
    });
}

/** A process may end while it is being looked at. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      ["ENOENT", "ESRCH", "EACCES"].includes(String(error.code))
    )
      return undefined;
    throw error;
  }
}

/** True while a process of that id is there and no zombie. */
export function isAlive(pid: number): boolean {
  const status = readIfThere(`/proc/${pid}/stat`);
  return status !== undefined && !/\) Z /.test(status);
}

/** Command lines of the processes whose program, arguments or current folder lie in a folder. Linux only. */
export function processesIn(folder: string): readonly string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && isAlive(Number(entry)))
    .map((entry) => ({
      command: (readIfThere(`/proc/${entry}/cmdline`) ?? "").replaceAll("\0", " ").trim(),
      current: linkIfThere(`/proc/${entry}/cwd`) ?? "",
    }))
    .filter(({ command, current }) => command.includes(folder) || current.startsWith(folder))
    .map(({ command }) => command);
}

function linkIfThere(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The process has ended, or is another user's.
    return undefined;
  }
}
