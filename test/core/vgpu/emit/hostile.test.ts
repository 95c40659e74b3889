import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import {
  DeviceMemory,
  type KernelArgument,
  compileKernel,
  launch,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import { casesFolder, readCase } from "../support";
import { snippet } from "../snippets";

const texts = readdirSync(join(casesFolder, "triton", "captured"))
  .filter((name) => name.endsWith(".ptx"))
  .map((name) => readCase("triton", "captured", name));

/** Parses, compiles and runs whatever survives; all of it has to end in a value. Returns how far it came. */
function digest(text: string): string {
  const parsed = parsePtx(text);
  if (!parsed.ok) {
    expect(parsed.problem.line).toBeGreaterThanOrEqual(1);
    return "did not parse";
  }
  const entry = [...parsed.value.functions.values()].find(({ isEntry }) => isEntry);
  const compiled = compileKernel(parsed.value, entry?.name ?? "", {
    counters: true,
    detectors: true,
    triton: true,
  });
  if (!compiled.ok) {
    expect(compiled.problem.reason).toMatch(/^refused: /);
    return "refused";
  }
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 4096);
  const values = compiled.value.parameters.map(({ size }): KernelArgument =>
    size === 8 ? { kind: "address", value: data } : { kind: "bytes", value: new Uint8Array(size).fill(1) },
  );
  const outcome = launch(compiled.value, {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    dynamicSharedBytes: 64,
    arguments: values,
    memory,
    instructionBudget: 20_000,
  });
  return outcome.kind === "fault" ? outcome.finding.kind : outcome.kind;
}

