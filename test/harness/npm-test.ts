import { spawn } from "node:child_process";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { exitCode } from "../../server/setup/support/processes.mjs";
import { isAlive, markedProcesses } from "./marked-processes";

const MARK = "KERNELWRIGHT_TEST_MARK";

/** `npm test` as a user runs it, in a process group of its own, as a terminal gives it one. */
export interface TestRun {
  /** Exit code as a shell gives it. */
  readonly ended: Promise<number>;
  /** Standard output and errors so far. */
  said(): string;
  /** Resolves once the text was said; rejects when the run ends without it. */
  sees(text: string): Promise<void>;
  /** Its processes that are alive and whose command line has a word that ends so. */
  processes(ending: string): readonly number[];
  /** Sends a signal to npm, or to the whole process group, as a terminal does. */
  signal(signal: NodeJS.Signals, to: "npm" | "group"): void;
}

/** Starts `npm test -- --only SECTIONS`. */
export function startTestRun(sections: string): TestRun {
  const mark = `${process.pid}-${sections}-${Date.now()}`;
  const child = spawn("npm", ["test", "--silent", "--", "--only", sections], {
    cwd: inRepository(),
    env: { ...process.env, [MARK]: mark },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      for (const watcher of watchers) watcher();
    });
  const ended = new Promise<number>((resolve) =>
    child.once("close", (code, signal) => resolve(exitCode(code, signal))),
  );
  return {
    ended,
    said: () => said,
    sees: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => void (said.includes(text) && resolve());
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`npm test ended without "${text}":\n${said}`)));
      }),
    processes: (ending) => markedProcesses(`${MARK}=${mark}`, ending).filter(isAlive),
    signal: (signal, to) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(to === "group" ? -child.pid : child.pid, signal);
    },
  };
}
