import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileKernel, linkPtx } from "../../../../server/core/vgpu/index";
import { gives, declared, called, kernel, zeros, parts, outcomeOf } from "./link-modules";
import { cases } from "./link-cases";
import { draws } from "../../../harness/draws";

describe("hostile modules", () => {
  it.each([
    ["no modules at all", [], "refused: the module has no kernel k"],
    [
      "more names than anybody has",
      Array.from({ length: 2 }, () =>
        Array.from({ length: 70_000 }, (_, at) => `.global .u8 v${at};`).join("\n"),
      ),
      "the program's modules have 140000 functions and variables, and the most is 131072",
    ],
    [
      "huge initial values",
      Array.from({ length: 5 }, (_, part) => `.global .b8 v${part}[268435456] = {1};`),
      "the initial values of the program's variables take more than 536870912 bytes",
    ],
    [
      "two names for each other",
      [".visible .func f(); .visible .func g(); .alias f, g; .alias g, f;"],
      'the PTX of a.cu is not understood on its line 2: "g" is no function with a body, so it can have no alias',
    ],
    [
      "another name of a function that a stronger one replaces",
      [
        `${declared("g")}${kernel(`${zeros} ${called("g", "%r1")}`)}`,
        `${gives(".weak", "f", 8)}.visible .func (.param .b32 r) g(); .alias g, f;`,
        gives(".visible", "f", 9),
      ],
      "8 0 0 0",
    ],
    [
      "a name in hundreds of modules",
      [
        `${declared("f0")}${kernel(`${zeros} ${called("f0", "%r1")}`)}`,
        ...Array.from(
          { length: 400 },
          (_, at) =>
            `${gives("", "own", at)}.visible .func (.param .b32 r) f${at}() { .reg .b32 %r1; ${called("own", "%r1")} st.param.b32 [r], %r1; ret; }`,
        ),
      ],
      "0 0 0 0",
    ],
  ])("%s", (_, texts, outcome) => {
    expect(outcomeOf(parts(...texts))).toBe(outcome);
  });

  it("ends in a value when lines of modules are dropped, doubled or moved to the other one", () => {
    const texts = [...cases.map((each) => each.parts)]
      .filter((each) => each.length > 1)
      .map((each) => each.map((text) => text.replace(/;/g, ";\n").split("\n")));
    const change = fc.record({ part: fc.nat(), at: fc.nat(), kind: fc.nat(2) });
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (original, changes) => {
          const changed = original.map((lines) => [...lines]);
          for (const { part, at, kind } of changes) {
            const lines = changed[part % changed.length] ?? [];
            const [taken = ""] =
              kind === 0
                ? lines.splice(at % Math.max(1, lines.length), 1)
                : [lines[at % Math.max(1, lines.length)]];
            if (kind === 1) lines.splice(at % Math.max(1, lines.length), 0, taken);
            if (kind === 2) changed[(part + 1) % changed.length]?.push(taken);
          }
          const linked = linkPtx(parts(...changed.map((lines) => lines.join("\n"))));
          if (!linked.ok) expect(linked.problem.message).not.toBe("");
          else
            for (const name of linked.value.functions.keys())
              compileKernel(linked.value, name, { counters: false, detectors: false });
        },
      ),
      { numRuns: draws(200) },
    );
  });
});