suite("hostile PTX", () => {
  it("ends in a value when it is cut anywhere", () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
        digest(text.slice(0, Math.floor(part * text.length)));
      }),
      { numRuns: 60 },
    );
  });

  it("ends in a value when lines are dropped, doubled, swapped or altered", () => {
    const change = fc.record({
      at: fc.nat(),
      kind: fc.nat(4),
      other: fc.nat(),
      character: fc.constantFrom(...'{}[]();,:.%@!-+0x9fr_ "$'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        (text, changes) => {
          const lines = text.split("\n");
          for (const { at, kind, other, character } of changes) {
            const [index, second] = [at % lines.length, other % lines.length];
            const line = lines[index] ?? "";
            if (kind === 0) lines.splice(index, 1);
            else if (kind === 1) lines.splice(index, 0, lines[second] ?? "");
            else if (kind === 2) [lines[index], lines[second]] = [lines[second] ?? "", line];
            else
              lines[index] =
                line.slice(0, other % (line.length + 1)) +
                character +
                line.slice((other % (line.length + 1)) + (kind === 3 ? 0 : 1));
          }
          digest(lines.join("\n"));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["a huge register count", ".version 8.0 .target sm_80 .entry k() { .reg .b32 %r<4000000000>; ret; }"],
    [
      "many small register counts",
      `.version 8.0 .target sm_80 .entry k() { ${".reg .b32 %r<1000000>;".repeat(5)} ret; }`,
    ],
    ["a huge shared array", ".version 8.0 .target sm_80 .entry k() { .shared .b8 x[99999999999]; ret; }"],
    [
      "a product of array sizes",
      ".version 8.0 .target sm_80 .shared .b8 x[65536][65536][65536]; .entry k() { ret; }",
    ],
    ["endless braces", `.version 8.0 .target sm_80 .entry k() ${"{".repeat(100_000)}`],
    ["endless parentheses", `.version 8.0 .target sm_80 .entry k() { call ${"(".repeat(100_000)}`],
    ["an endless number", `.version 8.0 .target sm_80 .entry k() { add.u32 x, ${"9".repeat(1_000_000)}`],
    ["no end of a comment", ".version 8.0 /* .target"],
    ["a null character", ".version 8.0 \0"],
    ["nothing", ""],
    ["a million comments", "/**/".repeat(1_000_000)],
    [
      "gigabytes of initialised variables",
      `.version 8.0 .target sm_80 ${Array.from({ length: 100 }, (_, index) => `.global .b8 g${index}[134217728] = {1};`).join(" ")} .entry k() { ret; }`,
    ],
    [
      "gigabytes of parameters",
      `.version 8.0 .target sm_80 .entry k(${Array.from({ length: 20 }, (_, index) => `.param .b8 p${index}[268435456]`).join(", ")}) { ret; }`,
    ],
  ])("gives a problem for %s", (_, text) => {
    expect(["did not parse", "refused"]).toContain(digest(text));
  });

  it("keeps small what calls each other twice", () => {
    const chain = Array.from(
      { length: 30 },
      (_, index) =>
        `.func f${index}() { ${index === 0 ? "" : `call f${index - 1}, (); call f${index - 1}, ();`} ret; }`,
    ).join("\n");
    expect(digest(`.version 8.0 .target sm_80 ${chain} .entry k() { call f29, (); ret; }`)).toBe(
      "budget-exceeded",
    );
  });

  const target = ".version 8.0 .target sm_80 .address_size 64";
  const many = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => part(index)).join("\n");
  const registers = ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;";
  it.each([
    ["a huge local array", ".local .b8 x[4000000000];", "", "did not parse"],
    ["a local array of 200 MB", ".local .b8 x[200000000];", "", "refused"],
    [
      "gigabytes of variables",
      "mov.u64 %rd1, g0;",
      many(40, (index) => `.global .b8 g${index}[268435456];`),
      "refused",
    ],
    ["more than a million lines", "add.u32 %r1, %r1, 1;\n".repeat(1_400_000), "", "did not parse"],
    ["200,000 instructions", "add.u32 %r1, %r1, 1;\n".repeat(200_000), "", "refused"],
    [
      "more blocks than anyone has",
      many(25_000, (index) => `L${index}: @%p1 bra L${(index * 7919) % 25_000};`),
      "",
      "refused",
    ],
    [
      "a million registers in thousands of blocks",
      `.reg .b32 %x<1000000>; ${many(3_000, (index) => `L${index}: @%p1 bra L${(index * 7919) % 3_000};`)}`,
      "",
      "refused",
    ],
    [
      "a branch table of a million",
      `T: .branchtargets ${Array<string>(1_000_000).fill("L").join(",")}; L: brx.idx %r1, T;`,
      "",
      "refused",
    ],
    [
      "hundreds of branch tables",
      many(
        200,
        (index) =>
          `T${index}: .branchtargets ${Array<string>(256).fill("L0").join(",")}; L${index}: brx.idx %r1, T${index};`,
      ),
      "",
      "refused",
    ],
    [
      "initialisers that name each other",
      "mov.u64 %rd1, a; ld.global.u64 %rd1, [%rd1]; ld.global.u64 %rd1, [%rd1];",
      ".global .u64 a[2] = {a, generic(b)+8}; .global .u64 b = a;",
      "completed",
    ],
    [
      "an initialiser that names nothing",
      "mov.u64 %rd1, a;",
      ".global .u64 a[2] = {nothing, kernel};",
      "completed",
    ],
    [
      "a long chain of functions",
      "call f4999, ();",
      many(5_000, (index) => `.func f${index}() { ${index > 0 ? `call f${index - 1}, ();` : ""} ret; }`),
      "completed",
    ],
    [
      "a long circle of functions",
      "call f5, ();",
      many(2_000, (index) => `.func f${index}() { call f${(index + 1) % 2_000}, (); ret; }`),
      "stack-overflow",
    ],
    [
      "a thousand calls of a thousand pointers",
      `about: .callprototype _ (); mov.u64 %rd1, t; ld.global.u64 %rd2, [%rd1]; ${"call %rd2, (), about;".repeat(1_000)}`,
      `${many(1_000, (index) => `.func f${index}() { ret; }`)} .global .u64 t[1000] = {${Array.from({ length: 1_000 }, (_, index) => `f${index}`).join(",")}};`,
      "completed",
    ],
    [
      "copies of a large structure",
      `.param .b8 q[65536]; ${"call f, (q);".repeat(200)}`,
      ".func f(.param .b8 p[65536]) { ret; }",
      "completed",
    ],
    [
      "a chain of thousands of blocks, back to front",
      `.reg .b32 %x<20000>; bra L0; ${many(6_000, (index) => `L${5_999 - index}: ${index === 0 ? "add.u32 %x1, %x1, %x7; bra END;" : `bra L${6_000 - index};`}`)} END:`,
      "",
      "completed",
    ],
    [
      "addresses that are handed on against the order",
      `.reg .b64 %x<20001>; ${many(20_000, (index) => `mov.u64 %x${index}, %x${index + 1};`)} @%p1 ld.global.u64 %x20000, [%x0];`,
      "",
      "budget-exceeded",
    ],
    ["an instruction that lacks an operand", "add.rn.f16x2 %r1, %r2;", "", "refused"],
    ["a count that lacks operands", "fns.b32 %r1, %r2;", "", "refused"],
    ["a sum with carry that lacks an operand", "add.cc.u32 %r1, %r2;", "", "refused"],
    ["a bracketed end of nothing", "ld.global.u32 %r1, [];", "", "did not parse"],
  ])("ends soon for %s", (_, body, declarations, expected) => {
    expect(digest(`${target} ${declarations} .entry kernel() { ${registers} ${body} ret; }`)).toBe(expected);
  });

  it("survives absurd launches", () => {
    expect(
      digest(snippet(["u64"], "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %ctaid.x; st.global.u32 [%rd0], %r0;")),
    ).toBe("completed");
  });
});
