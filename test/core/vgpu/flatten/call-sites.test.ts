import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { DeviceMemory, type KernelFinding, launch } from "../../../../server/core/vgpu/index";
import { address, casesFolder, compileText } from "../support";

const source = join(casesFolder, "call-sites.cu");
let text = "";

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-call-sites-"));
  const output = join(folder, "call-sites.ptx");
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-o", output, source]);
  text = readFileSync(output, "utf8");
  rmSync(folder, { recursive: true, force: true });
});

/** The lines of the file that hold a text, and end in a mark. */
function lineOf(part: string, mark: string): number {
  return (
    readFileSync(source, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(part) && line.endsWith(`// ${mark}`)) + 1
  );
}

function findingsOf(kernel: string): readonly KernelFinding[] {
  const memory = new DeviceMemory();
  const buffers = ["x", "y"].map((name) => memory.allocate(name, 256, { initial: new Uint8Array(256) }));
  const outcome = launch(compileText(text, kernel, { detectors: true }), {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    dynamicSharedBytes: 0,
    arguments: buffers.map(address),
    memory,
    instructionBudget: 1e7,
    faults: "report",
  });
  if (outcome.kind === "fault") return [...outcome.findings, outcome.finding];
  return "findings" in outcome ? outcome.findings : [];
}

describe("a finding in a function that the kernel calls", () => {
  it.each<[string, string, readonly (readonly [part: string, mark: string])[]]>([
    ["one_of_two", "out-of-bounds", [["pick(x, 1000)", "CALL"]]],
    [
      "nested",
      "out-of-bounds",
      [
        ["pick(x, 2 * i)", "CALL"],
        ["twice(x, 500)", "OUTER"],
      ],
    ],
    [
      "recursive",
      "out-of-bounds",
      [
        ["walk(x, depth - 1)", "CALL"],
        ["walk(x, 3)", "OUTER"],
      ],
    ],
    ["pointed", "out-of-bounds", [["readers[threadIdx.x & 1]", "CALL"]]],
    ["racing", "shared-race", [["leave(tile,", "CALL"]]],
    ["meeting", "barrier-deadlock", [["meet(y)", "CALL"]]],
    ["waiting", "deadlock", [["hold(y)", "CALL"]]],
    ["trapping", "trap", [["stop(threadIdx.x)", "CALL"]]],
  ])("of %s names the line of the call", (kernel, kind, calls) => {
    const told = findingsOf(kernel)
      .filter((finding) => finding.kind === kind)
      .map(({ message }) => /, called (from [\w.-]+:\d+ ?)+/.exec(message)?.[0].trimEnd());
    expect(told).toEqual([
      `, called ${calls.map(([part, mark]) => `from call-sites.cu:${lineOf(part, mark)}`).join(" ")}`,
    ]);
  });
});
