import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../architecture/sources";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface RunningCommand {
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves once standard error contains the text; rejects when the program ends before. */
  readonly sees: (text: string) => Promise<void>;
}

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
    return Object.fromEntries(paths.filter((path) => statSync(join(this.samples, path)).isFile()).map((path) => [path, readFileSync(join(this.samples, path), "utf8")]));
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCommand {
    const child = spawn(process.execPath, [join(projectRoot, "dist", "kernelwright.js"), ...args], {
      cwd: this.samples, env: { ...process.env, KERNELWRIGHT_SESSIONS: this.sessions, NO_COLOR: "1", ...environment }, stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    const watchers = new Set<() => void>();
    child.stdout.setEncoding("utf8").on("data", (text: string) => { output += text; });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
      for (const watcher of watchers) watcher();
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, output, errors }));
    });
    const sees = (text: string): Promise<void> => new Promise((resolve, reject) => {
      const look = (): void => { if (errors.includes(text)) resolve(); };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`the program ended without "${text}":\n${errors}`)));
    });
    return { ended, kill: (signal) => void child.kill(signal), sees };
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
