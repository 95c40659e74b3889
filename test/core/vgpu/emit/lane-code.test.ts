import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { address, bytesOf, compileText, run } from "../support";
import { draws } from "../../../harness/draws";

/** Registers of a program by their letter: bytes, and the type that they are loaded and stored as. */
const registers = { h: [2, "b16"], r: [4, "b32"], w: [8, "b64"], f: [4, "f32"], d: [8, "f64"] } as const;
const letters = Object.keys(registers) as readonly (keyof typeof registers)[];
const perLetter = 3;

/**
 * Instructions with letters for registers; p is a predicate. Results that are pairs or vectors are two
 * different registers. Sums of doubles are not among them: which of two NaNs they give is the host's choice.
 */
const templates = [
  "add.u16 h, h, h",
  "mul.hi.s16 h, h, h",
  "mul.wide.s16 r, h, h",
  "abs.s16 h, h",
  "shr.s16 h, h, r",
  "div.s16 h, h, h",
  "setp.lt.s16 p, h, h",
  "cvt.s32.s8 r, h",
  "cvt.sat.s8.s32 h, r",
  "cvt.s64.s16 w, h",
  "sub.sat.s32 r, r, r",
  "mad.hi.u32 r, r, r, r",
  "bfe.s32 r, r, r, r",
  "prmt.b32 r, r, r, r",
  "shf.l.wrap.b32 r, r, r, r",
  "slct.s32.f32 r, r, r, f",
  "setp.gt.and.u32 p1|p2, r, r, p",
  "selp.b32 r, r, r, p",
  "add.cc.u32 r, r, r",
  "subc.u32 r, r, r",
  "mad.wide.s32 w, r, r, w",
  "mul.hi.s64 w, w, w",
  "shl.b64 w, w, r",
  "setp.lt.s64 p, w, w",
  "cvt.u32.u64 r, w",
  "mov.b64 {r1, r2}, w",
  "mov.b64 w, {r, r}",
  "mov.b32 {h1, h2}, r",
  "mov.b32 r, f",
  "mov.b32 f, r",
  "mov.b64 d, w",
  "mov.b64 w, d",
  "add.rn.f32 f, f, f",
  "mul.rn.ftz.f32 f, f, f",
  "fma.rn.f32 f, f, f, f",
  "add.sat.f32 f, f, f",
  "sqrt.rn.f32 f, f",
  "rcp.approx.ftz.f32 f, f",
  "min.f32 f, f, f",
  "min.xorsign.abs.f32 f, f, f",
  "neg.f32 f, f",
  "copysign.f32 f, f, f",
  "setp.ltu.f32 p, f, f",
  "selp.f32 f, f, f, p",
  "cvt.rzi.s32.f32 r, f",
  "cvt.f64.f32 d, f",
  "cvt.rn.f32.f64 f, d",
  "cvt.rm.f16.f32 h, f",
  "cvt.f32.f16 f, h",
  "testp.normal.f32 p, f",
  "neg.f64 d, d",
  "min.f64 d, d, d",
  "setp.ge.f64 p, d, d",
  "cvt.rn.f16.f64 h, d",
  "fma.rn.relu.f16x2 r, r, r, r",
  "max.NaN.f16x2 r, r, r",
  "xor.pred p, p, p",
  "mov.pred p, p",
];

/** A template with its registers, chosen by numbers from outside, and perhaps a guard. */
const instruction = fc
  .record({
    template: fc.constantFrom(...templates),
    choices: fc.array(fc.nat(perLetter - 1), { minLength: 6, maxLength: 6 }),
    guard: fc.option(fc.tuple(fc.boolean(), fc.nat(perLetter - 1)), { freq: 3 }),
  })
  .map(({ template, choices, guard }) => {
    let at = 0;
    const [name = "", ...operands] = template.split(" ");
    const text = operands
      .join(" ")
      .replace(
        /\b([hrwfdp])(\d?)\b/g,
        (_, letter: string, fixed: string) =>
          `%${letter}${fixed === "" ? (choices[at++] ?? 0) : Number(fixed)}`,
      );
    return `${guard ? `@${guard[0] ? "!" : ""}%p${guard[1]} ` : ""}${name} ${text};`;
  });

