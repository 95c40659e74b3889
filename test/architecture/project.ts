import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Every file that git tracks or would track, POSIX, sorted. */
export function projectFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: projectRoot,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split("\n"))]
    .filter((path) => path !== "" && existsSync(join(projectRoot, path)))
    .sort();
}

export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}
