import { expect, test } from "vitest";
import type { CodeBlock } from "../../../../server/core/vgpu/analyse/blocks";
import { inOrderOfMeeting } from "../../../../server/core/vgpu/block-order";

/** Blocks by where they lead: one block, two, or none. */
type Ways = readonly (readonly number[])[];

function blocksOf(ways: Ways): readonly CodeBlock[] {
  return ways.map(([target, otherwise]): CodeBlock => {
    if (target === undefined) return { instructions: [], terminator: { kind: "exit" }, procedure: 0 };
    if (otherwise === undefined)
      return { instructions: [], terminator: { kind: "jump", target }, procedure: 0 };
    const terminator = { kind: "branch", register: 0, negated: false, taken: target, otherwise } as const;
    return { instructions: [], terminator, procedure: 0 };
  });
}

function waysOf(blocks: readonly CodeBlock[]): Ways {
  return blocks.map(({ terminator }) => {
    if (terminator.kind === "jump") return [terminator.target];
    return terminator.kind === "branch" ? [terminator.taken, terminator.otherwise] : [];
  });
}

interface Case {
  readonly name: string;
  readonly written: Ways;
  readonly ordered: Ways;
}

const cases: readonly Case[] = [
  { name: "what stands in order stays", written: [[1, 2], [3], [3], []], ordered: [[1, 2], [3], [3], []] },
  {
    name: "a rare way behind the rest comes before the block where it meets the other",
    written: [[1, 3], [2], [4], [1], []],
    ordered: [[2, 1], [2], [3], [4], []],
  },
  {
    name: "a rare way in a loop stays in the loop",
    written: [[1], [2, 5], [3], [1, 4], [6], [2], []],
    ordered: [[1], [3, 2], [3], [4], [1, 5], [6], []],
  },
  {
    name: "a loop within a loop is one block of it",
    written: [[1], [4], [5, 1], [6], [4, 2], [3], []],
    ordered: [[1], [2], [2, 3], [4, 1], [5], [6], []],
  },
  {
    name: "a loop that is entered in two places keeps all of its blocks",
    written: [[1, 2], [2], [1, 3], []],
    ordered: [[1, 2], [2], [1, 3], []],
  },
];

test.each(cases)("$name", ({ written, ordered }) => {
  const { blocks } = inOrderOfMeeting({ blocks: blocksOf(written), pointers: new Map() });
  expect(waysOf(blocks)).toEqual(ordered);
});

test("first blocks of functions and calls go along", () => {
  const [first, second, third, ...rest] = blocksOf([[1, 4], [5], [3], [5], [1], []]);
  const pointers = new Map([["void", [{ number: 0, block: 2 }]]]);
  const blocks = [first, second, third, ...rest].filter((each) => each !== undefined);
  const found = inOrderOfMeeting({ blocks, pointers });
  expect({ ways: waysOf(found.blocks), pointers: found.pointers }).toEqual({
    ways: [[4, 3], [2], [5], [4], [5], []],
    pointers: new Map([["void", [{ number: 0, block: 1 }]]]),
  });
});
