import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, type KernelArgument, compileKernel, launch, parsePtx } from "../../../server/core/vgpu/index";
import { casesFolder, readCase } from "./support";
import { snippet } from "./snippets";

const texts = readdirSync(join(casesFolder, "triton", "captured")).filter((name) => name.endsWith(".ptx")).map((name) => readCase("triton", "captured", name));

/** Parses, compiles and runs whatever survives; all of it has to end in a value. Returns how far it came. */
function digest(text: string): string {
  const parsed = parsePtx(text);
  if (!parsed.ok) {
    expect(parsed.problem.line).toBeGreaterThanOrEqual(1);
    return "did not parse";
  }
  const entry = [...parsed.value.functions.values()].find(({ isEntry }) => isEntry);
  const compiled = compileKernel(parsed.value, entry?.name ?? "", { counters: true, detectors: true });
  if (!compiled.ok) {
    expect(compiled.problem.reason).toMatch(/^refused: /);
    return "refused";
  }
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 4096);
  const values = compiled.value.parameters.map(({ size }): KernelArgument =>
    (size === 8 ? { kind: "address", value: data } : { kind: "bytes", value: new Uint8Array(size).fill(1) }));
  return launch(compiled.value, { grid: [1, 1, 1], block: [64, 1, 1], dynamicSharedBytes: 64, arguments: values, memory, instructionBudget: 20_000 }).kind;
}

suite("hostile PTX", () => {
  it("ends in a value when it is cut anywhere", () => {
    fc.assert(fc.property(fc.constantFrom(...texts), fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
      digest(text.slice(0, Math.floor(part * text.length)));
    }), { numRuns: 60 });
  });

  it("ends in a value when lines are dropped, doubled, swapped or altered", () => {
    const change = fc.record({ at: fc.nat(), kind: fc.nat(4), other: fc.nat(), character: fc.constantFrom(..."{}[]();,:.%@!-+0x9fr_ \"$") });
    fc.assert(fc.property(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 6 }), (text, changes) => {
      const lines = text.split("\n");
      for (const { at, kind, other, character } of changes) {
        const [index, second] = [at % lines.length, other % lines.length];
        const line = lines[index] ?? "";
        if (kind === 0) lines.splice(index, 1);
        else if (kind === 1) lines.splice(index, 0, lines[second] ?? "");
        else if (kind === 2) [lines[index], lines[second]] = [lines[second] ?? "", line];
        else lines[index] = line.slice(0, other % (line.length + 1)) + character + line.slice((other % (line.length + 1)) + (kind === 3 ? 0 : 1));
      }
      digest(lines.join("\n"));
    }), { numRuns: 150 });
  });

  it.each([
    ["a huge register count", ".version 8.0 .target sm_80 .entry k() { .reg .b32 %r<4000000000>; ret; }"],
    ["many small register counts", `.version 8.0 .target sm_80 .entry k() { ${".reg .b32 %r<1000000>;".repeat(5)} ret; }`],
    ["a huge shared array", ".version 8.0 .target sm_80 .entry k() { .shared .b8 x[99999999999]; ret; }"],
    ["a product of array sizes", ".version 8.0 .target sm_80 .shared .b8 x[65536][65536][65536]; .entry k() { ret; }"],
    ["endless braces", `.version 8.0 .target sm_80 .entry k() ${"{".repeat(100_000)}`],
    ["endless parentheses", `.version 8.0 .target sm_80 .entry k() { call ${"(".repeat(100_000)}`],
    ["an endless number", `.version 8.0 .target sm_80 .entry k() { add.u32 x, ${"9".repeat(1_000_000)}`],
    ["no end of a comment", ".version 8.0 /* .target"],
    ["a null character", ".version 8.0 \0"],
    ["nothing", ""],
  ])("gives a problem for %s", (_, text) => {
    expect(["did not parse", "refused"]).toContain(digest(text));
  });

  it("keeps small what calls each other twice", () => {
    const chain = Array.from({ length: 30 }, (_, index) => `.func f${index}() { ${index === 0 ? "" : `call f${index - 1}, (); call f${index - 1}, ();`} ret; }`).join("\n");
    expect(digest(`.version 8.0 .target sm_80 ${chain} .entry k() { call f29, (); ret; }`)).toBe("budget-exceeded");
  });

  it("survives absurd launches", () => {
    expect(digest(snippet(["u64"], "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %ctaid.x; st.global.u32 [%rd0], %r0;"))).toBe("completed");
  });
});
