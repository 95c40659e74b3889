import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { exitCode } from "../../server/setup/support/processes.mjs";
import { eventually } from "../harness/eventually";
import { isAlive, markedProcesses } from "../harness/marked-processes";

/** `npm test` as a user runs it, in a process group of its own, as a terminal gives it one. */
function startTests(sections: string, mark: string) {
  const child = spawn("npm", ["test", "--silent", "--", "--only", sections], {
    cwd: inRepository(),
    env: { ...process.env, KERNELWRIGHT_TEST_MARK: mark },
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
  const sees = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (said.includes(text) && resolve());
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`npm test ended without "${text}":\n${said}`)));
    });
  return { pid: child.pid ?? 0, ended, sees, said: () => said };
}

describe("npm test ends all that it started, and starts no further section, on", () => {
  const table = [
    // A terminal sends Ctrl-C to the whole process group, so npm and the tests both get it.
    { what: "Ctrl-C", signal: "SIGINT", group: true, code: 130 },
    { what: "SIGTERM to npm", signal: "SIGTERM", group: false, code: 143 },
  ] as const;
  for (const { what, signal, group, code } of table) {
    it(what, async () => {
      const mark = `${process.pid}-${signal}`;
      const tests = startTests("lint,types", mark);
      await tests.sees("━━ types");
      const own = (ending: string): readonly number[] =>
        markedProcesses(`KERNELWRIGHT_TEST_MARK=${mark}`, ending).filter(isAlive);
      await eventually({
        what: "the compiler at work",
        read: () => Promise.resolve(own("tsc")),
        accept: (found) => found.length > 0,
      });
      process.kill(group ? -tests.pid : tests.pid, signal);
      expect(await tests.ended).toBe(code);
      expect(own("")).toEqual([]);
      expect(tests.said()).not.toMatch(/━━ (lint|summary)|at .*\.mjs/);
    });
  }
});
