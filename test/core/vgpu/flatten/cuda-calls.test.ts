import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { address, bytesOf, casesFolder, compileText, run } from "../support";

let folder = "";
let text = "";
/** What the same functions give on the host, compiled by g++. */
let expected = new Map<string, number[]>();

const source = join(casesFolder, "cuda-calls.cu");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-calls-"));
  const [output, program] = [join(folder, "calls.ptx"), join(folder, "calls")];
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-o", output, source]);
  execFileSync("g++", ["-O1", "-fwrapv", "-DHOST", "-x", "c++", "-o", program, source]);
  text = readFileSync(output, "utf8");
  expected = new Map(
    execFileSync(program, { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", ...numbers] = line.split(" ");
        return [name, numbers.map(Number)];
      }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a kernel plainly and with everything that watches; both have to give the same. */
function execute(
  entry: string,
  { threads = 64, count = 64, inputs = false }: { threads?: number; count?: number; inputs?: boolean } = {},
): number[] {
  const results = [false, true].map((watched) => {
    const memory = new DeviceMemory();
    const out = memory.allocate("out", 4 * count);
    const values = Int32Array.from({ length: 64 }, (_, index) => (index * 7 + 3) % 11);
    const given = inputs
      ? [memory.allocate("values", 256, { initial: bytesOf(values), readOnly: true })]
      : [];
    const outcome = run(compileText(text, entry, { counters: watched, detectors: watched }), {
      grid: [1, 1, 1],
      block: [threads, 1, 1],
      memory,
      arguments: [out, ...given].map(address),
    });
    expect(outcome.findings).toEqual([]);
    expect(memory.damagedGuards()).toEqual([]);
    return [...new Int32Array(memory.read(out).buffer)];
  });
  expect(results[1]).toEqual(results[0]);
  return results[0] ?? [];
}

suite("CUDA kernels that call", () => {
  it.each(["recursion", "frames", "shapes", "structures", "allocations", "lists"])(
    "%s: as on the host",
    (entry) => {
      expect(execute(entry)).toEqual(expected.get(entry));
    },
  );

  it.each(["tree", "table", "pointers"])("%s: as on the host, with values to choose by", (entry) => {
    expect(execute(entry, { inputs: true })).toEqual(expected.get(entry));
  });

  it("sorts arrays of its own by recursion", () => {
    expect(execute("quicksort", { count: 64 * 32 })).toEqual(expected.get("quicksort"));
  });

  it("waits at barriers and exchanges values inside of calls", () => {
    const threads = 96;
    const share = (value: (thread: number) => number): number =>
      Array.from({ length: threads }, (_, thread) => value(thread)).reduce((sum, each) => sum + each, 0);
    const deep = (thread: number, value: (thread: number) => number, depth: number): number =>
      depth === 0
        ? share(value)
        : deep(thread, (other) => value(other) + depth, depth - 1) + value(thread ^ depth);
    expect(execute("barriers", { threads, count: threads })).toEqual(
      Array.from({ length: threads }, (_, thread) => deep(thread, (other) => other, 4) + threads),
    );
  });

  it("lets lanes that wait in a call for others give them turns", () => {
    const memory = new DeviceMemory();
    const out = memory.allocate("out", 256, { initial: new Uint8Array(256) });
    run(compileText(text, "locks"), {
      grid: [1, 1, 1],
      block: [64, 1, 1],
      memory,
      arguments: [address(out)],
    });
    expect(new Int32Array(memory.read(out).buffer)[0]).toBe(64);
  });

  it("lets threads exit inside of a call", () => {
    expect(execute("leaving")).toEqual(
      Array.from({ length: 64 }, (_, thread) => (thread % 6 === 5 ? 33 : 5 + (thread % 3))),
    );
  });
});
