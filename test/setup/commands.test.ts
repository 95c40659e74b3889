import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { describeProblem, SetupProblem } from "../../server/setup/support/problem.mjs";

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
      args: ["--only", "unti"],
      code: 2,
      says: '--only: no section "unti"; there are types, lint, unit, worker, editor, browser',
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