/** Bits that matter to some type: zeroes, ones, infinities, NaNs with payloads, small and large numbers. */
const word = fc.oneof(
  fc.constantFrom(
    0,
    1,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc1_2345,
    0x3f80_0000,
    0xbf80_0000,
    0x8000_0000,
    0x7fff_ffff,
    0x7c01_fc00,
    0x4228_0000,
  ),
  fc.nat(0xffff_ffff),
);

const slots = (letters.length + 1) * perLetter;
const words = 32 * slots * 2;

/** A kernel that loads all registers of a thread, runs the lines and stores the registers. */
function kernelOf(lines: readonly string[], start = ""): string {
  const each = (text: (name: string, type: string, at: number) => string): string =>
    letters
      .flatMap((letter, row) =>
        Array.from({ length: perLetter }, (_, index) =>
          text(`%${letter}${index}`, registers[letter][1], 8 * (row * perLetter + index)),
        ),
      )
      .join("\n");
  const predicates = (text: (index: number, at: number) => string): string =>
    Array.from({ length: perLetter }, (_, index) =>
      text(index, 8 * (letters.length * perLetter + index)),
    ).join("\n");
  return [
    ".version 8.7",
    ".target sm_90",
    ".address_size 64",
    ".visible .entry kernel(.param .u64 data)",
    "{",
    `.reg .pred %p<3>, %q; .reg .b16 %h<3>; .reg .b32 %r<3>, %t, %u; .reg .b64 %w<3>, %at, %x; .reg .f32 %f<3>; .reg .f64 %d<3>;`,
    `ld.param.u64 %at, [data]; mov.u32 %u, %tid.x; mul.wide.u32 %x, %u, ${8 * slots}; add.u64 %at, %at, %x;`,
    each((name, type, at) => `ld.global.${type} ${name}, [%at+${at}];`),
    predicates((index, at) => `ld.global.u32 %t, [%at+${at}]; setp.lt.s32 %p${index}, %t, 0;`),
    start,
    ...lines,
    "$end:",
    each((name, type, at) => `st.global.${type} [%at+${at}], ${name};`),
    predicates((index, at) => `selp.u32 %t, -1, 0, %p${index}; st.global.u32 [%at+${at}], %t;`),
    "ret;",
    "}",
    "",
  ].join("\n");
}

/** What each thread has in its registers at the end. */
function execute(text: string, data: Uint32Array): string[] {
  const memory = new DeviceMemory();
  const buffer = memory.allocate("data", data.byteLength, { initial: bytesOf(data) });
  run(compileText(text, "kernel"), {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    arguments: [address(buffer)],
    memory,
  });
  const result = new Uint32Array(memory.read(buffer).buffer);
  return Array.from({ length: 32 }, (_, lane) =>
    result.slice(lane * 2 * slots, (lane + 1) * 2 * slots).join(" "),
  );
}

suite("code for lanes", () => {
  const programs = fc.tuple(
    fc.array(instruction, { minLength: 2, maxLength: 24 }),
    fc.array(word, { minLength: words, maxLength: words }).map((list) => Uint32Array.from(list)),
  );

  it("gives the same when registers go through memory behind each instruction", () => {
    fc.assert(
      fc.property(programs, ([lines, data]) => {
        expect(execute(kernelOf(lines.map((line) => `${line} membar.cta;`)), data)).toEqual(
          execute(kernelOf(lines), data),
        );
      }),
      { numRuns: draws(60) },
    );
  });

  it("leaves lanes alone that do not run it", () => {
    fc.assert(
      fc.property(programs, ([lines, data]) => {
        const [all, none] = [execute(kernelOf(lines), data), execute(kernelOf([]), data)];
        const expected = all.map((thread, lane) => ((lane & 5) === 4 ? none[lane] : thread));
        expect(
          execute(kernelOf(lines, "and.b32 %t, %u, 5; setp.eq.u32 %q, %t, 4; @%q bra $end;"), data),
        ).toEqual(expected);
      }),
      { numRuns: draws(60) },
    );
  });
});
