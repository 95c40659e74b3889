import { expect, test } from "vitest";
import { readElf, sectionReader } from "../../../server/core/cubin/elf";
import { decodeInstructions, type Instruction } from "../../../server/core/cubin/instruction";
import { readControlCode } from "../../../server/core/cubin/schedule/control-code";
import { codeBlocks } from "../../../server/core/cubin/schedule/flow";
import { waitsOf } from "../../../server/core/cubin/schedule/waits";
import { fixtureNames, readFixture } from "./fixtures";

/** Fourth words as ptxas writes them (the last two made up). */
test.each([
  ["a barrier", 0x000fe200, { stall: 1, yieldBit: 1, waits: [] }],
  ["a load", 0x000ea200, { stall: 1, yieldBit: 1, written: 2, waits: [] }],
  ["a sum that needs it", 0x004fc800, { stall: 4, yieldBit: 0, waits: [2] }],
  ["an exponential", 0x000e2400, { stall: 2, yieldBit: 1, written: 0, waits: [] }],
  ["a sum that needs it", 0x001fca00, { stall: 5, yieldBit: 0, waits: [0] }],
  ["a store whose registers are used again", 0x0001e400, { stall: 2, yieldBit: 1, read: 0, waits: [] }],
  ["a use of two loads", 0x00cfca00, { stall: 5, yieldBit: 0, waits: [2, 3] }],
])("%s", (_, word, expected) => {
  expect(readControlCode(word)).toEqual(expected);
});

/** The sections of a fixture that call no other: what is waited for there was begun there. */
function sections(name: string): readonly (readonly Instruction[])[] {
  const elf = readElf(readFixture(name));
  return elf.sections
    .filter((section) => section.name.startsWith(".text."))
    .map((section) => [...decodeInstructions(sectionReader(elf, section), elf.architecture)])
    .filter((code) => !code.some(({ operation }) => /^(?:CALL|BRX|JMX)/.test(operation.name)));
}

// Of several shared loads in a row the last one alone takes a scoreboard: they end in order.
const late = new Set(["load-global"]);
const inTime = new Set(["integer", "fp32", "move"]);

test.each(fixtureNames)("%s: global loads take scoreboards, arithmetic takes none", (name) => {
  const code = sections(name).flat();
  const takes = (classes: ReadonlySet<string>): Set<boolean> =>
    new Set(
      code
        .filter(
          ({ operation }) => classes.has(operation.class) && !/^(?:R2UR|S2UR|S2R|CS2R)/.test(operation.name),
        )
        .map(({ control }) => control.written !== undefined),
    );
  expect({ late: [...takes(late)], inTime: [...takes(inTime)] }).toEqual({ late: [true], inTime: [false] });
});

test.each(fixtureNames)("%s: every wait is for an instruction that may have run before", (name) => {
  const waits = sections(name).flatMap((code) => waitsOf(code));
  expect(waits.length).toBeGreaterThan(0);
  expect(waits.filter(({ producers }) => producers.length === 0)).toEqual([]);
});

test.each(fixtureNames)("%s: blocks cover the code, and each but an end has a successor", (name) => {
  for (const code of sections(name)) {
    const blocks = codeBlocks(code);
    expect(blocks.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(code.length);
    const open = blocks
      .filter(({ next }) => next.length === 0)
      .map(({ end }) => code[end - 1]?.operation.name);
    expect(open.filter((last) => !/^(?:EXIT|RET|NOP)$/.test(last ?? ""))).toEqual([]);
  }
});
