import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe as suite, expect, it } from "vitest";
import { DeviceMemory, launch, type LaunchRequest } from "../../../../server/core/vgpu/index";
import { address, casesFolder, compileText } from "../support";

let text = "";
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-clusters-"));
  const output = join(folder, "clusters.ptx");
  execFileSync("nvcc", ["-ptx", "-arch=sm_90", "-lineinfo", "-o", output, join(casesFolder, "clusters.cu")]);
  text = readFileSync(output, "utf8");
  rmSync(folder, { recursive: true, force: true });
});

const threads = 64;
const word = 4;

interface Ran {
  readonly words: readonly number[];
  readonly kind: string;
  /** Kinds of the findings, that of a fault last. */
  readonly findings: readonly string[];
  readonly messages: readonly string[];
}

/** What a kernel of clusters.cu makes of 512 numbers, with one block for 64 of them. */
function run(entry: string, more: Partial<LaunchRequest> = {}): Ran {
  const memory = new DeviceMemory();
  const blocks = 8;
  const data = Int32Array.from({ length: threads * blocks }, (_, index) => (index * 37) % 101);
  const bytes = word * threads * blocks;
  const input = memory.allocate("in", bytes, { initial: new Uint8Array(data.buffer) });
  const output = memory.allocate("out", bytes, { initial: new Uint8Array(bytes) });
  const outcome = launch(compileText(text, entry, { counters: true, detectors: true }), {
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    memory,
    instructionBudget: 1e7,
    faults: "report",
    arguments: [address(input), address(output)],
    ...more,
  });
  const noted = "findings" in outcome ? outcome.findings : [];
  const all = outcome.kind === "fault" ? [...noted, outcome.finding] : noted;
  return {
    words: [...new Int32Array(memory.read(output).buffer)],
    kind: outcome.kind,
    findings: all.map(({ kind }) => kind),
    messages: all.map(({ message }) => message),
  };
}

const value = (index: number): number => (index * 37) % 101;
const each = (of: (index: number) => number): number[] =>
  Array.from({ length: 512 }, (_, index) => of(index));

const right: readonly (readonly [string, (index: number) => number])[] = [
  [
    "next_block",
    (index) => value((Math.floor(index / 256) * 4 + ((Math.floor(index / 64) + 1) % 4)) * 64 + (index % 64)),
  ],
  [
    "split_barrier",
    (index) => value((Math.floor(index / 256) * 4 + ((Math.floor(index / 64) + 1) % 4)) * 64 + (index % 64)),
  ],
  [
    "by_assembly",
    (index) => value((Math.floor(index / 128) * 2 + ((Math.floor(index / 64) + 1) % 2)) * 64 + (index % 64)),
  ],
  [
    "places",
    (index) => {
      const block = Math.floor(index / 64);
      return (
        (block % 4) + 10 * Math.floor(block / 4) + 100 * 4 + 1000 * 2 + 10000 * ((block + 2) % 4) + 100000
      );
    },
  ],
  [
    "total",
    (index) => {
      const first = Math.floor(index / 256) * 256;
      return Array.from({ length: 256 }, (_, at) => value(first + at)).reduce((sum, each) => sum + each, 0);
    },
  ],
  ["some_exit", (index) => (index % 256 < 64 ? value(index + 64) : 0)],
  ["kept_by_flag", (index) => value(index % 128 < 64 ? index : index - 64)],
  ["kept_by_ticket", (index) => (index % 128 === 0 ? 1 : value(index % 128 < 64 ? index : index - 64))],
  ["flag", (index) => (index % 128 < 64 ? value(index + 64) : value(index))],
];

suite("clusters of blocks", () => {
  it.each(right)("%s", (entry, of) => {
    for (const order of ["ascending", "descending"] as const) {
      const { words, ...rest } = run(entry, { order });
      expect(rest).toEqual({ kind: "completed", findings: [], messages: [] });
      expect(words).toEqual(each(of));
    }
  });

  it.each([
    ["no_first_barrier", "out-of-bounds", /which need not have begun/],
    ["no_last_barrier", "use-after-free", /which has ended/],
    ["others_may_have_left", "use-after-free", /which may have ended by then/],
    ["reads_once_more", "use-after-free", /which may have ended by then/],
    ["flag_before_reading", "use-after-free", /which may have ended by then|which has ended/],
    ["no_barrier_between", "shared-race", /shared memory/],
    ["relaxed_arrival", "shared-race", /shared memory/],
    ["one_thread_of_a_warp", "divergent-barrier", /barrier/],
    ["one_block_does_not_come", "deadlock", /the barrier of its cluster/],
    ["beyond_the_end", "out-of-bounds", /behind the end of shared memory/],
    ["no_such_rank", "out-of-bounds", /no rank 4/],
    ["nothing_written", "uninitialized-read", /shared memory/],
  ] as const)("%s is %s", (entry, kind, message) => {
    // From the last to the first, blocks try long before they count as waiting.
    const orders = kind === "deadlock" ? ["ascending" as const] : (["ascending", "descending"] as const);
    const found = orders.map((order) => run(entry, { order }));
    expect(found.flatMap(({ findings }) => findings)).toContain(kind);
    expect(found.flatMap(({ messages }) => messages).join("\n")).toMatch(message);
  });

  it("of three axes", () => {
    const { words, kind } = run("volume", { grid: [2, 2, 2] });
    expect(kind).toBe("completed");
    expect(words).toEqual(each(() => 1));
  });

  it.each([
    [{ cluster: [3, 1, 1] }, /no multiple/],
    [{ cluster: [32, 1, 1] }, /more than 16/],
  ] as const)("%j is refused", (more, message) => {
    expect(run("any_size", more).messages.join()).toMatch(message);
  });

  it.each([1, 2, 8])("a launch gives clusters of %d", (size) => {
    const { words, kind } = run("any_size", { cluster: [size, 1, 1] });
    expect(kind).toBe("completed");
    expect(words.slice(0, 64)).toEqual(Array.from({ length: 64 }, () => size));
  });
});
