import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { describeProblem, SetupProblem } from "../../server/setup/support/problem.mjs";
import { run } from "../../server/setup/support/processes.mjs";

function runEntry(
  entry: string,
  args: readonly string[],
): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [inRepository("server", "setup", entry), ...args],
    { encoding: "utf8" },
  );
  return { code: status, stdout, stderr };
}

describe("bad input on the command line", () => {
  const table = [
    {
      entry: "start.mjs",
      args: ["--port", "banana"],
      code: 2,
      says: '--port: expected a number from 1 to 65535, got "banana"',
    },
    { entry: "start.mjs", args: ["no/such/folder"], code: 2, says: "no such folder" },
    { entry: "start.mjs", args: ["--headles"], code: 2, says: "--headles" },
    {
      entry: "test.mjs",
      args: ["--fast", "--only", "unit"],
      code: 2,
      says: "--fast and --only exclude each other",
    },
    {
      entry: "test.mjs",
      args: ["--only", "unti"],
      code: 2,
      says: '--only: no section "unti"; there are unit, fast, types, lint, format, worker, clean-room, editor, browser',
    },
  ];
  for (const { entry, args, code, says } of table) {
    it(`${entry} ${args.join(" ")}`, () => {
      const result = runEntry(entry, args);
      expect({
        code: result.code,
        told: result.stderr.includes(says),
        traced: /\n\s+at /.test(result.stderr),
      }).toEqual({ code, told: true, traced: false });
    });
  }
});

/** What an operation gives that fails. */
function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("trouble with the disk is told without a stack trace", () => {
  const table = [
    {
      what: "a full disk",
      error: () => failureOf(() => writeFileSync("/dev/full", "x")),
      says: "/dev/full: the disk is full. Free some space and start again; XDG_CACHE_HOME=FOLDER moves the large pieces to another disk.",
      path: "/dev/full",
    },
    {
      what: "a file where a folder should be",
      error: () => failureOf(() => mkdirSync("/dev/null/out")),
      says: "/dev/null/out: a part of this path is a file, not a folder. Make it writable for you, or move the clone to a folder that is.",
      path: "/dev/null/out",
    },
    {
      what: "a tool that met a full disk",
      error: () => run("sh", ["-c", "cat /proc/version > /dev/full"]).catch((error: unknown) => error),
      says: "the disk is full\nsh -c cat /proc/version > /dev/full ended with 1:\ncat: write error: No space left on device",
    },
    {
      what: "a tool that failed otherwise",
      error: () => run("sh", ["-c", "echo no network; exit 4"]).catch((error: unknown) => error),
      says: "sh -c echo no network; exit 4 ended with 4:\nno network",
    },
  ];
  for (const { what, error, says, path } of table) {
    it(what, async () => {
      const failure = await error();
      // writeFileSync names no path when the write itself fails; the disk of a device file is its own.
      const named = path === undefined ? failure : Object.assign(failure as Error, { path });
      expect(describeProblem(named)).toBe(says);
    });
  }
});

describe("a missing piece", () => {
  it("is told with what still works and one command", () => {
    const problem = new SetupProblem({
      piece: "nvcc",
      reason: "not found on this machine",
      stillWorks: "Triton kernels",
      command: "sudo apt-get install nvidia-cuda-toolkit",
    });
    expect(describeProblem(problem)).toBe(
      [
        "Missing: nvcc",
        "  why:         not found on this machine",
        "  still works: Triton kernels",
        "  get it with: sudo apt-get install nvidia-cuda-toolkit",
      ].join("\n"),
    );
  });
});
