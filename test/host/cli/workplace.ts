import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../architecture/project";
import { type Ended, type RunningCommand, startCommand } from "../../harness/command-line";

/** A private copy of the samples, with sessions of its own; nothing of the user's is touched. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), "kernelwright-cli-"));
  readonly samples = join(this.folder, "samples");
  readonly sessions = join(this.folder, "sessions");

  constructor() {
    cpSync(join(projectRoot, "samples"), this.samples, { recursive: true });
  }

  /** Content of every file of the samples: what must not change unless the user says so. */
  contents(): Readonly<Record<string, string>> {
    const paths = readdirSync(this.samples, { recursive: true, encoding: "utf8" }).sort();
    return Object.fromEntries(
      paths
        .filter((path) => statSync(join(this.samples, path)).isFile())
        .map((path) => [path, readFileSync(join(this.samples, path), "utf8")]),
    );
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCommand {
    return startCommand(args, {
      folder: this.samples,
      environment: { KERNELWRIGHT_SESSIONS: this.sessions, ...environment },
    });
  }

  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.start(args, environment).ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The object on the last line of the output. */
export function lastObject(ended: Ended): Record<string, unknown> {
  const lines = ended.output.trimEnd().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as Record<string, unknown>;
}
