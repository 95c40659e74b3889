import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import {
  type CompiledKernel,
  DeviceMemory,
  type LaunchOutcome,
  type LaunchRequest,
  compileKernel,
  launch,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import type { PtxModule } from "../../../../server/core/vgpu/ptx/module";
import { address, casesFolder, integer } from "../support";

let folder = "";
let ptx: PtxModule;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-system-"));
  const output = join(folder, "system.ptx");
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-o", output, "cuda-system.cu"], {
    cwd: casesFolder,
  });
  const parsed = parsePtx(readFileSync(output, "utf8"));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  ptx = parsed.value;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compiled(entry: string, detectors: boolean): CompiledKernel {
  const kernel = compileKernel(ptx, entry, { counters: detectors, detectors });
  if (!kernel.ok) throw new Error(kernel.problem.reason);
  return kernel.value;
}

interface Ran {
  readonly outcome: LaunchOutcome;
  readonly text: string;
  readonly words: readonly number[];
  readonly memory: DeviceMemory;
}

function start(
  entry: string,
  more: Partial<LaunchRequest> & { threads?: number; detectors?: boolean; limit?: number } = {},
): Ran {
  const memory = more.memory ?? new DeviceMemory();
  const out = memory.allocate("out", 256, { initial: new Uint8Array(256) });
  let text = "";
  const outcome = launch(compiled(entry, more.detectors ?? false), {
    grid: [1, 1, 1],
    block: [more.threads ?? 64, 1, 1],
    dynamicSharedBytes: 0,
    instructionBudget: 1e7,
    memory,
    arguments: [address(out), ...(more.limit === undefined ? [] : [integer(more.limit)])],
    print: (part) => {
      text += part;
    },
    ...(more.faults ? { faults: more.faults } : {}),
  });
  expect(memory.damagedGuards()).toEqual([]);
  return { outcome, text, words: [...new Int32Array(memory.read(out).buffer)], memory };
}

suite("the device's printf", () => {
  it("prints in the order of execution", () => {
    const { outcome, text, words } = start("prints", { detectors: true });
    expect(outcome).toMatchObject({ kind: "completed", findings: [] });
    expect(text.split("\n").sort()).toEqual([
      "",
      "0 is zero:  0.00% of 123456789012, a   ab|cd    |beef 0x1000",
      "1 is one: 12.50% of 123456789013, b   ab|cd    |bef0 0x1000",
      "1.500000 -2.250000e+00 1e+10 é -3 200 7",
      "2 is two: 25.00% of 123456789014, c   ab|cd    |bef1 0x1000",
      "no arguments",
    ]);
    expect(words.slice(0, 4)).toEqual([9, 9, 9, 0]);
  });

  it("keeps 1 MiB of text and says that there was more", () => {
    const { outcome, text } = start("chatters");
    expect(outcome.kind).toBe("completed");
    expect(text).toHaveLength(
      (1 << 20) + "\n[the rest of what the kernel printed is left out: 1 MiB a launch is kept]\n".length,
    );
  });
});

/** Ending of a launch in one line. */
function endOf({ outcome }: Ran): string {
  if (outcome.kind === "fault")
    return `${outcome.finding.kind} at ${outcome.finding.file?.replace(/.*\//, "") ?? "?"}:${outcome.finding.line ?? 0}: ${outcome.finding.message.replace(/0x[0-9a-f]+/, "0x…")}`;
  return outcome.kind === "completed"
    ? ["completed", ...outcome.findings.map(({ kind }) => kind)].join(" ")
    : outcome.kind;
}

suite("the device's heap and assertions", () => {
  it.each([
    [
      "overruns",
      'out-of-bounds at cuda-system.cu:35: out of bounds: thread (0,0,0) of block (0,0,0) writes 4 bytes at 0x…, 4 bytes behind the end of "malloc at cuda-system.cu:34" (40 bytes)',
    ],
    [
      "uses_freed",
      'use-after-free at cuda-system.cu:44: use after free: thread (0,0,0) of block (0,0,0) reads 4 bytes at 0x…, 20 bytes into "malloc at cuda-system.cu:40" (40 bytes), which was freed',
    ],
    [
      "frees_twice",
      "invalid-free at cuda-system.cu:52: invalid free: thread (0,0,0) of block (0,0,0) frees 0x…, which was freed before",
    ],
    [
      "frees_others",
      "invalid-free at cuda-system.cu:55: invalid free: thread (0,0,0) of block (0,0,0) frees 0x…, which malloc never gave",
    ],
    ["traps", "trap at cuda-system.cu:66: thread (0,0,0) of block (0,0,0) executed trap"],
    ["breaks", "trap at cuda-system.cu:67: thread (0,0,0) of block (0,0,0) executed trap"],
    ["sleeps", "completed"],
  ])("%s ends with %s", (entry, expected) => {
    expect(endOf(start(entry, { threads: 1 }))).toBe(expected);
  });

  it("quotes a failed assertion", () => {
    expect(endOf(start("asserts", { limit: 40 }))).toBe(
      'trap at cuda-system.cu:23: assertion failed: threadIdx.x < limit && "within the limit" in void asserts(int *, int) at cuda-system.cu:23, by thread (40,0,0) of block (0,0,0)',
    );
    expect(endOf(start("asserts", { limit: 64 }))).toBe("completed");
  });

  it("has 8 MiB, and then gives null", () => {
    expect(start("exhausts", { threads: 1 }).words[0]).toBe(7);
  });

  it("finds reads of fresh blocks", () => {
    expect(endOf(start("reads_fresh", { threads: 4, detectors: true }))).toBe("completed uninitialized-read");
  });

  it("reports and goes on when asked to", () => {
    expect(endOf(start("uses_freed", { threads: 4, faults: "report" }))).toBe("completed use-after-free");
    expect(endOf(start("frees_twice", { threads: 4, faults: "report" }))).toBe("completed invalid-free");
  });

  it("keeps blocks between launches", () => {
    const { memory } = start("keeps", { threads: 1 });
    expect(start("finds", { threads: 1, memory }).words[0]).toBe(55);
  });
});
