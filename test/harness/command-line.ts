import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../architecture/project";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface RunningCommand {
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /**
   * Resolves with all that a stream has said once it contains the text; rejects when the program ends before.
   */
  readonly sees: (text: string, stream?: "output" | "errors") => Promise<string>;
}

export interface CommandOptions {
  readonly folder: string;
  /** Added to the tests' own; nothing is painted. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Starts the command line that was built last, as a user's shell would. */
export function startCommand(
  args: readonly string[],
  { folder, environment = {}, input = "" }: CommandOptions,
): RunningCommand {
  const child = spawn(process.execPath, [join(projectRoot, "dist", "kernelwright.js"), ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { output: "", errors: "" };
  const watchers = new Set<() => void>();
  const listen =
    (stream: keyof typeof said) =>
    (text: string): void => {
      said[stream] += text;
      for (const watcher of watchers) watcher();
    };
  child.stdout.setEncoding("utf8").on("data", listen("output"));
  child.stderr.setEncoding("utf8").on("data", listen("errors"));
  // A program that reads nothing may be over before its input is.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, ...said });
    });
  });
  const sees = (text: string, stream: keyof typeof said = "errors"): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (said[stream].includes(text)) resolve(said[stream]);
      };
      watchers.add(look);
      look();
      void ended.then(() => {
        reject(new Error(`the program ended without "${text}":\n${said[stream]}`));
      });
    });
  return { ended, kill: (signal) => void child.kill(signal), sees };
}

/** The lines of a text that ends with one. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}
