import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { endGroups, launch, run, runVisibly, ToolFailure } from "../../server/setup/support/processes.mjs";

/** Whether a process is there and has not ended. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("programs that set-up starts", () => {
  it("give what they wrote", async () => {
    const heard: string[] = [];
    expect(
      await run("sh", ["-c", "echo one; echo two >&2"], { heard: (line: string) => heard.push(line) }),
    ).toContain("one\n");
    expect(heard.sort()).toEqual(["one", "two"]);
  });

  it("fail with the command, the code and the end of the output", async () => {
    const failure: unknown = await run("sh", ["-c", "echo why; exit 7"]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect((failure as ToolFailure).message).toBe("sh -c echo why; exit 7 ended with 7:\nwhy");
  });

  it("fail with a sentence when they are not there", async () => {
    await expect(run("kernelwright-no-such-program", [])).rejects.toThrow(
      /^kernelwright-no-such-program ended with spawn .*ENOENT/,
    );
  });

  it("report the code that a shell would report", async () => {
    expect(await runVisibly("sh", ["-c", "exit 3"])).toBe(3);
    expect(await runVisibly("sh", ["-c", "kill -TERM $$"])).toBe(143);
  });

  it("end with all that they started, also with what ignores a polite request", async () => {
    const child = launch("sh", ["-c", "trap '' TERM; sleep 600 & echo $!; wait; wait"]);
    const line = await new Promise<string>(
      (resolve) => child.stdout && createInterface({ input: child.stdout }).once("line", resolve),
    );
    const grandchild = Number(line);
    expect(isAlive(grandchild)).toBe(true);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await endGroups();
    await ended;
    expect(isAlive(grandchild)).toBe(false);
  });

  it("are no problem to be told of when Ctrl-C has ended them", async () => {
    const part = (name: string): string =>
      JSON.stringify(pathToFileURL(inRepository("server", "setup", "support", name)));
    const program = `
      import { main } from ${part("main.mjs")};
      import { run } from ${part("processes.mjs")};
      import { createReporter } from ${part("reporter.mjs")};
      const { warn } = createReporter();
      main(async () => {
        await run("sh", ["-c", "echo at work; sleep 600"], { heard: console.log }).catch(warn);
        return 0;
      });`;
    const child = launch(process.execPath, ["--input-type=module", "-e", program]);
    let said = "";
    child.stderr?.on("data", (bytes) => (said += String(bytes)));
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill("SIGINT");
    expect([await ended, said]).toEqual([130, ""]);
  });
});
